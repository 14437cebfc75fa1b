import type { ImportedConversation, ImportedMessage } from '#contract/transfer.ts'
import { readImport } from './readImport.ts'

// Builders of what ChatGPT exports.

export const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'

export type Spoken = {
  role?: string
  content?: object
  metadata?: object
  recipient?: string
  name?: string | null
  create_time?: unknown
}

export function node(id: string, parent: string | null, children: string[], said: Spoken | null) {
  if (said === null) return { id, parent, children, message: null }
  const {
    role = 'user',
    content = { content_type: 'text', parts: ['hello'] },
    metadata = {},
    recipient = 'all',
    name = null,
    create_time = 1_700_000_000.5,
  } = said
  return {
    id,
    parent,
    children,
    message: {
      id,
      author: { role, name, metadata: {} },
      create_time,
      content,
      metadata,
      recipient,
      status: 'finished_successfully',
    },
  }
}

export function upstream(nodes: ReturnType<typeof node>[], more: object = {}) {
  return {
    title: 'A chat',
    create_time: 1_700_000_000.25,
    update_time: 1_700_000_100,
    conversation_id: ID,
    current_node: nodes.at(-1)?.id,
    default_model_slug: 'gpt-4',
    mapping: Object.fromEntries(nodes.map(each => [each.id, each])),
    ...more,
  }
}

export const fileOf = (value: unknown) => new Blob([typeof value === 'string' ? value : JSON.stringify(value)])

export async function first(file: unknown): Promise<ImportedConversation> {
  const { conversations } = await readImport(fileOf(file))
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('none was read')
  return conversation
}

/** What becomes of messages that follow each other. */
export async function chain(...said: Spoken[]): Promise<ImportedMessage[]> {
  return (
    await first([
      upstream(said.map((each, at) => node(`m${at}`, at === 0 ? null : `m${at - 1}`, [`m${at + 1}`], each))),
    ])
  ).messages
}

export async function only(said: Spoken): Promise<ImportedMessage | undefined> {
  return (await first([upstream([node('root', null, ['m'], null), node('m', 'root', [], said)])])).messages[0]
}
