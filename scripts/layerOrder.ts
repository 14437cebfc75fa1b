import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const ORDER = join(import.meta.dirname, '../web/kit/layers.css')
const COMMENTS = /\/\*[^]*?\*\//g

/**
 * Each style sheet of the kit begins with the order of the layers. The one that is read first decides on it: a sign-in that began with
 * the kit's layer had the page's ground above the kit.
 */
export function layerOrder(): Plugin {
  return {
    name: 'layer-order',
    enforce: 'pre',
    transform: {
      filter: { id: /\.layer\.css$/ },
      handler: async code => `${(await readFile(ORDER, 'utf8')).replace(COMMENTS, '').trim()}\n${code}`,
    },
  }
}
