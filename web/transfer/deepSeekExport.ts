import type { ImportedConversation } from '#contract/transfer.ts'
import {
  answer,
  attachmentMetadata,
  citationMetadata,
  type Cited,
  conversationOf,
  lastModelIn,
  type LooseMessage,
  modelCodeOf,
  nodesFrom,
  textMessage,
} from './importedTree.ts'
import { isRaw, paragraphs, type Raw, rawAt, rawsAt, someTextAt, textAt, timeAt } from '#contract/rawValues.ts'

/** Fragments of tools, which hold nothing to read. */
const TOOLS = /SEARCH|READ|LINK|OPEN|TOOL|FILE|TIP/
/** [citation:3], for the third page of the search results. */
const CITATION = / ?\[citation:(\d{1,4})\]/g

/** DeepSeek: ChatGPT's tree, with messages in fragments. */
export function isDeepSeekExport(raw: Raw): boolean {
  if (!isRaw(raw['mapping'])) return false
  // The first nodes are enough.
  return (
    'inserted_at' in raw ||
    Object.values(raw['mapping'])
      .slice(0, 20)
      .some(node => isRaw(node) && Array.isArray(rawAt(node, 'message')['fragments']))
  )
}

export function fromDeepSeekExport(raw: Raw): ImportedConversation | null {
  const id = someTextAt(raw, 'id')
  if (id === null) return null
  const nodes = nodesFrom(rawAt(raw, 'mapping'), node => messagesFrom(rawAt(node, 'message')))
  return conversationOf(
    {
      id,
      title: textAt(raw, 'title'),
      create_time: timeAt(raw, 'inserted_at', 'created_at'),
      update_time: timeAt(raw, 'updated_at'),
      current_node: textAt(raw, 'current_node'),
      current_model: lastModelIn(nodes),
    },
    nodes,
  )
}

function messagesFrom(message: Raw): LooseMessage[] {
  const create_time = timeAt(message, 'inserted_at', 'created_at')
  const files = attachmentMetadata(rawsAt(message, 'files'))
  const fragments = rawsAt(message, 'fragments')
  const textOf = (fits: (type: string) => boolean) =>
    paragraphs(fragments.filter(each => fits(typeOf(each))).map(each => textAt(each, 'content')))
  const asked = textOf(type => type === 'REQUEST')
  if (asked !== '' || (files !== null && fragments.every(each => typeOf(each) === 'REQUEST')))
    return [textMessage('user', asked, { create_time, metadata: files })]
  const { text, cited } = withoutMarks(
    textOf(type => type !== 'REQUEST' && type !== 'THINK' && !TOOLS.test(type)),
    fragments.flatMap(each => rawsAt(each, 'results')),
  )
  return answer(
    text,
    { model: modelCodeOf(textAt(message, 'model')), create_time, metadata: citationMetadata(text, cited) },
    { text: textOf(type => type === 'THINK'), seconds: secondsOf(fragments) },
  )
}

function typeOf(fragment: Raw): string {
  return (textAt(fragment, 'type') ?? '').toUpperCase()
}

function secondsOf(fragments: readonly Raw[]): number | null {
  const seconds = fragments.find(each => typeOf(each) === 'THINK')?.['elapsed_secs']
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** The text without its marks, and the cited pages where they stood. A mark of no page is removed too. */
function withoutMarks(text: string, pages: readonly Raw[]): { text: string; cited: Cited[] } {
  const byNumber = new Map(pages.map((page, at) => [Number(page['cite_index'] ?? at + 1), page]))
  const cited: Cited[] = []
  let plain = ''
  let from = 0
  for (const { 0: mark, 1: number, index } of text.matchAll(CITATION)) {
    plain += text.slice(from, index)
    from = index + mark.length
    const page = byNumber.get(Number(number))
    const url = page === undefined ? null : someTextAt(page, 'url')
    if (page !== undefined && url !== null)
      cited.push({ url, title: someTextAt(page, 'title'), text: someTextAt(page, 'snippet'), at: plain.length })
  }
  return { text: plain + text.slice(from), cited }
}
