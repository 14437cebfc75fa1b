import { tokensOf } from '../../answers/answer.ts'
import type { Random } from '../../answers/random.ts'
import { type Language, VOICES } from '../../answers/voice.ts'
import type { WebAccount } from '../state/account.ts'
import { aMessage, code, text, type WebContent, type WebMessage } from '../state/conversation.ts'
import type { WebAsk } from './request.ts'
import { growing, type Step } from './writer.ts'

/** What an answer is made of. */
export type ShapeContext = {
  ask: WebAsk
  account: WebAccount
  /** The text of the question without directives. */
  question: string
  language: Language
  random: Random
  /** A text prepared by the test; it replaces the shape's own last text. */
  prepared: string | undefined
}

/** The messages of an answer, in their order. */
export type Shape = (context: ShapeContext) => Step[]

/** The model calls a tool. */
export function called({ ask }: ShapeContext, recipient: string, words: string, language?: string): Step {
  const message = aMessage('assistant', code('', language), {
    recipient,
    end_turn: false,
    metadata: { model_slug: ask.model, finish_details: { type: 'stop' } },
  })
  return growing(message, tokensOf(words))
}

/** How long a tool works, in tokens at the pace of the answer. */
const WORK = 24

/** A tool answers, after it has worked for a while. */
export function replied(
  { ask }: ShapeContext,
  name: string,
  content: WebContent,
  metadata: Record<string, unknown> = {},
): Step {
  const message = aMessage('tool', content, { name, weight: 0, metadata: { model_slug: ask.model, ...metadata } })
  return { message, delay: WORK }
}

/** What the model says to the reader before it goes on. */
export function remark({ ask }: ShapeContext, words: string): Step {
  const message = aMessage('assistant', text(''), {
    end_turn: false,
    metadata: { model_slug: ask.model, finish_details: { type: 'stop' } },
  })
  return growing(message, tokensOf(words))
}

/** The last message: the prepared text, or that of the shape, which says that it is a demonstration. */
export function final(
  { ask, prepared, language }: ShapeContext,
  words: string,
  metadata: (words: string) => Record<string, unknown> = () => ({}),
): Step {
  const whole = prepared ?? `${words}\n\n${VOICES[language].text('closing')}`
  const message: WebMessage = aMessage('assistant', text(''), {
    end_turn: true,
    metadata: {
      model_slug: ask.model,
      finish_details: { type: 'stop', stop_tokens: [100260] },
      is_complete: true,
      ...(prepared === undefined && metadata(whole)),
    },
  })
  return growing(message, tokensOf(whole))
}

/** The beginning of the question on one line, to be quoted inside a sentence or a call. */
export function shortened(question: string, length = 40): string {
  const line = question
    .replace(/["'`*_#$\\[\]<>|~]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const letters = [...line]
  return letters.length > length ? `${letters.slice(0, length).join('')}…` : line
}

/** Citations of marks such as 【0†source】; their ranges count characters. */
export function citing(words: string, pages: Readonly<Record<string, Record<string, unknown>>>) {
  const citations = Object.entries(pages).flatMap(([mark, metadata]) =>
    [...words.matchAll(new RegExp(mark, 'g'))].map(({ index }) => {
      const start_ix = [...words.slice(0, index)].length
      return { start_ix, end_ix: start_ix + [...mark].length, citation_format_type: 'tether_og', metadata }
    }),
  )
  return { citations: citations.toSorted((one, other) => one.start_ix - other.start_ix) }
}
