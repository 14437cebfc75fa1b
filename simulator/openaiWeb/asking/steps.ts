import { type WebMessage, withText } from '../conversation.ts'

/** One message of an answer: whole at once, or growing by tokens. A token may be computed when it is sent. */
export type Step = {
  message: WebMessage
  tokens?: { count: number; token: (index: number) => string }
  /** The pause before it, in tokens at the pace of the answer. */
  delay?: number
}

/** A message after one event, and the text that the event added. */
type StepEvent = { message: WebMessage; added: string; is_last: boolean }

/**
 * One line of the answer's stream, and the text that it adds to the answer; null where time passes. `raw` replaces the
 * whole event.
 */
export type AnswerEvent = { data: string; added: string; raw?: string } | null

/** How an answer ends: whole; without saying so; by a broken connection; not at all. */
export type AnswerEnd = 'complete' | 'no_done' | 'cut' | 'stall'

type Options = { chunk?: number; shrink_after?: number }

/**
 * Maximum of tokens in all snapshots of a message. A long message grows by more tokens at once, or its snapshots would
 * be gigabytes.
 */
const MAX_SENT = 16_000_000

/** The events of one step: a snapshot for each `chunk` tokens, then the message as it stays. */
export function* eventsOf(
  { message, tokens }: Step,
  { chunk: wanted = 1, shrink_after }: Options = {},
): Generator<StepEvent> {
  if (!tokens) {
    yield { message, added: '', is_last: true }
    return
  }
  const chunk = Math.max(wanted, Math.ceil(tokens.count ** 2 / 2 / MAX_SENT))
  let words = ''
  for (let index = 0; index < tokens.count; index += chunk) {
    let added = ''
    for (let at = index; at < Math.min(index + chunk, tokens.count); at += 1) added += tokens.token(at)
    words += added
    if (shrink_after !== undefined && index <= shrink_after && shrink_after < index + chunk)
      words = words.slice(0, words.length / 2)
    const { finish_details: _, ...metadata } = message.metadata
    const partial = { ...withText(message, words), status: 'in_progress', end_turn: null, metadata }
    yield { message: partial, added, is_last: false }
  }
  yield { message: withText(message, words), added: '', is_last: true }
}

export const growing = (message: WebMessage, tokens: readonly string[]): Step => ({
  message,
  tokens: { count: tokens.length, token: index => tokens[index] ?? '' },
})
