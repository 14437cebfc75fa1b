import type { Nodes, RootContent } from 'mdast'
import remend, { isWithinCodeBlock } from 'remend'
import { environmentIn } from '../math/blockMath.ts'
import { exceedsLimits } from '../parseLimits.ts'
import { maskMarks } from '../maskedMarks.ts'
import { parse } from '../parse.ts'

const OPTIONS = { linkMode: 'text-only', comparisonOperators: false, singleTilde: false } as const
const OPENING = /(\\+)([([])/g

/** Nodes and the offset, as the last of them counts it, at which what was received ends; null when that cannot be said. */
export type Healed = { readonly nodes: readonly RootContent[]; readonly end: number | null }

/** The unfinished blocks as they should look now. `source` starts with the last of `nodes`' first line, at `start` of the parsed text. */
export function closeOpenMarks(source: string, nodes: readonly RootContent[], start: number): Healed {
  const last = nodes.at(-1)
  const end = start + source.length
  if (!last?.position || last.type === 'code' || last.type === 'html' || last.type === 'definition')
    return { nodes, end }
  const lastSource = source.slice(source.lastIndexOf('\n', (last.position.start.offset ?? 0) - start - 1) + 1)
  // What is shown as it is has nothing to close.
  if (exceedsLimits(lastSource)) return { nodes, end }
  if (last.type === 'mathematics')
    return { nodes: [...nodes.slice(0, -1), { ...last, pending: !isClosed(lastSource) }], end }
  // What closes something is sought where the parser would find it.
  const masked = maskMarks(lastSource, false)
  const whole = healBlock(last, masked)
  if (whole === masked) return { nodes, end }
  const { children } = parse(whole, false)
  const added = children.at(-1)
  // A mark that was to close something, but opens a formula, is none of the text's.
  if (added?.type === 'mathematics' && (added.position?.start.offset ?? 0) >= lastSource.length) return { nodes, end }
  for (const child of children) markPending(child, lastSource.length)
  return { nodes: [...nodes.slice(0, -1), ...children], end: whole.startsWith(masked) ? lastSource.length : null }
}

function healBlock(block: RootContent, source: string): string {
  if (block.type !== 'table' || block.children.length === 1) return withTableRule(heal(source))
  // What is open in a row ends with it, so the rows before the last are as they will be.
  const lastRow = source.lastIndexOf('\n') + 1
  return source.slice(0, lastRow) + heal(source.slice(lastRow))
}

/** The text of an unfinished block or row with its open marks closed, so that half a `**word` shows as bold and not as stars. */
function heal(source: string): string {
  const closer = missingBracket(source)
  // Behind a mark with nothing in it, another is no end of a formula.
  return closer === null ? remend(source, { ...OPTIONS, katex: !/\$\$\s*$/.test(source) }) : source + closer
}

function isClosed(source: string): boolean {
  const environment = environmentIn(source.trimStart().split('\n', 1)[0] ?? '')
  return environment === null
    ? /\S\s*(?:\$\$|\\\])\s*$/.test(source)
    : source.trimEnd().endsWith(`\\end{${environment}}`)
}

/** A formula that reaches beyond what was received was closed by us: it is shown as source, since half a formula is an error. */
function markPending(node: Nodes, received: number): void {
  if (node.type === 'mathematics') node.pending = (node.position?.end.offset ?? 0) > received
  if ('children' in node) for (const child of node.children) markPending(child, received)
}

/** `\)` or `\]` if the last such formula is still open; its inside is not Markdown and is left alone. */
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

/** A table's head, shown as one before the line of dashes that makes it one has arrived. */
function withTableRule(source: string): string {
  const [head = '', rule, more] = source.split('\n', 3)
  if (!head.startsWith('|') || more !== undefined || (rule && !/^\|?[ :|-]*$/.test(rule))) return source
  const columns = head.trim().replace(/\|$/, '').split('|').length - 1
  return columns > 1 && (rule !== undefined || head.trimEnd().endsWith('|'))
    ? `${head}\n${'|-'.repeat(columns)}|`
    : source
}
