import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TEXT = new Set(['.html', '.js', '.css', '.svg', '.json', '.map', '.txt', '.webmanifest', '.ttf'])

/** Bytes. A smaller file fits into one packet in any case. */
const WORTH_COMPRESSING = 1024

/** Writes a .br and a .gz beside each text file, so that the server never compresses the page itself. */
export async function compressPage(folder: string): Promise<{ files: number; bytes: number; compressed: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter(entry => entry.isFile() && TEXT.has(extname(entry.name)))
    .map(entry => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(paths.map(compressFile))
  return {
    files: paths.length,
    bytes: sizes.reduce((sum, size) => sum + size.bytes, 0),
    compressed: sizes.reduce((sum, size) => sum + size.compressed, 0),
  }
}

async function compressFile(path: string): Promise<{ bytes: number; compressed: number }> {
  const content = await readFile(path)
  if (content.length < WORTH_COMPRESSING) return { bytes: content.length, compressed: content.length }
  const [asBrotli, asGzip] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, asBrotli), writeFile(`${path}.gz`, asGzip)])
  return { bytes: content.length, compressed: asBrotli.length }
}
