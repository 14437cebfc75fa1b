import { gfm } from 'micromark-extension-gfm'
import type { Construct, Extension } from 'micromark-util-types'
import { strikethrough } from './strikethrough.ts'

const OURS = new Set(['protocolAutolink', 'wwwAutolink'])

/** GFM without its bare addresses (addresses.ts), and with a strike-through that knows Chinese. */
export function gfmOfChat(): Extension {
  const { text = {}, ...others } = gfm({ singleTilde: false })
  const replaced = (construct: Construct) => (construct.name === 'strikethrough' ? strikethrough(construct) : construct)
  return {
    ...others,
    text: Object.fromEntries(
      Object.entries(text).map(([code, one]) => [
        code,
        [one ?? []]
          .flat()
          .filter(({ name }) => !OURS.has(name ?? ''))
          .map(replaced),
      ]),
    ),
  }
}
