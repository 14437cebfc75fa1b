import { randomUUID } from 'node:crypto'
import type { Message } from '#contract/messages.ts'
import { userStore } from '#server/users/store.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { openDatabase } from '#server/foundation/database/open.ts'
import { answerTo } from '#simulator/answers/answer.ts'
import { ADMIN } from '../product.ts'

/** Questions whose answers have code, tables, formulas, lists and letters, in three languages. */
const QUESTIONS = [
  'How do I write a function that counts words in Python?',
  '请用表格比较这三种方案的区别。',
  'What is the formula for the probability?',
  '帮我写一封信，语气客气一些。',
  'Give me a plan for the week, step by step.',
  'Sila terangkan rumus kamiran ini.',
  '这段代码为什么不对？',
  'Tell me everything.',
]
const ANSWER_TOKENS = [undefined, undefined, undefined, 700, undefined, 90]
/** Rows per statement. */
const BATCH = 50

/** Questions and answers in turn, as people and models write them, each the parent of the next. */
export function messagesOf(count: number): Message[] {
  const messages: Message[] = []
  for (let at = 0; at < count; at += 1) {
    const question = QUESTIONS[Math.floor(at / 2) % QUESTIONS.length] ?? ''
    const tokens = ANSWER_TOKENS[Math.floor(at / 2) % ANSWER_TOKENS.length]
    const asked = at % 2 === 0
    messages.push({
      id: randomUUID(),
      source: 'openai_api',
      role: asked ? 'user' : 'assistant',
      author_name: null,
      model: asked ? null : 'gpt_4',
      create_time: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
      parent: messages.at(-1)?.id ?? null,
      children: [],
      content: {
        content_type: 'text',
        text: asked ? question : answerTo(question, { seed: at, ...(tokens !== undefined && { tokens }) }).join(''),
      },
      metadata: { source: 'openai_api' },
    })
  }
  return messages
}

/** Stores a conversation in the data folder of a running product and returns its id. */
export async function storeConversation(data_dir: string, messages: readonly Message[]): Promise<string> {
  const open = await openDatabase({ data_dir }, { migrate: false })
  try {
    const conversation_id = randomUUID()
    await open.transaction(async trx => {
      const store = conversationStore(trx)
      const owner = await userStore(trx).findExactly(ADMIN.username)
      if (owner === undefined) throw new Error('the administrator is not there yet')
      await store.insert({
        conversation_id,
        source: 'openai_api',
        title: `${messages.length} messages`,
        user_id: owner.id,
        model: 'gpt_4',
        current_node: messages.at(-1)?.id ?? null,
        upstream_id: null,
        now: Date.now(),
      })
      for (let start = 0; start < messages.length; start += BATCH)
        await messageStore(trx).add(conversation_id, messages.slice(start, start + BATCH))
    })
    return conversation_id
  } finally {
    await open.close()
  }
}
