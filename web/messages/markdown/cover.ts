import type { Nodes } from 'mdast'
import { barsCovered } from './coverBars.ts'
import { fencesCovered } from './coverFences.ts'

/** They stand for characters that the parser must not see. No text has them: they are no characters (normalised.ts). */
export const COVERS = { '|': '\uFDD0', '`': '\uFDD1', '~': '\uFDD2' } as const

const COVER = /[\uFDD0-\uFDD2]/g
const COVERED: ReadonlyMap<string, string> = new Map(
  Object.entries(COVERS).map(([character, cover]) => [cover, character]),
)

/**
 * The same number of characters, without the marks that would end what they stand in: bars in the code and the formulas of a table,
 * fences in a fence of Markdown. `complete` says that nothing comes behind it any more.
 */
export function cover(source: string, complete: boolean): string {
  return barsCovered(fencesCovered(source, complete))
}

/** Puts them back into the tree that was made of it. */
export function uncover(root: Nodes, covered: string): void {
  if (covered.search(COVER) !== -1) inNode(root)
}

function inNode(node: Nodes): void {
  for (const [key, value] of Object.entries(node)) {
    // Whatever is a text in a node is a text of the source.
    if (typeof value === 'string' && value.search(COVER) !== -1) Object.assign(node, { [key]: uncovered(value) })
  }
  if ('children' in node) for (const child of node.children) inNode(child)
}

export const uncovered = (text: string) => text.replaceAll(COVER, character => COVERED.get(character) ?? character)
