import type { ImportedConversation } from '#contract/transfer.ts'
import { attaching, type Cited, citing, modelNamed, spoken } from './foreignMessages.ts'
import { conversationOf, type FileNode, type LooseMessage, said } from './importedTree.ts'
import { textsIn } from './ownExport.ts'
import { isRaw, type Raw, rawAt, rawsAt, someTextAt, textAt, timeAt } from './rawValues.ts'

/** What it looked for, opened or called while it answered; nothing of it is said. */
const TOOLS = /SEARCH|READ|LINK|OPEN|TOOL|FILE|TIP/
/** [citation:3], which stands for the third of the pages that were found. */
const CITATION = / ?\[citation:(\d{1,4})\]/g

/** Of DeepSeek: the tree that ChatGPT has, with messages in fragments. */
export function isDeepSeekExport(raw: Raw): boolean {
  if (!isRaw(raw['mapping'])) return false
  // One of the first is enough, and others are not looked through.
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
  const nodes = new Map<string, FileNode>()
  for (const [key, node] of Object.entries(rawAt(raw, 'mapping'))) {
    if (isRaw(node))
      nodes.set(key, {
        parent: textAt(node, 'parent'),
        children: textsIn(node['children']),
        messages: messagesFrom(rawAt(node, 'message')),
      })
  }
  const models = [...nodes.values()]
    .flatMap(({ messages }) => messages.map(({ model }) => model))
    .filter(model => model !== null)
  return conversationOf(
    {
      id,
      title: textAt(raw, 'title'),
      create_time: timeAt(raw, 'inserted_at', 'created_at'),
      update_time: timeAt(raw, 'updated_at'),
      current_node: textAt(raw, 'current_node'),
      current_model: models.at(-1) ?? null,
    },
    nodes,
  )
}

function messagesFrom(message: Raw): LooseMessage[] {
  const create_time = timeAt(message, 'inserted_at', 'created_at')
  const files = attaching(rawsAt(message, 'files'))
  const fragments = rawsAt(message, 'fragments')
  const textOf = (fits: (type: string) => boolean) =>
    fragments
      .filter(each => fits(typeOf(each)))
      .map(each => textAt(each, 'content') ?? '')
      .filter(text => text.trim() !== '')
      .join('\n\n')
  const asked = textOf(type => type === 'REQUEST')
  if (asked !== '' || (files !== null && fragments.every(each => typeOf(each) === 'REQUEST')))
    return [said('user', asked, { create_time, metadata: files })]
  const answered = textOf(type => type !== 'REQUEST' && type !== 'THINK' && !TOOLS.test(type))
  const { text, cited } = citedIn(
    answered,
    fragments.flatMap(each => rawsAt(each, 'results')),
  )
  return spoken(
    text,
    { model: modelNamed(textAt(message, 'model')), create_time, metadata: citing(text, cited) },
    { text: textOf(type => type === 'THINK'), seconds: secondsOf(fragments) },
  )
}

function typeOf(fragment: Raw): string {
  return (textAt(fragment, 'type') ?? '').toUpperCase()
}

function secondsOf(fragments: readonly Raw[]): number | null {
  const told = fragments.find(each => typeOf(each) === 'THINK')?.['elapsed_secs']
  return typeof told === 'number' && Number.isFinite(told) && told >= 0 ? told : null
}

/** The text without its marks, and the pages where they stood; a mark that means none of them goes as well. */
function citedIn(text: string, found: readonly Raw[]): { text: string; cited: Cited[] } {
  const byNumber = new Map(found.map((page, at) => [Number(page['cite_index'] ?? at + 1), page]))
  const cited: Cited[] = []
  const pieces: string[] = []
  let length = 0
  let from = 0
  const add = (piece: string) => {
    pieces.push(piece)
    length += piece.length
  }
  for (const { 0: mark, 1: number, index } of text.matchAll(CITATION)) {
    add(text.slice(from, index))
    from = index + mark.length
    const page = byNumber.get(Number(number))
    const url = page === undefined ? null : someTextAt(page, 'url')
    if (page !== undefined && url !== null)
      cited.push({ url, title: someTextAt(page, 'title'), text: someTextAt(page, 'snippet'), at: length })
  }
  add(text.slice(from))
  return { text: pieces.join(''), cited }
}
