import type { Nodes, RootContent } from 'mdast'

/** A top-level block of a message. It stays the same object as long as its content does. */
export type Block = { readonly key: number; readonly node: RootContent; readonly open: boolean }

/** Blocks in one box, which the browser need not lay out while it is out of sight. */
export type Group = readonly Block[]

const BLOCKS_PER_GROUP = 4

/** Selects the boxes of groups. */
export const BOX = '[data-box]'

/**
 * Where the group that starts at `from` ends; null while it may still grow. A heading is never the last of its group.
 */
export function groupEnd(blocks: readonly Block[], from: number): number | null {
  for (let end = from + BLOCKS_PER_GROUP; end <= blocks.length; end += 1) {
    if (blocks[end - 1]?.node.type !== 'heading') return end
  }
  return null
}

export function intoGroups(blocks: readonly Block[]): Group[] {
  const groups: Group[] = []
  let from = 0
  for (let end = groupEnd(blocks, from); end !== null; end = groupEnd(blocks, from)) {
    groups.push(blocks.slice(from, end))
    from = end
  }
  if (from < blocks.length) groups.push(blocks.slice(from))
  return groups
}

/** Pixels, as in the style sheets of text, code and tables. */
const LINE = 28
const BETWEEN = 14
const CODE = { line: 22, around: 54 }
const ROW = 42
const FORMULA = 70
const PICTURE = 240

/** Pixels that a text is likely to be wide on this screen. */
export const LIKELY_WIDTH = Math.min(globalThis.screen?.width || 1440, 800) - 40

/** Letters in a line; a Chinese one counts as two. */
const LETTERS_PER_LINE = Math.max(20, LIKELY_WIDTH / 7.5)

/** An estimate of a group's height in pixels, for a box that has not been laid out yet. */
export function likelyHeight(group: Group): number {
  return Math.round(stacked(group.map(({ node }) => node)))
}

/** At least a line: an empty list item is one. */
function stacked(nodes: readonly Nodes[]): number {
  return Math.max(
    LINE,
    nodes.reduce((sum, node) => sum + heightOf(node) + BETWEEN, -BETWEEN),
  )
}

function heightOf(node: Nodes): number {
  switch (node.type) {
    case 'code':
      return CODE.around + CODE.line * node.value.split('\n').length
    case 'table':
      return ROW * node.children.length
    case 'mathematics':
      return FORMULA
    case 'list':
      return node.children.reduce((sum, item) => sum + stacked(item.children) + (node.spread ? BETWEEN : 5), -5)
    case 'blockquote':
      return stacked(node.children)
    default:
      return LINE * Math.ceil(lengthOf(node) / LETTERS_PER_LINE)
  }
}

const WIDE = /[\u2e80-\uffef]/g

function lengthOf(node: Nodes): number {
  if (node.type === 'image') return (LETTERS_PER_LINE * PICTURE) / LINE
  if ('children' in node) return node.children.reduce((sum, child) => sum + lengthOf(child), 0)
  return 'value' in node ? node.value.length + (node.value.match(WIDE)?.length ?? 0) : 0
}
