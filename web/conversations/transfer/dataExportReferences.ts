import { isRaw, type Raw, rawAt, rawsAt, someTextAt, textAt } from './rawValues.ts'

/** A page that an answer cites, as the metadata of a citation has it. */
export type Page = { title: string | null; url: string; text: string | null }

/** What ChatGPT notes of an answer’s marks, in whichever of its places. */
export type References = {
  /** By the text of the mark. */
  of(mark: string): Raw | undefined
  /** By a name such as turn0search3. */
  named(name: string): Page | undefined
  /** Of the whole answer, named in a footnote. */
  footnote: readonly Page[]
}

/** Signs that no font has, by which ChatGPT sets its marks off. Some tools lose them on the way. */
const PRIVATE = /[\uE200-\uE2FF]/g

export function referencesIn(metadata: Raw): References {
  const references = rawsAt(metadata, 'content_references')
  const byMark = new Map<string, Raw>()
  const byName = new Map<string, Page>()
  const found = [
    ...references.flatMap(itemsOf),
    ...rawsAt(metadata, 'search_result_groups').flatMap(group => rawsAt(group, 'entries')),
  ]
  for (const reference of references) {
    const mark = bare(textAt(reference, 'matched_text') ?? '')
    if (mark.trim() !== '' && !byMark.has(mark)) byMark.set(mark, reference)
  }
  for (const item of found) {
    const page = pageOf(item)
    for (const name of namesOf(item)) if (page !== null && !byName.has(name)) byName.set(name, page)
  }
  return {
    of: mark => byMark.get(bare(mark)),
    named: name => byName.get(name),
    footnote: references
      .filter(each => textAt(each, 'type') === 'sources_footnote')
      .flatMap(each => pagesOf(each, 'sources')),
  }
}

/** The pages that a reference leads to. */
export function pagesIn(reference: Raw): Page[] {
  const pages = itemsOf(reference)
    .map(pageOf)
    .filter(page => page !== null)
  const own = pageOf(reference)
  return pages.length > 0 || own === null ? pages : [own]
}

function itemsOf(reference: Raw): Raw[] {
  return ['items', 'fallback_items']
    .flatMap(key => rawsAt(reference, key))
    .flatMap(item => [item, ...rawsAt(item, 'supporting_websites')])
}

function pagesOf(reference: Raw, key: string): Page[] {
  return rawsAt(reference, key)
    .map(pageOf)
    .filter(page => page !== null)
}

function pageOf(item: Raw): Page | null {
  const url = someTextAt(item, 'url')
  return url === null ? null : { title: textAt(item, 'title'), url, text: textAt(item, 'snippet') }
}

function namesOf(item: Raw): string[] {
  return [...rawsAt(item, 'refs'), rawAt(item, 'ref_id')]
    .filter(isRaw)
    .map(({ turn_index: turn, ref_type: type, ref_index: index }) =>
      typeof type === 'string' ? `turn${String(turn)}${type}${String(index)}` : '',
    )
    .filter(name => name !== '')
}

function bare(mark: string): string {
  return mark.replace(PRIVATE, '')
}
