import type { Definition, FootnoteDefinition, Nodes, RootContent, TableRow } from 'mdast'
import { numberNotes } from './footnotes.ts'
import { parse } from './parse.ts'
import { resolveReferences } from './references.ts'
import { sectionsOf } from './sections.ts'

/** Rows of a table in a step: as long as other sections take. */
const ROWS = 50

type Anchor = Definition | FootnoteDefinition

/** Parses a whole text, a section a step, so that a long one need not be one long piece of work. */
export function* parseWhole(text: string, least?: number): Generator<undefined, readonly RootContent[]> {
  const sections = sectionsOf(text, least)
  const parsed: RootContent[][] = []
  const anchors: Anchor[] = []
  for (const section of sections) {
    const children = yield* parseSection(section)
    for (const child of children) collect(child, anchors)
    parsed.push(children)
    yield
  }
  const definitions = anchors.filter(anchor => anchor.type === 'definition')
  if (sections.length > 1 && anchors.length > 0) {
    const lines = definingLines(anchors)
    for (const [at, section] of sections.entries()) {
      const preface = prefaceOf(section, lines)
      if (preface === '') continue
      parsed[at] = parse(preface + section).children.filter(
        ({ position }) => (position?.start.offset ?? 0) >= preface.length,
      )
      yield
    }
  }
  const nodes = parsed.flat()
  if (anchors.length > definitions.length) numberNotes(nodes)
  return resolveReferences(nodes, definitions)
}

/** The same as to parse it at once; the rows of a long table, which know nothing of each other, so many a step. */
function* parseSection(section: string): Generator<undefined, RootContent[]> {
  const slices = slicesOf(section)
  const rows: TableRow[] = []
  for (const [at, slice] of slices.entries()) {
    const [table, ...others] = parse(slice).children
    if (slices.length === 1 || table?.type !== 'table' || others.length > 0) break
    rows.push(...table.children.slice(at === 0 ? 0 : 1))
    if (at === slices.length - 1) return [{ ...table, children: rows }]
    yield
  }
  return parse(section).children
}

/** A long table as several with the same head; anything else as it is. */
function slicesOf(section: string): readonly string[] {
  const [head = '', rule = '', ...rows] = section.trimEnd().split('\n')
  if (rows.length <= ROWS || ![head, rule, ...rows].every(line => line.startsWith('|'))) return [section]
  return Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, at) =>
    [head, rule, ...rows.slice(at * ROWS, (at + 1) * ROWS), ''].join('\n'),
  )
}

/** The names only, each with a line that defines it: a section must know that they are defined; by what is looked up afterwards. */
function definingLines(anchors: readonly Anchor[]): ReadonlyMap<string, string> {
  return new Map(
    anchors.map(({ type, identifier, label }) => {
      const name = (label ?? identifier).replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ')
      return type === 'definition' ? [identifier, `[${name}]: x\n`] : [`^${identifier}`, `[^${name}]: x\n\n`]
    }),
  )
}

const NAME = /\[((?:\\[^]|[^\\[\]])+)\]/g

/** Only the names that the section contains, or thousands of notes would take quadratic time. */
function prefaceOf(section: string, lines: ReadonlyMap<string, string>): string {
  const defined = new Set<string>()
  // A quote's marks may stand within a name.
  for (const [, name = ''] of section.replace(/\n[ \t>]*/g, '\n').matchAll(NAME)) {
    // As the parser compares names: ẞ is ss.
    defined.add(lines.get(name.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase()) ?? '')
  }
  const preface = [...defined].join('')
  // The rule, for an indented line behind it not to belong to a note.
  return preface && `${preface}\n***\n\n`
}

function collect(node: Nodes, anchors: Anchor[]): void {
  if (node.type === 'definition' || node.type === 'footnoteDefinition') anchors.push(node)
  if ('children' in node) for (const child of node.children) collect(child, anchors)
}
