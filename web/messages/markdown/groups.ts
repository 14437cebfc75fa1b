import type { RootContent } from 'mdast'

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
