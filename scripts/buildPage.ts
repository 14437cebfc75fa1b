import { fileURLToPath } from 'node:url'
import { buildWorker } from './buildWorker.ts'
import { compressPage } from './compressPage.ts'

export async function buildPage(outDir: string): Promise<void> {
  // Imported here and not above: `npm start` needs no build tools when everything is up to date.
  const { build } = await import('vite')
  await build({ configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)), logLevel: 'warn' })
  await buildWorker(outDir)
  const { files, bytes, compressed } = await compressPage(outDir)
  console.log(`Built dist/page: ${files} files, ${kilobytes(bytes)}, ${kilobytes(compressed)} as brotli`)
}

function kilobytes(count: number): string {
  return `${Math.round(count / 1024)} KB`
}
