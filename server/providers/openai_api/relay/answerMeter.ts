import { isFields, parsed } from '../../looseJson.ts'
import type { Metered, RelayKind } from '../../relay.ts'
import type { UpstreamError } from '../../upstreamErrors.ts'
import { type Noted, READERS } from './dialects.ts'
import { dataOf } from './events.ts'

/** Characters of a token on average; han, kana, hangul and what stands behind them take about one token each. */
const LETTERS = 4
const FIRST_OF_EAST_ASIA = 0x2e80

/** What becomes of an event: it is passed on, and perhaps the last; or it says what went wrong, and is not. */
type Passage = { error: UpstreamError | null; is_last: boolean; is_known: boolean }

/** Counts an answer as it passes. */
export function answerMeter(kind: RelayKind) {
  const read = READERS[kind]
  const seen: Metered = {
    has_output: false,
    input_tokens: null,
    cached_tokens: null,
    output_tokens: null,
    counted_tokens: 0,
  }
  let [letters, dense, length] = [0, 0, 0]
  let is_whole = false
  let is_known = false

  function count(text: string): void {
    length += text.length
    for (let at = 0; at < text.length; at += 1) {
      if (text.charCodeAt(at) >= FIRST_OF_EAST_ASIA) dense += 1
      else letters += 1
    }
  }

  function note({ texts, usage, has_output, ...event }: Noted): void {
    for (const text of texts) count(text)
    seen.input_tokens = usage?.input_tokens ?? seen.input_tokens
    seen.cached_tokens = usage?.cached_tokens ?? seen.cached_tokens
    seen.output_tokens = usage?.output_tokens ?? seen.output_tokens
    seen.has_output ||= has_output || (seen.output_tokens ?? 0) > 0
    is_whole ||= event.is_whole
    is_known ||= event.is_whole || has_output || usage !== null
  }

  return {
    /** An event of a stream. */
    takeEvent(event: Buffer): Passage {
      const said = dataOf(event)
      if (said === null) return { error: null, is_last: false, is_known: false }
      if (said.is_done) {
        is_whole ||= is_known
        return { error: null, is_last: true, is_known: true }
      }
      const fields = parsed(said.data)
      if (!isFields(fields)) return { error: null, is_last: false, is_known: false }
      const noted = read(fields)
      note(noted)
      return { error: noted.error, is_last: noted.is_last, is_known: true }
    },

    /** The one document that an answer is. */
    takeDocument(document: unknown): UpstreamError | null {
      if (!isFields(document)) return null
      const noted = read(document)
      note(noted)
      return noted.error
    },

    /** Characters that have passed. */
    length: () => length,
    hasOutput: () => seen.has_output,
    isWhole: () => is_whole,
    isKnown: () => is_known,
    seen: (): Metered => ({ ...seen, counted_tokens: Math.ceil(dense + letters / LETTERS) }),
  }
}
