/** Of HTML these are made, and only these; what is written as any other is text. */
export type TagName = 'sub' | 'sup' | 'kbd' | 'mark' | 'u' | 'details' | 'summary'

export type Tag = { readonly name: TagName; readonly closes: boolean; readonly open: boolean }

const TAG = /^<(\/?)(sub|sup|kbd|mark|u|details|summary)(\s[^<>]*)?>$/i
const INLINE = new Set<TagName>(['sub', 'sup', 'kbd', 'mark', 'u'])

/** Elements in each other; nobody writes more. */
const DEEPEST = 20

/** The tag that a piece of HTML is; its attributes are nobody's business, but whether details are shown. */
export function tagOf(html: string): Tag | null {
  const [, slash, written, attributes = ''] = TAG.exec(html) ?? []
  // The expression has no others.
  const name = written?.toLowerCase() as TagName | undefined
  return name === undefined
    ? null
    : { name, closes: slash === '/', open: name === 'details' && /\sopen(?=[\s=]|$)/i.test(attributes) }
}

/**
 * Which tags are a pair, each by the place of its opening one. Those that cross each other or have no counterpart are none; where the text
 * still grows, one that is open ends with it.
 */
export function pairsOf(tags: readonly (Tag | null)[], grows: boolean, inBlock: boolean): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  const open: { at: number; name: TagName }[] = []
  const pair = (at: number, depth: number, end: number) => {
    if (depth < DEEPEST) pairs.set(at, end)
  }
  for (const [at, tag] of tags.entries()) {
    if (tag === null || !(inBlock || INLINE.has(tag.name))) continue
    if (!tag.closes) {
      if (fits(tag.name, open.at(-1)?.name)) open.push({ at, name: tag.name })
      continue
    }
    const opening = open.slice(-DEEPEST).findLastIndex(({ name }) => name === tag.name)
    if (opening === -1) continue
    const depth = Math.max(0, open.length - DEEPEST) + opening
    pair(open[depth]?.at ?? 0, depth, at)
    open.length = depth
  }
  if (grows) for (const [depth, { at }] of open.entries()) pair(at, depth, tags.length)
  removeSummariesAlone(tags, pairs)
  return pairs
}

/** Of details that end elsewhere, as behind a blank line, nothing is made, and so nothing of their summary. */
function removeSummariesAlone(tags: readonly (Tag | null)[], pairs: Map<number, number>): void {
  let detailsEnd = 0
  for (const [at, tag] of tags.entries()) {
    if (tag?.name === 'details') detailsEnd = Math.max(detailsEnd, pairs.get(at) ?? 0)
    if (tag?.name === 'summary' && at > detailsEnd) pairs.delete(at)
  }
}

/** A summary is one of details, and these stand in nothing but each other. */
function fits(name: TagName, parent: TagName | undefined): boolean {
  if (name === 'summary') return parent === 'details'
  return name !== 'details' || parent === undefined || parent === 'details'
}
