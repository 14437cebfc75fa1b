import type { Archive } from './archive.ts'
import { attributeOf, tokensOf } from './markup.ts'

/** By the id of a list, whether each level of it is numbered. */
export type WordLists = ReadonlyMap<string, readonly boolean[]>

/** By the id of a style, the level of its heading: its own, or that of the style it is based on. */
export async function readStyles(archive: Archive): Promise<Map<string, number>> {
  const levels = new Map<string, number>()
  const bases = new Map<string, string>()
  let id = ''
  for (const token of tokensOf(await archive.text('word/styles.xml'))) {
    if (token.kind !== 'open') continue
    const value = attributeOf(token, 'val') ?? ''
    if (token.name === 'style') id = attributeOf(token, 'styleId') ?? ''
    else if (token.name === 'basedOn') bases.set(id, value)
    else if (token.name === 'outlineLvl' && Number(value) < 9) levels.set(id, Number(value) + 1)
    else if (token.name === 'name') {
      // Word stores the built-in names in English, whatever its language is.
      const level = /^heading (\d)$/i.exec(value)?.[1] ?? (/^title$/i.test(value) ? '1' : undefined)
      if (level !== undefined) levels.set(id, Number(level))
    }
  }
  for (const style of bases.keys()) {
    const level = inherited(style, levels, bases)
    if (level !== undefined) levels.set(style, level)
  }
  return levels
}

/** A chain of styles may be a ring in a broken file. */
const MAX_CHAIN = 20

function inherited(
  style: string,
  levels: ReadonlyMap<string, number>,
  bases: ReadonlyMap<string, string>,
): number | undefined {
  let current: string | undefined = style
  for (let step = 0; step < MAX_CHAIN && current !== undefined; step++) {
    const level = levels.get(current)
    if (level !== undefined) return level
    current = bases.get(current)
  }
  return undefined
}

export async function readNumbering(archive: Archive): Promise<WordLists> {
  const levels = new Map<string, boolean[]>()
  const lists = new Map<string, boolean[]>()
  let id = ''
  let list = ''
  let level = 0
  for (const token of tokensOf(await archive.text('word/numbering.xml'))) {
    if (token.kind !== 'open') continue
    if (token.name === 'abstractNum') id = attributeOf(token, 'abstractNumId') ?? ''
    else if (token.name === 'lvl') level = Math.min(Number(attributeOf(token, 'ilvl')) || 0, 8)
    else if (token.name === 'numFmt') {
      const numbered = levels.get(id) ?? []
      numbered[level] = !['bullet', 'none'].includes(attributeOf(token, 'val') ?? '')
      levels.set(id, numbered)
    } else if (token.name === 'num') list = attributeOf(token, 'numId') ?? ''
    else if (token.name === 'abstractNumId') lists.set(list, levels.get(attributeOf(token, 'val') ?? '') ?? [])
  }
  return lists
}
