import type { Message } from '#contract/messages.ts'

/** One thing that was done while looking around the web or files. */
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

/** What was done, read from the code the model wrote; what a number means stands in the latest list of results. */
export function actionsOf(messages: readonly Message[]): BrowsingAction[] {
  const actions: BrowsingAction[] = []
  let pages: readonly Page[] = []
  for (const message of messages) {
    actions.push(...(isCall(message) ? called(message, pages) : answered(message)))
    const listed = message.metadata?.source === 'openai_web' ? message.metadata._cite_metadata?.metadata_list : null
    if (listed != null && listed.length > 0) pages = listed
  }
  return actions
}

function isCall({ role, content }: Message): boolean {
  return role === 'assistant' && (content?.content_type === 'code' || content?.content_type === 'text')
}

function called({ content }: Message, pages: readonly Page[]): BrowsingAction[] {
  const code =
    content?.content_type === 'code'
      ? content.text
      : content?.content_type === 'text'
        ? (content.text ?? content.parts?.join('') ?? '')
        : ''
  return statements(code).flatMap(statement => actionOf(statement, pages))
}

/** One call a line, unless the arguments run over lines. */
function statements(code: string): string[] {
  const lines = code.split('\n').filter(line => line.trim() !== '')
  return lines.every(line => CALL.test(line)) ? lines : lines.length === 0 ? [] : [code.trim()]
}

function actionOf(statement: string, pages: readonly Page[]): BrowsingAction[] {
  const [, name = '', given = ''] = CALL.exec(statement) ?? []
  switch (name) {
    case 'search':
    case 'msearch':
      return textsIn(given).map(query => ({ kind: 'search', query }))
    case 'click':
    case 'mclick':
      return numbersIn(given).map(number => opened(pages[number], number))
    case 'open_url':
      return textsIn(given)
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

function opened(page: Page | undefined, number: number): BrowsingAction {
  const url = page?.url ?? null
  return { kind: 'open', title: page?.title?.trim() || url || `#${number}`, url }
}

function answered({ content }: Message): BrowsingAction[] {
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
      return [{ kind: 'read', text: content.text ?? content.parts?.join('') ?? '' }]
    case 'multimodal_text':
      return [{ kind: 'read', text: content.parts.filter(part => typeof part === 'string').join('\n') }]
    case 'code':
    case 'execution_output':
    case 'stderr':
      return [{ kind: 'read', text: content.text }]
    case 'thoughts':
    case undefined:
      return []
  }
}

const TEXT = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g

/** The texts among the arguments, without the marks around them; a text that is still being written is taken as it is. */
function textsIn(given: string): string[] {
  const texts = [...given.matchAll(TEXT)].map(([, double, single]) =>
    (double ?? single ?? '').replaceAll(/\\(["'\\])/g, '$1'),
  )
  return texts.filter(text => text.trim() !== '')
}

function numbersIn(given: string): number[] {
  return [...given.matchAll(/\d+/g)].map(([digits]) => Number(digits)).slice(0, 20)
}
