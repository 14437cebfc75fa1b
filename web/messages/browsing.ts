import { type Message, textOf } from '#contract/messages.ts'
import { isRaw, jsonFrom, rawsAt, textAt } from '#contract/rawValues.ts'
import { webMetadata } from './metadata.ts'

/** One action in browsing the web or searching files. */
export type BrowsingAction =
  | { kind: 'search'; query: string }
  | { kind: 'open'; title: string; url: string | null }
  | { kind: 'quote'; title: string; url: string; text: string }
  | { kind: 'read'; text: string }
  | { kind: 'failed'; text: string }
  | { kind: 'other'; text: string }
  | { kind: 'scroll' | 'back' | 'quoting' }

type Page = { title?: string | null; url?: string | null }

const CALL = /^\s*([a-z_]+)\s*\(([\s\S]*)\)\s*$/

/** The actions, parsed from the code that the model wrote. Numbers in it refer to the latest list of results. */
export function actionsOf(messages: readonly Message[]): BrowsingAction[] {
  const actions: BrowsingAction[] = []
  let pages: readonly Page[] = []
  for (const message of messages) {
    actions.push(
      ...(isCall(message)
        ? (commandsIn(textOf(message)) ?? statements(textOf(message)).flatMap(statement => actionOf(statement, pages)))
        : resultOf(message)),
    )
    const listed = webMetadata(message)?._cite_metadata?.metadata_list
    if (listed != null && listed.length > 0) pages = listed
  }
  return actions
}

function isCall({ role, content }: Message): boolean {
  return role === 'assistant' && (content?.content_type === 'code' || content?.content_type === 'text')
}

/** One call on each line, unless the arguments of one continue on the next line. */
function statements(code: string): string[] {
  const lines = code.split('\n').filter(line => line.trim() !== '')
  return lines.every(line => CALL.test(line)) ? lines : lines.length === 0 ? [] : [code.trim()]
}

/** A call since 2025: JSON with a list for each kind of action. Null for one that is no JSON. */
function commandsIn(call: string): BrowsingAction[] | null {
  const input = call.trimStart().startsWith('{') ? jsonFrom(call) : undefined
  if (!isRaw(input)) return null
  const searches = ['search_query', 'image_query', 'product_query', 'queries'].flatMap(list => input[list] ?? []).flat()
  const queries = searches.map(each => (typeof each === 'string' ? each : isRaw(each) ? textAt(each, 'q') : null))
  const opened = rawsAt(input, 'open').map(each => textAt(each, 'url') ?? textAt(each, 'ref_id'))
  return [
    ...queries.filter(query => query !== null).map((query): BrowsingAction => ({ kind: 'search', query })),
    ...opened
      .filter(target => target !== null)
      .map((target): BrowsingAction => ({
        kind: 'open',
        title: target,
        url: /^https?:/i.test(target) ? target : null,
      })),
    ...rawsAt(input, 'find').map((each): BrowsingAction => ({ kind: 'other', text: textAt(each, 'pattern') ?? '' })),
  ].slice(0, MAX_ACTIONS)
}

/** Of one call. */
const MAX_ACTIONS = 100

function actionOf(statement: string, pages: readonly Page[]): BrowsingAction[] {
  const [, name = '', list = ''] = CALL.exec(statement) ?? []
  switch (name) {
    case 'search':
    case 'msearch':
      return textsIn(list).map(query => ({ kind: 'search', query }))
    case 'click':
    case 'mclick':
      return numbersIn(list).map(number => openAction(pages[number], number))
    case 'open_url':
      return textsIn(list)
        .slice(0, 1)
        .map(url => ({ kind: 'open', title: url, url }))
    case 'scroll':
      return [{ kind: 'scroll' }]
    case 'back':
      return [{ kind: 'back' }]
    case 'quote':
    case 'quote_lines':
      return [{ kind: 'quoting' }]
    default:
      return [{ kind: 'other', text: statement }]
  }
}

function openAction(page: Page | undefined, number: number): BrowsingAction {
  const url = page?.url ?? null
  return { kind: 'open', title: page?.title?.trim() || url || `#${number}`, url }
}

function resultOf(message: Message): BrowsingAction[] {
  const { content } = message
  switch (content?.content_type) {
    case 'tether_browsing_display':
      return content.result.trim() === '' ? [] : [{ kind: 'read', text: content.result }]
    case 'tether_quote':
      return [
        { kind: 'quote', title: content.title ?? content.domain ?? content.url, url: content.url, text: content.text },
      ]
    case 'system_error':
      return [{ kind: 'failed', text: content.text || content.name }]
    case 'text':
    case 'multimodal_text':
    case 'code':
    case 'execution_output':
    case 'stderr':
      return textOf(message).trim() === '' ? [] : [{ kind: 'read', text: textOf(message) }]
    case 'thoughts':
    case undefined:
      return []
  }
}

const TEXT = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g

/** The string arguments, without their quotes. */
function textsIn(list: string): string[] {
  const texts = [...list.matchAll(TEXT)].map(([, double, single]) =>
    (double ?? single ?? '').replaceAll(/\\(["'\\])/g, '$1'),
  )
  return texts.filter(text => text.trim() !== '')
}

function numbersIn(list: string): number[] {
  return [...list.matchAll(/\d+/g)].map(([digits]) => Number(digits)).slice(0, 20)
}
