import type { List, Nodes, RootContent } from 'mdast'
import remend, { isWithinCodeBlock } from 'remend'
import { environmentIn } from '../math/blockMath.ts'
import { exceedsLimits, parse } from '../parser/parse.ts'
import { maskMarks } from '../parser/maskedMarks.ts'

const OPTIONS = { linkMode: 'text-only', comparisonOperators: false, singleTilde: false } as const
const OPENING = /(\\+)([([])/g

/** Nodes, and the offset at which the received text ends by the last node's positions; null when it is unknown. */
type Closed = { readonly nodes: readonly RootContent[]; readonly end: number | null }

/**
 * The blocks with the open marks of the last one closed, so that half a `**word` is bold. `source` starts at `start` of
 * the parsed text.
 */
export function closeOpenMarks(source: string, nodes: readonly RootContent[], start: number): Closed {
  const last = nodes.at(-1)
  const end = start + source.length
  if (
    !last?.position ||
    last.type === 'code' ||
    last.type === 'html' ||
    last.type === 'definition' ||
    last.type === 'fold'
  )
    return { nodes, end }
  const from = (last.position.start.offset ?? 0) - start
  const lineStart = source.lastIndexOf('\n', from - 1) + 1
  // Behind the end of another block on the same line.
  const isBehind = (nodes.at(-2)?.position?.end.offset ?? 0) - start > lineStart
  const lastSource = source.slice(isBehind ? from : lineStart)
  // Shown as plain text.
  if (exceedsLimits(lastSource)) return { nodes, end }
  if (last.type === 'mathematics')
    return { nodes: [...nodes.slice(0, -1), { ...last, pending: !isClosed(lastSource) }], end }
  // Masked as the parser will see it.
  const masked = maskMarks(lastSource, false)
  const whole = closeMarksOf(last, masked, end - lastSource.length)
  if (whole === masked) return { nodes, end }
  const { children } = parse(whole, false)
  const added = children.at(-1)
  // The added mark opened a formula instead of closing one.
  if (added?.type === 'mathematics' && (added.position?.start.offset ?? 0) >= lastSource.length) return { nodes, end }
  for (const child of children) markPending(child, lastSource.length)
  return {
    nodes: [...nodes.slice(0, -1), ...withFinalItemsOf(last, children)],
    end: whole.startsWith(masked) ? lastSource.length : null,
  }
}

/** The list that was parsed again, with all items but its last as the same objects as before: they did not change. */
function withFinalItemsOf(before: RootContent, nodes: readonly RootContent[]): readonly RootContent[] {
  const [list, ...others] = nodes
  if (before.type !== 'list' || list?.type !== 'list' || list.children.length !== before.children.length) return nodes
  return [{ ...list, children: [...before.children.slice(0, -1), ...list.children.slice(-1)] }, ...others]
}

/** `start` is the offset of the block's source by its positions. */
function closeMarksOf(block: RootContent, source: string, start: number): string {
  const from = block.type === 'list' ? lastBlockOf(block, source, start) : lastRowOf(block, source)
  return from === null ? withTableRule(closeMarks(source)) : source.slice(0, from) + closeMarks(source.slice(from))
}

/**
 * The last row: an open mark ends with its row, so earlier rows are final. Null for a head alone, and for other blocks.
 */
function lastRowOf(block: RootContent, source: string): number | null {
  return block.type === 'table' && block.children.length > 1 ? source.lastIndexOf('\n') + 1 : null
}

/**
 * The line on which the last block of a list begins: an open mark ends with its block, so what stands before is final.
 */
function lastBlockOf(list: List, source: string, start: number): number {
  let last: Nodes = list
  while (last.type === 'list' || last.type === 'listItem') {
    const child: Nodes | undefined = last.children.at(-1)
    if (!child) break
    last = child
  }
  return source.lastIndexOf('\n', (last.position?.start.offset ?? 0) - start - 1) + 1
}

/** The text of a block or row with its open marks closed. */
function closeMarks(source: string): string {
  const closer = missingBracket(source)
  // An opening `$$` without content gets no closing one.
  return closer === null ? remend(source, { ...OPTIONS, katex: !/\$\$\s*$/.test(source) }) : source + closer
}

function isClosed(source: string): boolean {
  const environment = environmentIn(source.trimStart().split('\n', 1)[0] ?? '')
  return environment === null
    ? /\S\s*(?:\$\$|\\\])\s*$/.test(source)
    : source.trimEnd().endsWith(`\\end{${environment}}`)
}

/** Half a formula is an error, so one that ends beyond the received text is shown as source. */
function markPending(node: Nodes, received: number): void {
  if (node.type === 'mathematics') node.pending = (node.position?.end.offset ?? 0) > received
  if ('children' in node) for (const child of node.children) markPending(child, received)
}

/** `\)` or `\]` if the last such formula is open. Its content is not Markdown and stays as it is. */
function missingBracket(source: string): string | null {
  let open = -1
  let closer = ''
  for (const match of source.matchAll(OPENING)) {
    const [, slashes = '', bracket] = match
    if (slashes.length % 2 === 0) continue
    open = match.index + slashes.length - 1
    closer = bracket === '(' ? '\\)' : '\\]'
  }
  if (open === -1 || source.includes(closer, open) || source.includes('\n\n', open)) return null
  const lineStart = source.lastIndexOf('\n', open) + 1
  const ticksBefore = source.slice(lineStart, open).split('`').length - 1
  return ticksBefore % 2 === 1 || isWithinCodeBlock(source, open) ? null : closer
}

/** Adds the delimiter row under a table's head before it has arrived. */
function withTableRule(source: string): string {
  const [head = '', rule, more] = source.split('\n', 3)
  if (!head.startsWith('|') || more !== undefined || (rule && !/^\|?[ :|-]*$/.test(rule))) return source
  const columns = head.trim().replace(/\|$/, '').split('|').length - 1
  return columns > 1 && (rule !== undefined || head.trimEnd().endsWith('|'))
    ? `${head}\n${'|-'.repeat(columns)}|`
    : source
}
