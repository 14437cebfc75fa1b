import { type Message, textOf, type Usage } from '#contract/messages.ts'

/** What an ask used. Null where nobody knows it: the upstream reported nothing, and there is no text to estimate it from. */
export type Tokens = { prompt_tokens: number | null; completion_tokens: number | null; tokens_estimated: boolean }

export const NO_TOKENS: Tokens = { prompt_tokens: null, completion_tokens: null, tokens_estimated: false }

/** Latin letters of a token on average. Han, kana, Hangul and what stands behind them take about one token each. */
const LETTERS = 4
const FIRST_OF_EAST_ASIA = 0x2e80

/** Most of a text that is looked at; the rest is taken to be like it. */
const SAMPLE = 20_000

/** What the upstream reported with the answer, else an estimate from the texts. `prompt`: what was sent; null when that is not known. */
export function tokensOf(answer: readonly Message[], prompt: readonly Message[] | null): Tokens {
  const reported = answer.map(usageOf).findLast(usage => usage !== null)
  if (reported) return { ...reported, tokens_estimated: false }
  return {
    prompt_tokens: prompt === null ? null : estimated(prompt),
    completion_tokens: estimated(answer.filter(({ role }) => role !== 'user')),
    tokens_estimated: true,
  }
}

function usageOf({ metadata }: Message): Usage | null {
  return metadata?.source === 'openai_api' ? (metadata.usage ?? null) : null
}

const estimated = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + estimatedTokens(allTextOf(message)), 0)

/** Thoughts are paid for, too. */
const allTextOf = (message: Message): string =>
  message.content?.content_type === 'thoughts' ? message.content.text : textOf(message)

/** About how many tokens a text has, in constant time. */
export function estimatedTokens(text: string): number {
  const looked = Math.min(text.length, SAMPLE)
  let dense = 0
  for (let at = 0; at < looked; at += 1) if (text.charCodeAt(at) >= FIRST_OF_EAST_ASIA) dense += 1
  const tokens = dense + (looked - dense) / LETTERS
  return looked === 0 ? 0 : Math.ceil((tokens * text.length) / looked)
}
