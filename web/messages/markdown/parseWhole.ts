import type { Definition, FootnoteDefinition, Nodes, RootContent } from 'mdast'
import { numberNotes } from './footnotes.ts'
import { parse } from './parse.ts'
import { resolveReferences } from './references.ts'
import { sectionsOf } from './sections.ts'

type Anchor = Definition | FootnoteDefinition

/** Parses a whole text, a section a step, so that a long one need not be one long piece of work. */
export function* parseWhole(text: string, least?: number): Generator<undefined, readonly RootContent[]> {
  const sections = sectionsOf(text, least)
  const parsed: RootContent[][] = []
  const anchors: Anchor[] = []
  for (const section of sections) {
    const { children } = parse(section)
    for (const child of children) collect(child, anchors)
    parsed.push(children)
    yield
  }
  const definitions = anchors.filter(anchor => anchor.type === 'definition')
  if (sections.length > 1 && anchors.length > 0) {
    const preface = prefaceOf(anchors)
    for (const [at, section] of sections.entries()) {
      if (!section.includes('[')) continue
      parsed[at] = parse(preface + section).children.filter(({ position }) => (position?.start.offset ?? 0) >= preface.length)
      yield
    }
  }
  const nodes = parsed.flat()
  if (anchors.length > definitions.length) numberNotes(nodes)
  return resolveReferences(nodes, definitions)
}

/** The names only: a section must know that they are defined; by what is looked up afterwards. */
function prefaceOf(anchors: readonly Anchor[]): string {
  const lines = new Set(anchors.map(({ type, identifier, label }) => {
    const name = (label ?? identifier).replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ')
    return type === 'definition' ? `[${name}]: x` : `[^${name}]: x\n`
  }))
  return `${[...lines].join('\n')}\n\n`
}

function collect(node: Nodes, anchors: Anchor[]): void {
  if (node.type === 'definition' || node.type === 'footnoteDefinition') anchors.push(node)
  if ('children' in node) for (const child of node.children) collect(child, anchors)
}
