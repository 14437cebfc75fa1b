import { Citation } from '#contract/messages.ts'
import { safeLink } from '#web/messages/markdown/safeUrl.ts'
import { type Citations, inCharacters } from './foreignMessages.ts'
import { linkText } from './markdownText.ts'
import { jsonFrom, type Raw, rawAt, rawsAt, someTextAt, textAt } from './rawValues.ts'

type Cited = { text: string; citations: Citations }

/**
 * A mark stands for a source, a name, a link or a picture: U+E200, its kind, U+E202 before each argument, U+E201. One that was cut off has
 * no end. Older texts have 【3†source】.
 */
const MARK =
  /\uE200[^\uE200\uE201]*\uE201|\uE200[a-z_]\w*(?:\uE202[^\s\uE200-\uE2FF]*)*|\u3010[^\u3010\u3011\u2020\n]{0,100}\u2020[^\u3010\u3011\n]{0,100}\u3011/g
/** The private characters of marks. Some tools lose them on the way. */
const PRIVATE = /[\uE200-\uE2FF]/g
const USES_MARKS = /[\uE200-\uE206]/
const SOURCES = /^(?:file|mem|container|nav)?cite$/
const LINKS = /^(?:url|link|link_title)$/
/** Ids of search results, such as turn0search3. */
const RESULT_IDS = /^(?:turn\d+[a-z_]+\d+[,\s]*)+$/

/** The text without marks, and the sources at the positions where they stood. Older exports have the positions in their metadata. */
export function citedFrom(text: string, metadata: Raw): Cited {
  const references = referencesIn(metadata)
  const older = rawsAt(metadata, 'citations').flatMap(each => Citation.safeParse(each).data ?? [])
  const { text: plain, citations } = replaceMarks(text, references)
  // These positions are right only in the unchanged text.
  const isSame = plain === text && citations.length === 0
  const cited = new Set([...citations, ...(isSame ? older : [])].map(({ metadata: page }) => page?.url))
  const end = plain.trimEnd().length
  const atEnd = [...(isSame ? [] : older.map(each => each.metadata)), ...references.footnote]
    .filter(page => page?.url != null && !cited.has(page.url) && cited.add(page.url))
    .map(page => ({ start_ix: end, end_ix: end, metadata: page }))
  return { text: plain, citations: [...(isSame ? older : []), ...inCharacters(plain, [...citations, ...atEnd])] }
}

/** For texts that are no answer: names and links stay, sources are removed. */
export function withoutMarks(text: string): string {
  return USES_MARKS.test(text) ? replaceMarks(text, referencesIn({})).text : text
}

function replaceMarks(text: string, references: References): Cited {
  const plain = USES_MARKS.test(text) ? withoutPrivate : (piece: string) => piece
  const citations: Citations = []
  const pieces: string[] = []
  let length = 0
  let from = 0
  const add = (piece: string) => {
    pieces.push(piece)
    length += piece.length
  }
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    const reference = references.byMark(mark)
    // The page replaces older marks itself, by the citations of the message.
    if (mark.startsWith('\u3010') && (reference === undefined || pagesIn(reference).length === 0)) continue
    const before = plain(text.slice(from, index))
    from = index + mark.length
    const { words, pages } = meaningOf(mark, reference, references)
    const next = text.charAt(from)
    add(words === '' && endsClause(next) ? before.trimEnd() + (/\n\s*$/.exec(before)?.[0] ?? '') : before)
    // A space after a removed mark is removed at the beginning of a line and before punctuation.
    if (words === '' && next === ' ' && (length === 0 || (pieces.at(-1) ?? '').endsWith('\n'))) from += 1
    add(words)
    for (const page of pages) citations.push({ start_ix: length, end_ix: length, metadata: page })
  }
  add(plain(text.slice(from)))
  return { text: pieces.join(''), citations }
}

/** Whether this character follows a word without a space. */
function endsClause(next: string): boolean {
  return next === '' || /[\s.,;:!?)\uE200\u3001\u3002\uFF0C]/.test(next)
}

type Meaning = { words: string; pages: readonly Page[] }

function meaningOf(mark: string, reference: Raw | undefined, references: References): Meaning {
  if (mark.startsWith('\u3010')) return { words: '', pages: reference === undefined ? [] : pagesIn(reference) }
  const [kind = '', ...given] = mark
    .slice(1)
    .replace(/\uE201$/, '')
    .split('\uE202')
    .map(withoutPrivate)
  const ofWords = (words: string): Meaning => ({ words, pages: [] })
  const alt = withoutPrivate((reference && someTextAt(reference, 'alt')) ?? '').trim()
  if (SOURCES.test(kind)) {
    const known = reference === undefined ? [] : pagesIn(reference)
    const pages = known.length > 0 ? known : given.flatMap(idsIn).flatMap(id => references.byId(id) ?? [])
    return pages.length > 0 ? { words: '', pages } : ofWords(alt)
  }
  if (reference !== undefined && someTextAt(reference, 'type') === 'hidden') return ofWords('')
  if (LINKS.test(kind)) return ofWords(linkFrom(given, references) ?? (alt || wordsIn(given.slice(0, 1))))
  if (kind.includes('entity'))
    return ofWords((reference && someTextAt(reference, 'name')) || alt || nameIn(given[0] ?? ''))
  return ofWords(alt || wordsIn(given))
}

