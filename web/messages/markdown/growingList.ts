import type { List, ListItem, RootContent } from 'mdast'

/** A list at the end of the text, often most of an answer: its items but the last few are final and are not parsed again. */
export type GrowingList = {
  readonly list: List
  readonly items: readonly ListItem[]
  /** Where the first item that can still change starts in the text. */
  readonly from: number
}

/** What of `nodes`, parsed from the text at `base`, need not be parsed again. */
export function growingListIn(
  nodes: readonly RootContent[],
  source: string,
  base: number,
  before: GrowingList | null,
): GrowingList | null {
  const [list, more] = nodes
  if (more || list?.type !== 'list') return before
  for (let at = list.children.length - 1; at > 0; at -= 1) {
    const start = source.lastIndexOf('\n', (list.children[at]?.position?.start.offset ?? 0) - 1) + 1
    // An item's first line must be complete: `- -` is a list in a list, and `- - -` is a rule.
    if (!source.includes('\n', start)) continue
    const spread = list.spread || before?.list.spread
    return {
      list: { ...(before?.list ?? list), spread },
      items: [...(before?.items ?? []), ...list.children.slice(0, at)],
      from: base + start,
    }
  }
  return before
}

/** The whole list again; null if what follows is not its continuation after all. */
export function continuedList(growing: GrowingList, nodes: readonly RootContent[]): readonly RootContent[] | null {
  const [rest, ...others] = nodes
  if (rest?.type !== 'list' || rest.ordered !== growing.list.ordered) return null
  const spread = growing.list.spread || rest.spread
  return [{ ...growing.list, spread, children: [...growing.items, ...rest.children] }, ...others]
}
