import type { Nodes } from 'mdast'
import { replaceStrings } from './maskedMarks.ts'

/**
 * The data of a picture, which may be eight megabytes, and what stands before them. An address that names a data URL is
 * no picture.
 */
const BASE64 = ';base64,'
const HEAD = /(?<![\w=&?/%#])data:[\w.+/-]{1,100}$/
const MAX_HEAD = 110
/** An expression that matched the data themselves would overflow on millions of characters. */
const NO_DATA = /[^A-Za-z0-9+/=]/g
/** No text has it (see `normalised`). */
const MARK = '\uFDD3'
const PLACEHOLDER = /\uFDD3(\d{1,6})\uFDD3/g

type SourceText = {
  /**
   * The text as it is parsed: normalised, and with a placeholder for the data of each picture, since the parser reads
   * every character several times.
   */
  prepare(text: string, done: boolean): string
  /** Puts the data back into the tree. Changes the nodes. */
  restore(nodes: readonly Nodes[]): void
}

/**
 * Prepares one text for the parser. While the text grows, each picture keeps its placeholder, so that the prepared text
 * only grows, too.
 */
export function sourceText(): SourceText {
  const data: string[] = []
  const original = (mark: string, index: string) => data[Number(index)] ?? mark
  const restored = (text: string) => (text.includes(MARK) ? text.replaceAll(PLACEHOLDER, original) : text)
  return {
    prepare(whole, done) {
      const text = normalised(whole, done)
      data.length = 0
      let short = ''
      let from = 0
      for (let at = text.indexOf(BASE64); at !== -1; at = text.indexOf(BASE64, at + 1)) {
        const start = at + BASE64.length
        if (at < from || !HEAD.test(text.slice(Math.max(0, at - MAX_HEAD), at))) continue
        NO_DATA.lastIndex = start
        const end = NO_DATA.exec(text)?.index ?? text.length
        if (end === start) continue
        short += `${text.slice(from, start)}${MARK}${data.push(text.slice(start, end)) - 1}${MARK}`
        from = end
      }
      return from === 0 ? text : short + text.slice(from)
    },
    restore(nodes) {
      if (data.length > 0) for (const node of nodes) replaceStrings(node, restored)
    },
  }
}

/** Normalises as the parser would, but before it, since fences are cut out without the parser. */
function normalised(text: string, done: boolean): string {
  let clean = text
  if (clean.includes('\r')) {
    // The second half of a line ending may still be on its way.
    if (!done && clean.endsWith('\r')) clean = clean.slice(0, -1)
    clean = clean.replace(/\r\n?/g, '\n')
  }
  // These noncharacters are placeholders while a text is parsed, here and in maskedMarks.ts.
  clean = clean.replace(/[\uFDD0-\uFDD3]/g, '\uFFFD')
  if (clean.includes('\0')) clean = clean.replaceAll('\0', '\uFFFD')
  // The parser drops a byte order mark wherever it begins to read.
  return clean.includes('\uFEFF') ? clean.replaceAll('\uFEFF', '') : clean
}
