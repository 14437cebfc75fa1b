import type {
  Definition,
  FootnoteDefinition,
  FootnoteReference,
  Nodes,
  PhrasingContent,
  RootContent,
  TableRow,
} from 'mdast'
import { type Group, intoGroups } from './blockGroups.ts'
import { plainPieces } from './longLines.ts'
import { parse } from './parse.ts'
import { type Section, sectionsOf } from './sections.ts'
import { sourceText } from './sourceText.ts'

declare module 'mdast' {
  interface FootnoteReference {
    number?: number
  }
  interface FootnoteDefinition {
    number?: number
  }
}

/**
 * Characters of text whose blocks are cached: a message that is shown again, or was just streamed, is not parsed again.
 */
const CACHED = 400_000

/** Rows of a long table that are parsed in one step: about as long as a section takes. */
const ROWS_PER_STEP = 50

const cache = new Map<string, readonly Group[]>()
let cachedLength = 0

/** The blocks of a complete text. */
export function wholeBlocks(text: string): readonly Group[] {
  const steps = prepareBlocks(text)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The same in steps, before it is needed. */
export function* prepareBlocks(text: string): Generator<undefined, readonly Group[]> {
  const known = cache.get(text)
  if (known) return known
  const prepared = sourceText()
  const nodes = yield* parseInSteps(prepared.prepare(text, true))
  prepared.restore(nodes)
  const groups = intoGroups(nodes.map((node, key) => ({ key, node, open: false })))
  keepBlocks(text, groups)
  return groups
}

export function keepBlocks(text: string, groups: readonly Group[]): void {
  if (!cache.has(text)) cachedLength += text.length
  cache.set(text, groups)
  for (const oldest of cache.keys()) {
    if (cachedLength <= CACHED) return
    cache.delete(oldest)
    cachedLength -= oldest.length
  }
}

/** Parses a whole text, a section a step, so that a long one is not one long task. */
export function* parseInSteps(text: string, least?: number): Generator<undefined, readonly RootContent[]> {
  const sections = sectionsOf(text, least)
  if (sections.length > 1) yield
  const parsed: RootContent[][] = []
  const defined: Defined[] = []
  for (const section of sections) {
    const children = section.plain ? plainPieces(section.text) : yield* parseSection(section.text)
    for (const child of children)
      visit(child, node => {
        if (node.type === 'definition' || node.type === 'footnoteDefinition') defined.push(node)
      })
    parsed.push(children)
    yield
  }
  const definitions = defined.filter(node => node.type === 'definition')
  if (sections.length > 1 && defined.length > 0) {
    const lines = definingLines(defined)
    for (const [at, section] of sections.entries()) {
      const preface = section.plain ? '' : prefaceOf(section.text, lines)
      if (preface === '') continue
      parsed[at] = parse(preface + section.text).children.filter(
        ({ position }) => (position?.start.offset ?? 0) >= preface.length,
      )
      yield
    }
  }
  const nodes = joinedLists(parsed, sections)
  if (defined.length > definitions.length) numberFootnotes(nodes)
  return resolveReferences(nodes, definitions)
}

/** The nodes of all sections, with a list that was split as one again. */
function joinedLists(parsed: readonly RootContent[][], sections: readonly Section[]): RootContent[] {
  const nodes: RootContent[] = []
  for (const [at, children] of parsed.entries()) {
    const [first, ...others] = children
    const before = nodes.at(-1)
    if (
      sections[at]?.continues &&
      first?.type === 'list' &&
      before?.type === 'list' &&
      before.ordered === first.ordered
    ) {
      // Its own: the parser made it.
      before.children.push(...first.children)
      before.spread = before.spread === true || first.spread === true
      nodes.push(...others)
    } else nodes.push(...children)
  }
  return nodes
}

/** A long table takes several steps: its rows know nothing of each other. */
function* parseSection(section: string): Generator<undefined, RootContent[]> {
  const pieces = piecesOf(section)
  const rows: TableRow[] = []
  for (const [at, piece] of pieces.entries()) {
    const [table, ...others] = parse(piece).children
    if (pieces.length === 1 || table?.type !== 'table' || others.length > 0) break
    rows.push(...table.children.slice(at === 0 ? 0 : 1))
    if (at === pieces.length - 1) return [{ ...table, children: rows }]
    yield
  }
  return parse(section).children
}

/** A long table as several with the same head; anything else in one piece. */
function piecesOf(section: string): readonly string[] {
  const [head = '', rule = '', ...rows] = section.trimEnd().split('\n')
  if (rows.length <= ROWS_PER_STEP || ![head, rule, ...rows].every(line => line.startsWith('|'))) return [section]
  return Array.from({ length: Math.ceil(rows.length / ROWS_PER_STEP) }, (_, at) =>
    [head, rule, ...rows.slice(at * ROWS_PER_STEP, (at + 1) * ROWS_PER_STEP), ''].join('\n'),
  )
}

type Defined = Definition | FootnoteDefinition

/**
 * For each name a line that defines it as anything: a section must know which names are defined, and is resolved
 * afterwards.
 */
function definingLines(defined: readonly Defined[]): ReadonlyMap<string, string> {
  return new Map(
    defined.map(({ type, identifier, label }) => {
      const name = (label ?? identifier).replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ')
      return type === 'definition' ? [identifier, `[${name}]: x\n`] : [`^${identifier}`, `[^${name}]: x\n\n`]
    }),
  )
}

const NAME = /\[((?:\\[^]|[^\\[\]])+)\]/g

/** Defines only the names that the section contains: thousands of notes would take quadratic time. */
function prefaceOf(section: string, lines: ReadonlyMap<string, string>): string {
  const used = new Set<string>()
  // A quote's marks may stand within a name.
  for (const [, name = ''] of section.replace(/\n[ \t>]*/g, '\n').matchAll(NAME)) {
    // As the parser compares names: ẞ is ss.
    used.add(lines.get(name.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase()) ?? '')
  }
  const preface = [...used].join('')
  // Without the rule an indented line after it would belong to a note.
  return preface && `${preface}\n***\n\n`
}

function visit(node: Nodes, take: (node: Nodes) => void): void {
  take(node)
  if ('children' in node) for (const child of node.children) visit(child, take)
}

/** Makes links and images of `[text][1]` and `![alt][1]`. Changes the nodes. */
export function resolveReferences(nodes: RootContent[], definitions: readonly Definition[]): readonly RootContent[] {
  const known = new Map<string, Definition>()
  // The first one counts, as in CommonMark.
  for (const definition of definitions)
    if (!known.has(definition.identifier)) known.set(definition.identifier, definition)
  if (known.size > 0) for (const node of nodes) resolveIn(node, known)
  return nodes
}

function resolveIn(node: Nodes, known: ReadonlyMap<string, Definition>): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children
  children.forEach((child, at) => {
    resolveIn(child, known)
    children[at] = resolved(child, known)
  })
}

function resolved(node: Nodes, known: ReadonlyMap<string, Definition>): Nodes | PhrasingContent {
  if (node.type !== 'linkReference' && node.type !== 'imageReference') return node
  const definition = known.get(node.identifier)
  if (!definition) return node
  const { url, title } = definition
  const { position } = node
  return node.type === 'linkReference'
    ? { type: 'link', url, title, children: node.children, position }
    : { type: 'image', url, title, alt: node.alt, position }
}

/** Numbers footnotes in the order in which the text refers to them. Changes the nodes. */
function numberFootnotes(nodes: readonly RootContent[]): void {
  const notes: (FootnoteReference | FootnoteDefinition)[] = []
  const numbers = new Map<string, number>()
  const take = (node: Nodes): void => {
    if (node.type === 'footnoteReference' && !numbers.has(node.identifier))
      numbers.set(node.identifier, numbers.size + 1)
    if (node.type === 'footnoteReference' || node.type === 'footnoteDefinition') notes.push(node)
  }
  for (const node of nodes) visit(node, take)
  for (const note of notes) {
    const number = numbers.get(note.identifier)
    if (number !== undefined) note.number = number
  }
}
