import type { ImportedConversation } from '#contract/transfer.ts'
import { answer, conversationOf, type FileNode, type LooseMessage, modelCodeOf, question } from './importedTree.ts'
import { paragraphs, type Raw, rawAt, rawsAt, someTextAt, textAt, timeAt } from '#contract/rawValues.ts'

/** The block of thoughts before an answer. */
const THINKING = /^\s*:::thinking\s*\n([\s\S]*?)\n:::(?:\n+|$)/

/** LibreChat: a list of messages, each with its parent, or each with its children inside. */
export function isLibreChatExport(raw: Raw): boolean {
  return 'conversationId' in raw && listIn(raw).some(message => 'messageId' in message || 'isCreatedByUser' in message)
}

export function fromLibreChatExport(raw: Raw): ImportedConversation | null {
  const id = someTextAt(raw, 'conversationId')
  if (id === null) return null
  const nodes = new Map<string, FileNode>()
  let latest: string | null = null
  for (const { message, key, above } of flattened(listIn(raw))) {
    const parent = above ?? textAt(message, 'parentMessageId')
    nodes.set(key, { parent: parent === key ? null : parent, children: [], messages: messagesFrom(message) })
    latest = key
  }
  return conversationOf(
    {
      id,
      title: textAt(raw, 'title'),
      create_time: timeAt(raw, 'createdAt'),
      update_time: timeAt(raw, 'updatedAt'),
      current_node: latest,
      current_model: modelCodeOf(someTextAt(rawAt(raw, 'options'), 'model') ?? someTextAt(raw, 'model')),
    },
    nodes,
  )
}

function listIn(raw: Raw): Raw[] {
  return ['messagesTree', 'messages'].map(key => rawsAt(raw, key)).find(list => list.length > 0) ?? []
}

/** Each message with the key of the one that holds it, however deep they are nested. */
function* flattened(list: readonly Raw[]): Generator<{ message: Raw; key: string; above: string | null }> {
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
  const textOfParts = (key: string) =>
    paragraphs(rawsAt(message, 'content').map(part => someTextAt(part, key) ?? someTextAt(rawAt(part, key), 'value')))
  const text = textOfParts('text') || (textAt(message, 'text') ?? '')
  if (isQuestion(message)) return question(text, rawsAt(message, 'files'), create_time)
  const [block = '', thought = ''] = THINKING.exec(text) ?? []
  return answer(
    text.slice(block.length),
    { model: modelCodeOf(textAt(message, 'model')), create_time },
    { text: textOfParts('think') || thought, seconds: null },
  )
}

function isQuestion(message: Raw): boolean {
  const byUser = message['isCreatedByUser']
  return typeof byUser === 'boolean' ? byUser : (textAt(message, 'sender') ?? '').toLowerCase() === 'user'
}
