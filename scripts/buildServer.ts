import { copyFileSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Not bundled: the first read files beside their own; the last is optional for `pg` and not installed. */
const EXTERNAL = [/^@fastify\/(static|swagger|swagger-ui)$/, /^pg-native$/]

/**
 * Bundles the server and its libraries into few files: it starts sooner and needs less memory than from some six
 * hundred modules (docs/performance.md). Names are not mangled, so that stacks in the log can be read.
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
          workerThread: join(ROOT, 'server/foundation/database/sqlite/workerThread.ts'),
        },
        external: EXTERNAL,
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
  // The simulator reads its answers from files beside itself.
  for (const answer of globSync(join(ROOT, 'simulator/answers/*.md')))
    copyFileSync(answer, join(outDir, basename(answer)))
}
