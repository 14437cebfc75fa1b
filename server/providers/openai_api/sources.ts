import { beginningOf } from '#contract/cutText.ts'
import { storableText } from '#contract/storableText.ts'
import type { ApiCitedPage } from '#contract/messages.ts'
import { fieldOf, isFields } from '../looseJson.ts'

const MAX_SOURCES = 50
const MAX_LENGTHS = { url: 2_000, title: 300 }

/** Lists of pages, each a string or an object, as endpoints name them. What comes first is what the text calls [1]. */
const LISTS = [
  'citations',
  'search_results',
  'sources',
  'annotations',
  'web_search',
  'references',
  'groundingChunks',
] as const
/** What holds such a list in the answers of DashScope, Hunyuan and Gemini. */
const HOLDERS = ['search_info', 'grounding_metadata', 'groundingMetadata'] as const

const NONE: readonly ApiCitedPage[] = []

/** The pages that an event names as sources: beside the choices, or in a message's annotations. */
export function sourcesIn(chunk: unknown): readonly ApiCitedPage[] {
  const choices = fieldOf(chunk, 'choices')
  const lists: unknown[][] = []
  addLists(lists, chunk)
  for (const choice of Array.isArray(choices) ? choices : []) {
    for (const each of [choice, fieldOf(choice, 'delta'), fieldOf(choice, 'message')]) addLists(lists, each)
  }
  if (lists.length === 0) return NONE
  return together(
    [],
    lists
      .flat()
      .slice(0, 4 * MAX_SOURCES)
      .flatMap(pageOf),
  )
}

function addLists(lists: unknown[][], value: unknown): void {
  if (!isFields(value)) return
  for (const holder of [value, ...HOLDERS.map(name => value[name])]) {
    for (const name of LISTS) {
      const list = fieldOf(holder, name)
      if (Array.isArray(list)) lists.push(list)
    }
  }
}

/** What was named before, and what is new. A page that had no title so far gets one. */
export function together(before: readonly ApiCitedPage[], more: readonly ApiCitedPage[]): readonly ApiCitedPage[] {
  if (more.length === 0) return before
  const pages = new Map(before.map(page => [page.url, page]))
  for (const { url, title } of more) {
    if (pages.size < MAX_SOURCES || pages.has(url)) pages.set(url, { url, title: pages.get(url)?.title ?? title })
  }
  return [...pages.values()]
}

function pageOf(given: unknown): ApiCitedPage[] {
  const page = fieldOf(given, 'url_citation') ?? fieldOf(given, 'web') ?? given
  const url = typeof page === 'string' ? page : (fieldOf(page, 'url') ?? fieldOf(page, 'link') ?? fieldOf(page, 'uri'))
  const title = fieldOf(page, 'title')
  if (
    typeof url !== 'string' ||
    url.length > MAX_LENGTHS.url ||
    !/^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) ||
    !url.isWellFormed()
  )
    return []
  return [{ url, title: typeof title === 'string' && title.trim() !== '' ? plain(title) : null }]
}

const plain = (title: string): string =>
  beginningOf(
    storableText(title)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    MAX_LENGTHS.title,
  )
