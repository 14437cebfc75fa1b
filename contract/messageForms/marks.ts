import type * as z from 'zod/mini'
import { linkText } from '../markdownParts.ts'
import { Citation } from '../messages.ts'
import { isRaw, jsonFrom, type Raw, rawsAt, someTextAt, rawAt, textAt } from '../rawValues.ts'

export type Citations = z.infer<typeof Citation>[]
type Cited = { text: string; citations: Citations }

/**
 * A mark stands for a source, a name, a link or a picture: U+E200, its kind, U+E202 before each argument, U+E201. One
 * that was cut off has no end. Older texts have 【3†source】.
 */
const MARK =
  /\uE200[^\uE200\uE201]*\uE201|\uE200[a-z_]\w*(?:\uE202[^\s\uE200-\uE2FF]*)*|\u3010[^\u3010\u3011\u2020\n]{0,100}\u2020[^\u3010\u3011\n]{0,100}\u3011/g
const USES_MARKS = /[\uE200-\uE206]/
const SOURCES = /^(?:file|mem|container|nav)?cite$/
const LINKS = /^(?:url|link|link_title)$/
/** Lists of products, pages, pictures or videos. */
const LISTS = /^(?:products?|navlist|nav_list|image_group|image|images|i|video|videos)$/
/** Ids of search results, such as turn0search3. */
const RESULT_IDS = /^(?:turn\d+[a-z_]+\d+[,\s]*)+$/
/** Characters of a mark. What is longer has lost its end. */
const MAX_MARK = 20_000

export const usesMarks = (text: string): boolean => USES_MARKS.test(text)

/**
 * The text without marks, and the sources at the positions where they stood. Older texts have the positions in their
 * metadata. Of a text that `grows`, what may still become part of a mark is left out.
 */
export function citedFrom(given: string, metadata: Raw, grows = false): Cited {
  const hasMarks = usesMarks(given)
  if (grows && !hasMarks && !given.includes('\u3010')) return { text: given, citations: [] }
  const text = grows && hasMarks ? withoutBeginnings(given) : given
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
  return usesMarks(text) ? replaceMarks(text, referencesIn({})).text : text
}

/** Without the beginning of a mark at its end, and without the space before what may become one. */
function withoutBeginnings(text: string): string {
  const begin = text.lastIndexOf('\uE200')
  const isOpen = begin > text.lastIndexOf('\uE201') && text.length - begin < MAX_MARK
  let end = isOpen ? begin : text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1
  return text.slice(0, end)
}

function replaceMarks(text: string, references: References): Cited {
  const plain = usesMarks(text) ? withoutPrivate : (piece: string) => piece
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
    add(words === '' && endsClause(next) ? withoutSpaceAtEnd(before) : before)
    // A space after a removed mark is removed at the beginning of a line and before punctuation.
    if (words === '' && next === ' ' && (length === 0 || (pieces.at(-1) ?? '').endsWith('\n'))) from += 1
    add(words)
    for (const page of pages) citations.push({ start_ix: length, end_ix: length, metadata: page })
  }
  add(plain(text.slice(from)))
  return { text: pieces.join(''), citations }
}

/** Line ends stay. */
function withoutSpaceAtEnd(text: string): string {
  const kept = text.trimEnd()
  const line = text.indexOf('\n', kept.length)
  return line < 0 ? kept : kept + text.slice(line)
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
  if (LISTS.test(kind)) return ofWords(alt || listFrom(kind, given, reference, references))
  return ofWords(alt || wordsIn(given))
}

/** The arguments are a label and an address, or a label and the id of a search result. */
function linkFrom([label = '', target = '', ...others]: readonly string[], references: References): string | null {
  const url = [target, label, ...others]
    .map(each => (isWebAddress(each) ? each : references.byId(each.trim())?.url))
    .find(each => each != null)
  if (url == null || !isWebAddress(url)) return null
  return linkTo(url, label.trim() === '' || RESULT_IDS.test(label) ? url : label)
}

function linkTo(url: string, label: string): string {
  // An escaped bracket would begin a formula.
  const words = linkText(label.replaceAll('[', '(').replaceAll(']', ')'))
  const address = /[\s()<>]/.test(url) ? `<${url.replace(/[<>\s]/g, encodeURIComponent)}>` : url
  return `[${words}](${address})`
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:'
}

