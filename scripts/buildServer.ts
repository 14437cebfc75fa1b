import { copyFileSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** They read files that lie beside their own; `pg` asks for the last and does without. */
const ELSEWHERE = [/^@fastify\/(static|swagger|swagger-ui)$/, /^pg-native$/]

/**
 * The server with its libraries in few files: it starts in two thirds of the time and needs less memory than from some six hundred modules
 * (decision 026). Names stay as they are, for the stacks in the log.
 */
export async function buildServer(outDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: [] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      reportCompressedSize: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: {
          main: join(ROOT, 'server/main.ts'),
          backupWorker: join(ROOT, 'server/foundation/database/sqlite/backupWorker.ts'),
        },
        external: ELSEWHERE,
        output: {
          format: 'esm',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          keepNames: true,
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  })
  // What the simulator says; it looks for them beside itself.
  for (const words of globSync(join(ROOT, 'simulator/answers/*.md'))) copyFileSync(words, join(outDir, basename(words)))
}
