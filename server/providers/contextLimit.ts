import { Refusal } from '#server/foundation/refusal.ts'
import { readError } from './upstreamErrors.ts'

/** What an upstream says of a context that is full, in tokens; null for what it does not say. */
export type ContextLimit = {
  most: number | null
  /** What was asked needs so many, without the answer. */
  asked: number | null
  /** What the upstream keeps free for the answer. */
  answer: number | null
}

/** Of the context of a model. Any other number is none, whatever its upstream says. */
const PLAUSIBLE = { least: 256, most: 100_000_000 }
/** Characters of a refusal. */
const MAX_CHARACTERS = 8_000

const NUMBER = String.raw`(\d{1,3}(?:[,_']\d{3}){1,2}|\d{1,9})(?![\d.,]*\d)`
const patterns = (...sources: string[]): RegExp[] =>
  sources.map(
    source =>
      new RegExp(
        source.replaceAll('N', () => NUMBER),
        'i',
      ),
  )

const CONTEXT_LENGTH = patterns(
  // Anthropic, of a question and its answer
  String.raw`\d \+ \d{1,9} > N`,
  // Fields of their own: llama.cpp and what is made of it, TensorRT.
  String.raw`\b(?:n_ctx|max_(?:input|prompt|total|seq|sequence|model|context)_?(?:len(?:gth)?|tokens))\b["'\x60]?\W{0,6}(?:of |is )?N`,
  // OpenAI, vLLM, SGLang, xAI, LM Studio, llama.cpp, Fireworks, DeepSeek, OpenRouter
  String.raw`(?:context|prompt|input|sequence)[ _-](?:length|size|window|limit)(?: limit)?[ "'\x60)]{0,3}(?:is|of|:|\(|=)?[ (\[]{0,3}(?:only |just |at most |maximum of )?N`,
  // Anthropic
  String.raw`> ?N (?:tokens )?max`,
  // Mistral, Cerebras
  String.raw`\bN (?:tokens? )?(?:maximum|max\.?) context`,
  // Gemini, and gateways
  String.raw`max(?:imum)?(?: allowed)?(?: number of)?(?: input| prompt)? tokens?(?: allowed| limit| count)?[ :(]{1,3}(?:is |of )?N`,
  // Text Generation Inference, Together
  String.raw`must (?:be|have)(?: less than or equal to| less than| fewer than| at most| smaller than| ?<=?| ?≤){1} ?N`,
  // DashScope
  String.raw`length should be \[ ?\d{1,9} ?, ?N ?\]`,
  // Moonshot, Cohere, and others
  String.raw`(?:token limit|limit of tokens)[ :(]{1,3}(?:is |of )?N`,
  String.raw`(?:supports?|allows?|accepts?) (?:only )?(?:up to|at most) N`,
  String.raw`\blimit is N`,
  String.raw`(?:cannot|can not|must not|may not) exceed N`,
  String.raw`(?:limit|max(?:imum)?(?: size)?)(?: is| of|:|=)? ?\(?N ?(?:input |prompt )?tokens?`,
  String.raw`N[ -]tokens?(?: context| input| prompt)? (?:limit|maximum|window)`,
  String.raw`(?:最大|最多|上限|限制|不能超过|不得超过|超过|不超过)[^\d\n]{0,16}N`,
)
const ASKED = patterns(
  String.raw`N \+ \d{1,9} >`,
  String.raw`N(?: tokens)? in (?:the |your )?(?:messages|prompt|input)`,
  String.raw`\bn_prompt_tokens\b["']?\W{0,4}N`,
  String.raw`(?:resulted in|requested|contains?(?: at least)?|received|given:?|has|have|got|used?|needs?) ?(?:about |over |at least )?N(?: (?:input |prompt )?tokens|\b)`,
  String.raw`N (?:tokens )?> ?\d`,
  String.raw`token count(?: of| is)? ?\(?N`,
  String.raw`current length is N`,
  String.raw`(?:prompt|input) length \(N\)`,
  String.raw`too (?:long|large)[: (]{1,3}N`,
  String.raw`(?:input|prompt) ?\(N tokens?\)`,
)
const ANSWER = patterns(String.raw`N(?: tokens)? in (?:the )?(?:completion|response|output)`)
/** A limit of what an account may use in a time is none of the model. */
const OF_TIME = /per (?:minute|day|hour)|\bt(?:okens)?p[md]\b|rate[_ -]?limit/i

/** What the words of a refusal say of the context. */
export function contextLimitIn(words: string): ContextLimit {
  const text = words.slice(0, MAX_CHARACTERS)
  if (OF_TIME.test(text)) return { most: null, asked: null, answer: null }
  return { most: firstIn(text, CONTEXT_LENGTH), asked: firstIn(text, ASKED), answer: firstIn(text, ANSWER) }
}

function firstIn(text: string, all: readonly RegExp[]): number | null {
  for (const pattern of all) {
    const found = Number(pattern.exec(text)?.[1]?.replaceAll(/[,_']/g, ''))
    if (Number.isInteger(found) && found >= PLAUSIBLE.least && found <= PLAUSIBLE.most) return found
  }
  return null
}

const LIMITS = new WeakMap<Refusal, ContextLimit>()

/** Some have their numbers in fields of their own. */
const FIELDS = /"n_(?:ctx|prompt_tokens)"\s*:\s*\d{1,9}/g

/**
 * A refusal for a context that is full, with what it says of it in its words or fields (`text`); any other as it is.
 */
export function withContextLimit(refusal: Refusal, text: string): Refusal {
  if (refusal.key !== 'openai.contextTooLong') return refusal
  const fields = text.match(FIELDS)?.slice(0, 4).join('\n') ?? ''
  const limit = contextLimitIn(`${readError(text).words}\n${fields}`)
  const { most } = limit
  const refused =
    most === null
      ? refusal
      : new Refusal(refusal.key, { ...refusal.values, most_tokens: most }, { cause: refusal.cause })
  LIMITS.set(refused, limit)
  return refused
}

/** What a refusal has taught of the context; null for one that is not about it. */
export const contextLimitOf = (error: unknown): ContextLimit | null =>
  error instanceof Refusal ? (LIMITS.get(error) ?? null) : null
