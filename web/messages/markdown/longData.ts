import type { Nodes } from 'mdast'

/** What stands before the data of a picture, which may be eight megabytes. An address that names one is no picture. */
const BASE64 = ';base64,'
const HEAD = /(?<![\w=&?/%#])data:[\w.+/-]{1,100}$/
const LONGEST_HEAD = 110
/** Sought, and not what the data are: an expression that takes millions of characters overflows. */
const NO_DATA = /[^A-Za-z0-9+/=]/g
const MARK = '\uFDD3'
const PUT_ASIDE = /\uFDD3(\d{1,6})\uFDD3/g

export type LongData = {
  /** The text with a mark for each of its data: the parser looks at every character several times. */
  shortened(text: string): string
  /** Puts them back into the tree that was made of it. Changes the nodes. */
  restore(nodes: readonly Nodes[]): void
}

/** Those of one text. While it grows each keeps its mark, so that the text that was shortened only grows, too. */
export function longData(): LongData {
  const data: string[] = []
  const original = (mark: string, index: string) => data[Number(index)] ?? mark
  const inNode = (node: Nodes): void => {
    for (const [key, value] of Object.entries(node)) {
      // Whatever is a text in a node is a text of the source.
      if (typeof value === 'string' && value.includes(MARK))
        Object.assign(node, { [key]: value.replaceAll(PUT_ASIDE, original) })
    }
    if ('children' in node) for (const child of node.children) inNode(child)
  }
  return {
    shortened(text) {
      data.length = 0
      let short = ''
      let from = 0
      for (let at = text.indexOf(BASE64); at !== -1; at = text.indexOf(BASE64, at + 1)) {
        const start = at + BASE64.length
        if (at < from || !HEAD.test(text.slice(Math.max(0, at - LONGEST_HEAD), at))) continue
        NO_DATA.lastIndex = start
        const end = NO_DATA.exec(text)?.index ?? text.length
        if (end === start) continue
        short += `${text.slice(from, start)}${MARK}${data.push(text.slice(start, end)) - 1}${MARK}`
        from = end
      }
      return from === 0 ? text : short + text.slice(from)
    },
    restore(nodes) {
      if (data.length > 0) for (const node of nodes) inNode(node)
    },
  }
}
