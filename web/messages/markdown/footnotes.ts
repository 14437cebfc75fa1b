import type { FootnoteDefinition, FootnoteReference, Nodes, RootContent } from 'mdast'

declare module 'mdast' {
  interface FootnoteReference {
    number?: number
  }
  interface FootnoteDefinition {
    number?: number
  }
}

/** Gives the notes at the foot their numbers, in the order in which the text comes to them, whatever they are called. Changes the nodes. */
export function numberNotes(nodes: readonly RootContent[]): void {
  const references: FootnoteReference[] = []
  const definitions: FootnoteDefinition[] = []
  for (const node of nodes) collect(node, references, definitions)
  const numbers = new Map<string, number>()
  for (const { identifier } of references) if (!numbers.has(identifier)) numbers.set(identifier, numbers.size + 1)
  for (const note of [...references, ...definitions]) {
    const number = numbers.get(note.identifier)
    if (number !== undefined) note.number = number
  }
}

function collect(node: Nodes, references: FootnoteReference[], definitions: FootnoteDefinition[]): void {
  if (node.type === 'footnoteReference') references.push(node)
  if (node.type === 'footnoteDefinition') definitions.push(node)
  if ('children' in node) for (const child of node.children) collect(child, references, definitions)
}
