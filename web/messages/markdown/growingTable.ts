import type { RootContent, Table, TableRow } from 'mdast'

/** A table at the end of the text: its rows but the last are final and are not parsed again. */
export type GrowingTable = {
  readonly table: Table
  /** The head first. */
  readonly rows: readonly TableRow[]
  /** Where the row that can still change starts in the text. */
  readonly from: number
  /** The lines that make a table of the rows behind them. */
  readonly preface: string
}

/** What of `nodes`, parsed from the text at `base`, need not be parsed again. */
export function growingTableIn(
  nodes: readonly RootContent[],
  source: string,
  base: number,
  before: GrowingTable | null,
): GrowingTable | null {
  const [table, more] = nodes
  if (more || table?.type !== 'table' || table.children.length < 3) return before
  const lastRow = table.children.at(-1)
  const start = source.lastIndexOf('\n', (lastRow?.position?.start.offset ?? 0) - 1) + 1
  const final = table.children.slice(before ? 1 : 0, -1)
  return {
    table: before?.table ?? table,
    rows: [...(before?.rows ?? []), ...final],
    from: base + start,
    preface: before?.preface ?? headIn(source, table),
  }
}

/** The whole table again; null if what follows is not its continuation after all. */
export function continuedTable(
  { table, rows }: GrowingTable,
  nodes: readonly RootContent[],
): readonly RootContent[] | null {
  const [rest, ...others] = nodes
  if (rest?.type !== 'table') return null
  return [{ ...table, children: [...rows, ...rest.children.slice(1)] }, ...others]
}

/** Its first two lines. */
function headIn(source: string, { position }: Table): string {
  const start = source.lastIndexOf('\n', (position?.start.offset ?? 0) - 1) + 1
  const rule = source.indexOf('\n', start) + 1
  return source.slice(start, source.indexOf('\n', rule) + 1)
}
