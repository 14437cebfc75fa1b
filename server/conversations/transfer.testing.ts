import type { ConversationHistory } from '#contract/conversations.ts'
import type { ImportedConversation, ImportedMessage, ImportResult } from '#contract/transfer.ts'
import { newId } from '#server/foundation/ids.ts'
import type { Person } from '#testing/person.ts'

export const TIME = '2026-03-02T10:00:00.000Z'

export function aMessage(fields: Partial<ImportedMessage> = {}): ImportedMessage {
  return {
    id: newId(),
    parent: null,
    role: 'user',
    author_name: null,
    model: null,
    create_time: TIME,
    content: { content_type: 'text', text: '热泵' },
    metadata: null,
    ...fields,
  }
}

export function aConversation(
  messages: ImportedMessage[],
  fields: Partial<ImportedConversation> = {},
): ImportedConversation {
  return {
    id: newId(),
    title: '热泵',
    create_time: TIME,
    update_time: TIME,
    current_node: messages.at(-1)?.id ?? null,
    current_model: 'gpt_4',
    messages,
    ...fields,
  }
}

/** A question with two answers, of which the first is the current one. */
export function aFork() {
  const question = aMessage()
  const answers = ['第一个回答', '第二个回答'].map(text =>
    aMessage({ parent: question.id, role: 'assistant', model: 'gpt_4', content: { content_type: 'text', text } }),
  )
  return {
    question,
    answers,
    conversation: aConversation([question, ...answers], { current_node: answers[0]?.id ?? null }),
  }
}

export async function imported(person: Person, ...conversations: ImportedConversation[]): Promise<ImportResult[]> {
  return (await person.result<{ results: ImportResult[] }>('POST', '/conv/import', { conversations })).results
}

export type Page = { conversations: ConversationHistory[]; next: string | null; total: number }

export async function exported(person: Person): Promise<ConversationHistory[]> {
  const all: ConversationHistory[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: Page = await person.result<Page>('GET', `/conv/export${after === '' ? '' : `?after=${after}`}`)
    all.push(...page.conversations)
    after = page.next
  }
  return all
}

/** As the page sends an exported conversation. */
export function again({
  _id: id,
  title,
  create_time,
  update_time,
  current_node,
  current_model,
  mapping,
}: ConversationHistory): ImportedConversation {
  return { id, title, create_time, update_time, current_node, current_model, messages: Object.values(mapping) }
}
