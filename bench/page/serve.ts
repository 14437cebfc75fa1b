import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}

export type Served = { url: string; stop: () => Promise<void> }

/** Builds a page of the benchmark as the product's is built. */
export async function buildPage(folder: string): Promise<string> {
  const outDir = join(ROOT, 'dist/bench', folder)
  await build({
    configFile: false,
    root: join(ROOT, 'bench', folder),
    plugins: [react()],
    logLevel: 'warn',
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
    },
  })
  return outDir
}

/** Serves a folder, compressed with brotli once, on loopback; with the headers that a file is to have besides. */
export async function serve(
  folder: string,
  headersOf: (file: string) => Record<string, string> = () => ({}),
): Promise<Served> {
  const known = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = normalize((request.url ?? '/').split('?')[0] ?? '/')
    const file = path.endsWith('/') ? `${path}index.html` : path
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    try {
      const body = known.get(file) ?? brotliCompressSync(readFileSync(join(folder, file)))
      known.set(file, body)
      const headers = { 'content-type': type, 'content-encoding': 'br', 'cache-control': 'no-cache' }
      response.writeHead(200, { ...headers, ...headersOf(file) })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
