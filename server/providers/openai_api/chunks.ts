import * as z from 'zod/mini'
import type { ApiCitedPage, Usage } from '#contract/messages.ts'
import { errorIn, type UpstreamError } from '#server/providers/upstreamErrors.ts'
import { pictureLinksIn, saidIn, type TextAndThoughts } from './content.ts'
import { type Fields, fieldOf, isFields, parsed } from '#server/providers/looseJson.ts'
import { sourcesIn } from './sources.ts'

/** What one event of the stream means. Upstreams differ and change: missing or odd fields are ignored. */
export type Chunk = TextAndThoughts & {
  /** The text of a message that is sent whole, in place of what is new of it; null where none is. */
  whole: TextAndThoughts | null
  /** Which of the choices says it. */
  choice: number | null
  finish: Finish | null
  /** What another choice says, once one is read. */
  other: OtherChoice | null
  usage: Usage | null
  error: UpstreamError | null
  sources: readonly ApiCitedPage[]
  /** Links to pictures that stand in fields of their own. */
  picture_links: readonly string[]
  /** Whether the model has begun to do something, such as to call a tool. */
  is_token: boolean
}

const Tokens = z.int().check(z.minimum(0), z.maximum(1_000_000_000))
/** Stored with the answer. Implausible values are dropped without losing the text. */
const PlainUsage = z.object({ prompt_tokens: Tokens, completion_tokens: Tokens })

/** Choices of one answer. A larger index is ignored. */
const MAX_CHOICES = 128

type Choice = TextAndThoughts & {
  index: number
  whole: TextAndThoughts | null
  finish: Finish | null
  error: UpstreamError | null
  is_token: boolean
}

/**
 * `null` for an event that is not JSON or not of this protocol. `chosen` is the choice that brought text before: others
 * say nothing any more.
 */
export function fromUpstream(event: string, chosen: number | null = null): Chunk | null {
  const fields = parsed(event)
  if (!isFields(fields)) return null
  const given = fields['choices']
  if (given !== undefined && given !== null && !Array.isArray(given)) return null
  const choices = (given ?? []).map(toChoice).toSorted((a, b) => a.index - b.index)
  const spoken =
    chosen === null
      ? (wholeOf(choices) ?? choices.find(saysText) ?? choices.find(saysAnything) ?? choices[0])
      : choices.find(({ index }) => index === chosen)
  const other = chosen === null ? undefined : choices.find(each => each.index !== chosen && saysTextOrEnd(each))
  return {
    text: spoken?.text ?? '',
    thoughts: spoken?.thoughts ?? '',
    whole: spoken?.whole ?? null,
    choice: spoken?.index ?? null,
    finish: spoken?.finish ?? null,
    other:
      other === undefined
        ? null
        : { choice: other.index, text: other.text || (other.whole?.text ?? ''), finish: other.finish },
    usage: usageIn(fields),
    error: errorIn(fields, choices.length > 0) ?? choices.find(({ error }) => error !== null)?.error ?? null,
    sources: sourcesIn(fields),
    picture_links: event.includes('"image') ? linksIn(given ?? []) : [],
    is_token: choices.some(choice => choice.is_token || saysText(choice) || choice.thoughts !== ''),
  }
}

const linksIn = (choices: readonly unknown[]): string[] =>
  choices.flatMap(choice => ['delta', 'message'].flatMap(name => pictureLinksIn(fieldOf(choice, name))))

function toChoice(choice: unknown, at: number): Choice {
  const [delta, message] = [fieldOf(choice, 'delta'), fieldOf(choice, 'message')]
  const given = fieldOf(choice, 'index')
  const index = typeof given === 'number' && Number.isInteger(given) && given >= 0 && given < MAX_CHOICES ? given : at
  // Some send the text as it was sent before there were chats.
  const news = saidIn(delta ?? { content: fieldOf(choice, 'text') })
  const whole = message === undefined || message === null ? null : saidIn(message)
  return {
    ...news,
    index,
    whole: whole !== null && whole.text + whole.thoughts === '' ? null : whole,
    finish: finishOf(fieldOf(choice, 'finish_reason')),
    error: errorIn(choice, true),
    is_token: callsTool(delta) || callsTool(message),
  }
}

/** Several whole messages in one document are one answer in parts: nobody has asked for more than one. */
function wholeOf(choices: readonly Choice[]): Choice | null {
  const parts = choices.filter(({ text, whole }) => text === '' && whole !== null && whole.text !== '')
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined || first === last) return null
  const [text, thoughts] = [
    parts.map(({ whole }) => whole?.text ?? ''),
    parts.map(({ whole }) => whole?.thoughts ?? ''),
  ]
  return { ...last, index: first.index, whole: { text: text.join(''), thoughts: thoughts.join('') } }
}

const callsTool = (message: unknown): boolean =>
  isFields(message) && (isList(message['tool_calls']) || isFields(message['function_call']))

const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0

const saysText = ({ text, whole }: Choice): boolean => text !== '' || (whole !== null && whole.text !== '')
const saysAnything = ({ thoughts, whole, finish }: Choice): boolean =>
  thoughts !== '' || whole !== null || finish !== null

const saysTextOrEnd = (choice: Choice): boolean => saysText(choice) || choice.finish !== null

/** Beside the choices, within one (Moonshot), or in a field of the endpoint's own (Groq). */
export function usageIn(fields: Fields): Usage | null {
  const beside = usageOf(fields['usage']) ?? usageOf(fieldOf(fields['x_groq'], 'usage'))
  const { choices } = fields
  if (beside !== null || !Array.isArray(choices)) return beside
  for (const choice of choices) {
    for (const each of [choice, fieldOf(choice, 'delta'), fieldOf(choice, 'message')]) {
      const usage = usageOf(fieldOf(each, 'usage'))
      if (usage !== null) return usage
    }
  }
  return null
}

