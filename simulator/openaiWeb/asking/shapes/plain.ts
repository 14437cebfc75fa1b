import { answerTo } from '../../../answers/answer.ts'
import { readDirectives } from '../../../directives.ts'
import type { WebConversation } from '../../conversation.ts'
import { aMessage, text, textOf, type WebMessage } from '../../messages.ts'
import type { Step } from '../steps.ts'
import { final, remark, type Shape, type ShapeContext } from './shape.ts'

/** One text. */
export const plain: Shape = context => [textStep(context)]

/** Several messages: a remark, a hidden system message, content of a kind that nobody knows, and the answer. */
export const several: Shape = context => [
  remark(context, context.language === 'chinese' ? '这个问题分两步。' : 'This takes two steps.'),
  { message: aMessage('system', text('The reader prefers short answers.'), { weight: 0 }) },
  {
    message: aMessage(
      'assistant',
      { content_type: 'model_editable_context', model_set_context: '', repository: null },
      { end_turn: false, recipient: 'bio', metadata: { model_slug: context.ask.model } },
    ),
  },
  textStep(context),
]

function textStep(context: ShapeContext): Step {
  const { ask, prepared } = context
  return final(
    { ...context, prepared: prepared ?? (ask.question ? textAnswer(ask.conversation, ask.question) : '') },
    '',
  )
}

/** The text that answers a message of a conversation: always the same for the same words. */
export function textAnswer({ mapping }: WebConversation, asked: WebMessage): string {
  const { question, directives } = readDirectives(textOf(asked))
  const first = Object.values(mapping).find(node => node.message?.author.role === 'user')?.message ?? asked
  return answerTo(question, {
    seed: directives.seed,
    tokens: directives.tokens,
    first: first.id === asked.id ? undefined : readDirectives(textOf(first)).question,
  }).join('')
}
