import type { RootContent, Nodes } from 'mdast'

/** One top-level piece of a message. The object stays the same as long as its content does. */
export type Block = { readonly key: number; readonly node: RootContent; readonly open: boolean }

/** Blocks drawn in one box, which the browser may skip as a whole while it is out of sight. */
export type Group = readonly Block[]

const GROUP = 4

/** The box of a group, as it is found in the page. */
export const BOX = '[data-box]'

/** Where the group that starts at `from` ends; null while it may still grow. A heading stays with what it heads. */
export function groupEnd(blocks: readonly Block[], from: number): number | null {
  for (let end = from + GROUP; end <= blocks.length; end += 1) {
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

/** Pixels, as in markdown.module.css and those of code and tables. */
const LINE = 28
const BETWEEN = 14
const CODE = { line: 22, around: 54 }
const ROW = 42
const FORMULA = 70
const PICTURE = 240

/** Letters that fit into a line as wide as a screen allows; one of Chinese takes the place of two. */
const IN_LINE = Math.max(20, (Math.min(globalThis.screen?.width || 1440, 800) - 40) / 7.5)

/** Pixels that a box of blocks will take, near enough for what has not been laid out yet. It is never asked of a box that grows. */
export function likelyHeight(group: Group): number {
  return Math.round(stacked(group.map(({ node }) => node)))
}

/** Nothing is less than a line: an empty point of a list is one. */
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
      return LINE * Math.ceil(lengthOf(node) / IN_LINE)
  }
}

const WIDE = /[\u2e80-\uffef]/g

function lengthOf(node: Nodes): number {
  if (node.type === 'image') return (IN_LINE * PICTURE) / LINE
  if ('children' in node) return node.children.reduce((sum, child) => sum + lengthOf(child), 0)
  return 'value' in node ? node.value.length + (node.value.match(WIDE)?.length ?? 0) : 0
}
