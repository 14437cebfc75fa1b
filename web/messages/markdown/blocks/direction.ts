import type { Nodes } from 'mdast'

const LETTER = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDCF\uFDF0-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

export type Direction = 'ltr' | 'rtl'

/** By the first letter of the text, apart from code and formulas. Null where there is no letter. */
export function directionOf(node: Nodes): Direction | null {
  if (node.type === 'text') return directionOfText(node.value)
  if (!('children' in node)) return null
  for (const child of node.children) {
    const direction = directionOf(child)
    if (direction) return direction
  }
  return null
}

function directionOfText(text: string): Direction | null {
  const letter = LETTER.exec(text)?.[0]
  if (letter === undefined) return null
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}

/**
 * The `dir` of a container of blocks. `auto` ignores blocks that have a direction of their own, so right-to-left is explicit; without letters
 * it is inherited.
 */
export function dirOf(direction: Direction | null): 'rtl' | 'auto' | undefined {
  if (direction === null) return undefined
  return direction === 'rtl' ? 'rtl' : 'auto'
}
