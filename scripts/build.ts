/** npm run build: makes dist/page. With --when-stale only when the sources have changed since the last time. */
import { fileURLToPath } from 'node:url'
import { buildWorker } from './buildWorker.ts'
import { compressPage } from './compressPage.ts'
import { forgetStamp, isFresh, keepStamp, PAGE } from './pageStamp.ts'

if (!process.argv.includes('--when-stale') || !isFresh()) {
  try {
    await buildPage()
  } catch (error) {
    console.error(`The page could not be built: ${error instanceof Error ? error.message.trim() : error}`)
    process.exitCode = 1
  }
}

async function buildPage(): Promise<void> {
  console.log('Building the page ...')
  // Loaded only when there is something to build: a start with the page in place needs no build tools at all.
  const { build } = await import('vite')
  forgetStamp()
  await build({ configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)), logLevel: 'warn' })
  await buildWorker(PAGE)
  const { files, bytes, compressed } = await compressPage(PAGE)
  keepStamp()
  console.log(`Built dist/page: ${files} texts, ${kilobytes(bytes)}, ${kilobytes(compressed)} as brotli`)
}

function kilobytes(count: number): string {
  return `${Math.round(count / 1024)} KB`
}
