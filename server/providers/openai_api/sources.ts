import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
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
    lists.flatMap(list => list.slice(0, 4 * MAX_SOURCES).flatMap((given, at) => pageOf(given, at + 1))),
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

/**
 * What was named before, and what is new. A page that had no title so far gets one. Each number of a list belongs to
 * the page that had it first; a page without one gets the next, as where each event names one page.
 */
export function together(before: readonly ApiCitedPage[], more: readonly ApiCitedPage[]): readonly ApiCitedPage[] {
  if (more.length === 0) return before
  const pages = new Map(before.map((page, at) => [page.url, { ...page, numbers: page.numbers ?? [at + 1] }]))
  const taken = new Set([...pages.values()].flatMap(({ numbers }) => numbers))
  for (const { url, title, numbers: named = [] } of more) {
    const known = pages.get(url)
    if (known === undefined && pages.size >= MAX_SOURCES) continue
    const numbers = [...(known?.numbers ?? []), ...named.filter(number => !taken.has(number))]
    if (numbers.length === 0) numbers.push(Math.max(0, ...taken) + 1)
    for (const number of numbers) taken.add(number)
    pages.set(url, { url, title: known?.title ?? title, numbers })
  }
  return [...pages.values()].map(({ numbers, ...page }, at) =>
    numbers.length === 1 && numbers[0] === at + 1 ? page : { ...page, numbers },
  )
}

function pageOf(given: unknown, number: number): ApiCitedPage[] {
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
  return [{ url, title: typeof title === 'string' && title.trim() !== '' ? plain(title) : null, numbers: [number] }]
}

const plain = (title: string): string =>
  beginningOf(
    storableText(title)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    MAX_LENGTHS.title,
  )
