import { fileURLToPath } from 'node:url'

const WEB = fileURLToPath(new URL('../web', import.meta.url))

/**
 * Builds the service worker of the offline page into one file at the root. It shares no chunk with the page, because it
 * lives longer than the page it came with.
 */
export async function buildWorker(outDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: WEB,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: { input: `${WEB}/offline/worker.ts`, output: { format: 'iife', entryFileNames: 'worker.js' } },
    },
  })
}
