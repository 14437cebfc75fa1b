import type { ApiCitedPage, Message, Usage } from '#contract/messages.ts'
import type { Question } from '../provider.ts'

/** What is stored with an answer beside its text. */
export type AnswerEnd = { finish_reason: string | null; usage: Usage | null; sources: readonly ApiCitedPage[] }

/** The answer as our message (docs/protocol.md). */
export function answer(
  question: Question,
  parent: string | null,
  text: string,
  { finish_reason, usage, sources }: AnswerEnd,
): Message {
  return {
    ...ours(question),
    id: question.reply_id,
    parent,
    content: { content_type: 'text', text },
    metadata: { source: 'openai_api', usage, finish_reason, ...(sources.length > 0 && { sources: [...sources] }) },
  }
}

/** What the model thought before it. */
export function thoughtsMessage(question: Question, text: string, seconds: number | null): Message {
  return {
    ...ours(question),
    id: question.thoughts_id,
    parent: question.parent,
    content: { content_type: 'thoughts', text, seconds },
    metadata: { source: 'openai_api' },
  }
}

const ours = ({ source, model, create_time }: Question): Omit<Message, 'id' | 'parent' | 'content' | 'metadata'> => ({
  source,
  role: 'assistant',
  author_name: null,
  model,
  create_time,
  children: [],
})