/** Almost every event has none, and a schema takes long to say what is wrong with that. */
export function usageOf(value: unknown): Usage | null {
  if (value === undefined || value === null) return null
  const named = isFields(value) && 'input_tokens' in value && !('prompt_tokens' in value) ? inOurNames(value) : value
  const usage = PlainUsage.safeParse(named).data ?? null
  if (usage === null || !isFields(value)) return usage
  const cached_tokens = Math.min(cachedIn(value), usage.prompt_tokens)
  return cached_tokens === 0 ? usage : { ...usage, cached_tokens }
}

/** As OpenAI says it, as its later calls do, DeepSeek, and Anthropic. */
function cachedIn(usage: Fields): number {
  const details = usage['prompt_tokens_details'] ?? usage['input_tokens_details']
  const said = [
    fieldOf(details, 'cached_tokens'),
    usage['prompt_cache_hit_tokens'],
    usage['cache_read_input_tokens'],
    usage['cached_tokens'],
  ]
  return said.map(each => Tokens.safeParse(each).data ?? 0).find(each => each > 0) ?? 0
}

const inOurNames = ({ input_tokens, output_tokens }: Fields): Fields => ({
  prompt_tokens: input_tokens,
  completion_tokens: output_tokens,
})

/** What another choice than the one that is read says. */
type OtherChoice = { choice: number; text: string; finish: Finish | null }

/**
 * Events in which one choice alone has spoken before it is taken for the rest, although the one before has not said
 * that it ended.
 */
const MIN_EVENTS_OF_CONTINUATION = 16

/**
 * Some endpoints go on with an answer in another choice; others send several answers at once, which nobody has asked
 * for. What another choice says is held until the one that is read ends, or says nothing more: then it is the rest. If
 * that one speaks again, it is another answer.
 */
export function furtherChoices() {
  const others = new Set<number>()
  let held: (OtherChoice & { events: number; isBehindEnd: boolean }) | null = null

  /**
   * The rest, if it is known now to be one. `finish`: how the choice that was `read` until now has ended; what that may
   * still say is no part of the answer.
   */
  function continuation(finish: Finish | null, isOver: boolean, read: number | null): OtherChoice | null {
    if (held === null || (finish === null && held.events < MIN_EVENTS_OF_CONTINUATION && !isOver)) return null
    const { choice, text, isBehindEnd } = held
    const ended = held.finish ?? (isBehindEnd ? null : finish)
    held = null
    if (read !== null) others.add(read)
    return { choice, text, finish: ended }
  }

  return {
    /** The choice that is read has spoken. */
    noteSpoken(): void {
      if (held !== null) others.add(held.choice)
      held = null
    },
    /** Another one has. `together`: in the same event as the one that is read, which therefore goes on. */
    note({ choice, text, finish }: OtherChoice, together: boolean, hasEnded: boolean): void {
      if (together) others.add(choice)
      if (others.has(choice) || (held !== null && held.choice !== choice) || (held === null && text === '')) return
      held ??= { choice, text: '', finish: null, events: 0, isBehindEnd: hasEnded }
      held.text += text
      held.finish ??= finish
      held.events += 1
    },
    continuation,
  }
}

/**
 * What an endpoint says why its answer ended. `unknown` is no known good end, so that the answer is not taken for a
 * whole one.
 */
export type Finish = { kind: 'whole' | 'filtered' | 'unknown'; reason: string | null }

/** By letters alone: endpoints differ in case, and in what parts the words. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  stop: [
    'stop',
    'stopsequence',
    'stopstring',
    'stoptoken',
    'stopword',
    'eos',
    'eostoken',
    'end',
    'endturn',
    'endofturn',
    'endoftext',
    'complete',
    'completed',
    'finish',
    'finished',
  ],
  length: [
    'length',
    'lengthlimit',
    'maxlength',
    'maxtokens',
    'maxnewtokens',
    'maxoutputtokens',
    'maxcompletiontokens',
    'maxtokensreached',
    'outputlimit',
    'tokenlimit',
    'modellength',
    'contextlength',
    'modelcontextwindowexceeded',
  ],
  tool_calls: ['toolcalls', 'toolcall', 'tooluse'],
  function_call: ['functioncall', 'functioncalls'],
  content_filter: [
    'contentfilter',
    'contentfiltered',
    'contentpolicy',
    'contentpolicyviolation',
    'filter',
    'filtered',
    'safety',
    'imagesafety',
    'prohibitedcontent',
    'blocklist',
    'spii',
    'recitation',
    'sensitive',
    'refusal',
    'moderation',
    'guardrail',
    'guardrailintervened',
    'errortoxic',
  ],
}
const BY_LETTERS = new Map(
  Object.entries(KNOWN).flatMap(([reason, spellings]) => spellings.map(spelling => [spelling, reason] as const)),
)

/** `null` where nothing is said: while an answer goes on, that is null or empty. */
export function finishOf(given: unknown): Finish | null {
  if (given === undefined || given === null || given === '' || given === false) return null
  if (typeof given !== 'string') return { kind: 'unknown', reason: null }
  const letters = given
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/^finishreason(?=.)/, '')
  const known = BY_LETTERS.get(letters)
  if (known !== undefined) return { kind: known === 'content_filter' ? 'filtered' : 'whole', reason: known }
  return { kind: 'unknown', reason: /^[\w.-]{1,64}$/.test(given) ? given : null }
}
