import type { ImportedConversation } from '#contract/transfer.ts'
import { attaching, modelNamed, spoken } from './foreignMessages.ts'
import { conversationOf, type FileNode, type LooseMessage, said } from './importedTree.ts'
import { type Raw, rawAt, rawsAt, someTextAt, textAt, timeAt } from './rawValues.ts'

/** What it thought, in a block of its own before the answer. */
const THINKING = /^\s*:::thinking\s*\n([\s\S]*?)\n:::(?:\n+|$)/

/** Of LibreChat: messages in a list, each with its parent, or each with its children. */
export function isLibreChatExport(raw: Raw): boolean {
  return 'conversationId' in raw && listIn(raw).some(message => 'messageId' in message || 'isCreatedByUser' in message)
}

export function fromLibreChatExport(raw: Raw): ImportedConversation | null {
  const id = someTextAt(raw, 'conversationId')
  if (id === null) return null
  const nodes = new Map<string, FileNode>()
  let latest: string | null = null
  for (const { message, key, above } of laidOut(listIn(raw))) {
    const parent = above ?? textAt(message, 'parentMessageId')
    nodes.set(key, { parent: parent === key ? null : parent, children: [], messages: messagesFrom(message) })
    latest = key
  }
  const options = rawAt(raw, 'options')
  return conversationOf(
    {
      id,
      title: textAt(raw, 'title'),
      create_time: timeAt(raw, 'createdAt'),
      update_time: timeAt(raw, 'updatedAt'),
      current_node: latest,
      current_model: modelNamed(someTextAt(options, 'model') ?? someTextAt(raw, 'model')),
    },
    nodes,
  )
}

function listIn(raw: Raw): Raw[] {
  return ['messagesTree', 'messages'].map(key => rawsAt(raw, key)).find(list => list.length > 0) ?? []
}

/** Each message with the one that holds it, however deep they lie in one another. */
function* laidOut(list: readonly Raw[]): Generator<{ message: Raw; key: string; above: string | null }> {
  const waiting: { message: Raw; above: string | null }[] = list.map(message => ({ message, above: null })).toReversed()
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1
    const { message, above } = next
    const key = someTextAt(message, 'messageId', '_id') ?? `${count}`
    yield { message, key, above }
    for (const child of rawsAt(message, 'children').toReversed()) waiting.push({ message: child, above: key })
  }
}

function messagesFrom(message: Raw): LooseMessage[] {
  const create_time = timeAt(message, 'createdAt', 'updatedAt')
  const parts = rawsAt(message, 'content')
  const partText = (part: Raw, key: string) => someTextAt(part, key) ?? someTextAt(rawAt(part, key), 'value') ?? ''
  const joined = (key: string) =>
    parts
      .map(part => partText(part, key))
      .filter(text => text.trim() !== '')
      .join('\n\n')
  const text = joined('text') || (textAt(message, 'text') ?? '')
  const files = attaching(rawsAt(message, 'files'))
  if (isAsked(message))
    return text.trim() === '' && files === null ? [] : [said('user', text, { create_time, metadata: files })]
  const [block, thought = ''] = THINKING.exec(text) ?? []
  const rest = block === undefined ? text : text.slice(block.length)
  return spoken(
    rest,
    { model: modelNamed(textAt(message, 'model')), create_time },
    { text: joined('think') || thought, seconds: null },
  )
}

function isAsked(message: Raw): boolean {
  const told = message['isCreatedByUser']
  return typeof told === 'boolean' ? told : (textAt(message, 'sender') ?? '').toLowerCase() === 'user'
}
