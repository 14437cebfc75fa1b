import { type Raw, rawAt, rawsAt, someTextAt, textAt } from '../rawValues.ts'

/** A page or a file that an answer cites, as in the metadata of a citation. */
export type Page = { title: string | null; url: string | null; text: string | null; type?: 'file'; name?: string }

/** What the metadata of an answer says about its marks. */
export type References = {
  byMark(mark: string): Raw | undefined
  /** By the id of a search result. */
  byId(id: string): Page | undefined
  /** Sources of the whole answer. */
  footnote: readonly Page[]
}

/** The private characters of marks. Some tools lose them on the way. */
const PRIVATE = /[\uE200-\uE2FF]/g

export const withoutPrivate = (text: string): string => text.replace(PRIVATE, '')

/** A growing answer is read again and again, mostly with the same metadata. */
const known = new WeakMap<Raw, References>()

export function referencesIn(metadata: Raw): References {
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
export function pagesIn(reference: Raw): Page[] {
  const pages = itemsOf(reference).flatMap(pageOf)
  return pages.length > 0 ? pages : pageOf(reference)
}

/** Lists of what a reference shows: pages, products, pictures, videos. */
const LISTS = ['items', 'fallback_items', 'products', 'images', 'videos', 'sources']

function itemsOf(reference: Raw): Raw[] {
  return LISTS.flatMap(key => rawsAt(reference, key)).flatMap(item => [
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
