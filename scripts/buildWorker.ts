import { fileURLToPath } from 'node:url'

const WEB = fileURLToPath(new URL('../web', import.meta.url))

/** The worker of the offline page, alone in a file at the root: it shares no chunk with the page, which it outlives. */
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