/** The arguments are a label and an address, or a label and the id of a search result. */
function linkFrom([label = '', target = '', ...others]: readonly string[], references: References): string | null {
  const url = [target, label, ...others]
    .map(each => (safeLink(each)?.kind === 'outside' ? each : references.byId(each.trim())?.url))
    .find(each => each !== undefined)
  if (url === undefined || safeLink(url)?.kind !== 'outside') return null
  // An escaped bracket would begin a formula.
  const words = label.trim() === '' || RESULT_IDS.test(label) ? url : label
  const address = /[\s()<>]/.test(url) ? `<${url.replace(/[<>\s]/g, encodeURIComponent)}>` : url
  return `[${linkText(words.replaceAll('[', '(').replaceAll(']', ')'))}](${address})`
}

/** The argument is a list: a kind, the name, and details, as in ["people","Ada Example",0]. */
function nameIn(argument: string): string {
  const list = jsonFrom(argument)
  if (Array.isArray(list))
    return list.slice(1).find((each): each is string => typeof each === 'string' && each.trim() !== '') ?? ''
  const [, name = ''] = /^\s*\[\s*"(?:[^"\\]|\\.)*"\s*,\s*"((?:[^"\\]|\\.)*)/.exec(argument) ?? []
  return name === '' ? wordsIn([argument]) : name
}

function wordsIn(given: readonly string[]): string {
  return given
    .map(each => each.trim())
    .filter(each => each !== '' && !/^[[{]/.test(each) && !RESULT_IDS.test(each))
    .join(' ')
}

function idsIn(given: string): string[] {
  return given.split(/[,\s]+/).filter(id => id !== '')
}

/** A page that an answer cites, as in the metadata of a citation. */
type Page = { title: string | null; url: string; text: string | null }

/** What the metadata of an answer says about its marks. */
type References = {
  byMark(mark: string): Raw | undefined
  /** By the id of a search result. */
  byId(id: string): Page | undefined
  /** Sources of the whole answer. */
  footnote: readonly Page[]
}

function referencesIn(metadata: Raw): References {
  const references = rawsAt(metadata, 'content_references')
  const byMark = new Map<string, Raw>()
  const byId = new Map<string, Page>()
  for (const reference of references) {
    const mark = withoutPrivate(textAt(reference, 'matched_text') ?? '')
    if (mark.trim() !== '' && !byMark.has(mark)) byMark.set(mark, reference)
  }
  for (const item of [
    ...references.flatMap(itemsOf),
    ...rawsAt(metadata, 'search_result_groups').flatMap(group => rawsAt(group, 'entries')),
  ]) {
    for (const page of pageOf(item)) for (const id of resultIdsOf(item)) if (!byId.has(id)) byId.set(id, page)
  }
  return {
    byMark: mark => byMark.get(withoutPrivate(mark)),
    byId: id => byId.get(id),
    footnote: references
      .filter(each => textAt(each, 'type') === 'sources_footnote')
      .flatMap(each => rawsAt(each, 'sources'))
      .flatMap(pageOf),
  }
}

/** The pages that a reference leads to. */
function pagesIn(reference: Raw): Page[] {
  const pages = itemsOf(reference).flatMap(pageOf)
  return pages.length > 0 ? pages : pageOf(reference)
}

function itemsOf(reference: Raw): Raw[] {
  return ['items', 'fallback_items']
    .flatMap(key => rawsAt(reference, key))
    .flatMap(item => [item, ...rawsAt(item, 'supporting_websites')])
}

/** Empty when the item has no address. */
function pageOf(item: Raw): Page[] {
  const url = someTextAt(item, 'url')
  return url === null ? [] : [{ title: textAt(item, 'title'), url, text: textAt(item, 'snippet') }]
}

function resultIdsOf(item: Raw): string[] {
  return [...rawsAt(item, 'refs'), rawAt(item, 'ref_id')].flatMap(
    ({ turn_index: turn, ref_type: type, ref_index: index }) =>
      typeof type === 'string' ? [`turn${String(turn)}${type}${String(index)}`] : [],
  )
}

function withoutPrivate(text: string): string {
  return text.replace(PRIVATE, '')
}
