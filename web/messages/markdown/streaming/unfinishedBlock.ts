import type { List, ListItem, RootContent, Table, TableRow } from 'mdast'

/**
 * A list or table at the end of the text, often most of an answer. Its items or rows but the last are final and are not
 * parsed again.
 */
export type UnfinishedBlock = UnfinishedList | UnfinishedTable

type UnfinishedList = {
  readonly list: List
  readonly items: readonly ListItem[]
  /** Offset of the first item that can still change. */
  readonly from: number
}

type UnfinishedTable = {
  readonly table: Table
  /** With the head. */
  readonly rows: readonly TableRow[]
  /** Offset of the row that can still change. */
  readonly from: number
  /** The first two lines, which make a table of the rows after them. */
  readonly preface: string
}

/** The part of `nodes`, parsed from the text at `base`, that need not be parsed again. */
export function unfinishedBlockIn(
  nodes: readonly RootContent[],
  source: string,
  base: number,
  before: UnfinishedBlock | null,
): UnfinishedBlock | null {
  const [block, more] = nodes
  if (block?.type === 'table') {
    const known = before && 'rows' in before ? before : null
    return more ? known : unfinishedTable(block, source, base, known)
  }
  const known = before && 'items' in before ? before : null
  return more || block?.type !== 'list' ? known : unfinishedList(block, source, base, known)
}

/** The whole block again, and what follows it; null if `nodes` do not continue it after all. */
export function joined(unfinished: UnfinishedBlock, nodes: readonly RootContent[]): readonly RootContent[] | null {
  const [rest, ...others] = nodes
  if ('rows' in unfinished) {
    if (rest?.type !== 'table') return null
    return [{ ...unfinished.table, children: [...unfinished.rows, ...rest.children.slice(1)] }, ...others]
  }
  const { list, items } = unfinished
  if (rest?.type !== 'list' || rest.ordered !== list.ordered) return null
  return [{ ...list, spread: list.spread || rest.spread, children: [...items, ...rest.children] }, ...others]
}

function unfinishedList(
  list: List,
  source: string,
  base: number,
  before: UnfinishedList | null,
): UnfinishedList | null {
  for (let at = list.children.length - 1; at > 0; at -= 1) {
    const start = lineStart(source, list.children[at])
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

function unfinishedTable(
  table: Table,
  source: string,
  base: number,
  before: UnfinishedTable | null,
): UnfinishedTable | null {
  if (table.children.length < 3) return before
  return {
    table: before?.table ?? table,
    rows: [...(before?.rows ?? []), ...table.children.slice(before ? 1 : 0, -1)],
    from: base + lineStart(source, table.children.at(-1)),
    preface: before?.preface ?? firstTwoLines(source, table),
  }
}

function firstTwoLines(source: string, table: Table): string {
  const start = lineStart(source, table)
  const rule = source.indexOf('\n', start) + 1
  return source.slice(start, source.indexOf('\n', rule) + 1)
}

const lineStart = (source: string, node: RootContent | undefined) =>
  source.lastIndexOf('\n', (node?.position?.start.offset ?? 0) - 1) + 1
