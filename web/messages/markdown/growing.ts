import type { RootContent } from 'mdast'
import { continuedList, type GrowingList, growingListIn } from './growingList.ts'
import { continuedTable, type GrowingTable, growingTableIn } from './growingTable.ts'

/** A long block at the end of the text, of which all but the last parts are final. */
export type Growing = GrowingList | GrowingTable

/** What of `nodes`, parsed from the text at `base`, need not be parsed again. */
export function growingIn(
  nodes: readonly RootContent[],
  source: string,
  base: number,
  before: Growing | null,
): Growing | null {
  return nodes[0]?.type === 'table'
    ? growingTableIn(nodes, source, base, before && 'rows' in before ? before : null)
    : growingListIn(nodes, source, base, before && 'items' in before ? before : null)
}

/** The whole block again, and what follows it; null if what was parsed is not its continuation after all. */
export function continued(growing: Growing, nodes: readonly RootContent[]): readonly RootContent[] | null {
  return 'rows' in growing ? continuedTable(growing, nodes) : continuedList(growing, nodes)
}
