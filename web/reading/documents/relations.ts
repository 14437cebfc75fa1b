import type { Archive } from './archive.ts'
import { attributeOf, tokensOf } from './markup.ts'

/** What a part of an Office file refers to: by id, the part and what it is to this one. */
export type Relation = { path: string; type: string }

export async function relationsOf(archive: Archive, path: string): Promise<Map<string, Relation>> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const relations = new Map<string, Relation>()
  for (const token of tokensOf(await archive.text(`${folder}_rels/${path.slice(folder.length)}.rels`))) {
    if (token.kind !== 'open' || token.name !== 'Relationship') continue
    const target = attributeOf(token, 'Target') ?? ''
    const type = attributeOf(token, 'Type') ?? ''
    relations.set(attributeOf(token, 'Id') ?? '', {
      path: resolved(folder, target),
      type: type.split('/').at(-1) ?? '',
    })
  }
  return relations
}

/** The path that a reference within an archive leads to. */
export function resolved(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').filter(part => part !== '')
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