/** Links that a list is shown as. */
const MAX_LINKS = 50

/** The title of a list, and links to what it shows; without a reference the names that the mark has itself. */
function listFrom(kind: string, given: readonly string[], reference: Raw | undefined, references: References): string {
  const known = reference === undefined ? [] : pagesIn(reference)
  const pages = known.length > 0 ? known : given.flatMap(idsIn).flatMap(id => references.byId(id) ?? [])
  const links = pages
    .slice(0, MAX_LINKS)
    .flatMap(({ url, title }) => (url !== null && isWebAddress(url) ? [linkTo(url, title?.trim() || url)] : []))
  const title = wordsIn(given.slice(0, 1))
  if (links.length === 0) return title || namesIn(given[0] ?? '')
  if (!kind.startsWith('nav')) return links.join(' · ')
  return [title, ...links.map(link => `- ${link}`)].filter(Boolean).join('\n')
}

/** The names in the argument of products, {"selections":[["turn0product1","A lamp"]]}. */
function namesIn(argument: string): string {
  const list = jsonFrom(argument)
  const selections = isRaw(list) && Array.isArray(list['selections']) ? list['selections'] : []
  return selections
    .flatMap((each: unknown) => (Array.isArray(each) && typeof each[1] === 'string' ? [each[1].trim()] : []))
    .slice(0, MAX_LINKS)
    .join(' · ')
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

/** Citations count characters, JavaScript counts UTF-16 units. In ascending order, so that the text is counted once. */
export function inCharacters(text: string, citations: Citations): Citations {
  if (!/[\uD800-\uDBFF]/.test(text)) return citations
  let units = 0
  let characters = 0
  return citations.map(citation => {
    characters += Array.from(text.slice(units, citation.start_ix)).length
    units = citation.start_ix
    return { ...citation, start_ix: characters, end_ix: characters }
  })
}

/** A page or a file that an answer cites, as in the metadata of a citation. */
type Page = { title: string | null; url: string | null; text: string | null; type?: 'file'; name?: string }

/** What the metadata of an answer says about its marks. */
type References = {
  byMark(mark: string): Raw | undefined
  /** By the id of a search result. */
  byId(id: string): Page | undefined
  /** Sources of the whole answer. */
  footnote: readonly Page[]
}

/** The private characters of marks. Some tools lose them on the way. */
const PRIVATE = /[\uE200-\uE2FF]/g

const withoutPrivate = (text: string): string => text.replace(PRIVATE, '')

/** A growing answer is read again and again, mostly with the same metadata. */
const known = new WeakMap<Raw, References>()

function referencesIn(metadata: Raw): References {
  const found = known.get(metadata) ?? indexed(metadata)
  known.set(metadata, found)
  return found
}

function indexed(metadata: Raw): References {
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

/** Lists of what a reference shows: pages, products, pictures, videos. */
const SHOWN_LISTS = ['items', 'fallback_items', 'products', 'images', 'videos', 'sources']

function itemsOf(reference: Raw): Raw[] {
  return SHOWN_LISTS.flatMap(key => rawsAt(reference, key)).flatMap(item => [
    item,
    ...rawsAt(item, 'supporting_websites'),
    // A picture of a group stands in a field of its own.
    ...(item['image_result'] === undefined ? [] : [rawAt(item, 'image_result')]),
  ])
}

/** Empty when the item is neither a page nor a file. */
function pageOf(item: Raw): Page[] {
  const url = someTextAt(item, 'url')
  if (url !== null) return [{ title: textAt(item, 'title'), url, text: textAt(item, 'snippet') }]
  const name = textAt(item, 'type') === 'file' ? someTextAt(item, 'name', 'title') : null
  return name === null ? [] : [{ title: null, url: null, text: textAt(item, 'snippet'), type: 'file', name }]
}

function resultIdsOf(item: Raw): string[] {
  return [...rawsAt(item, 'refs'), rawAt(item, 'ref_id')].flatMap(
    ({ turn_index: turn, ref_type: type, ref_index: index }) =>
      typeof type === 'string' ? [`turn${String(turn)}${type}${String(index)}`] : [],
  )
}
