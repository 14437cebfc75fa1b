import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const ORDER = join(import.meta.dirname, '../web/kit/layers.css')
const COMMENTS = /\/\*[^]*?\*\//g

/**
 * Puts the @layer order at the start of each style sheet of the kit. The style sheet that loads first defines the order: without this, a
 * sign-in page that loaded the kit first had the page's background above the kit.
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
