import { type Fault, faultFrom } from './faults.ts'

/** What a `/simulate` line in a question asks for. */
export type Directives = {
  fault?: Fault
  /** Tokens per second; 0: as fast as read. */
  pace?: number
  /** Length of the answer in tokens. */
  tokens?: number
  seed?: number
  /** Answer with the remaining text of the question. */
  echo?: boolean
  /** Each token is the time at which it was sent, see stampNow. */
  stamp?: boolean
  /** All words of the line: a protocol may know more of them. */
  words?: Readonly<Record<string, string>>
}

const LINES = /^[ \t]*\/simulate\b(.*)$/gm
const MAX_TOKENS = 200_000

/**
 * Removes the directive lines from a question. The last one counts, because an earlier one may belong to a question
 * that was not answered and is sent again. Unknown words are ignored.
 */
export function readDirectives(question: string): { question: string; directives: Directives } {
  const line = [...question.matchAll(LINES)].at(-1)
  if (!line) return { question, directives: {} }
  const given: Record<string, string> = {}
  for (const word of (line[1] ?? '').trim().split(/\s+/)) {
    const [name = '', value = 'yes'] = word.split('=')
    given[name] = value
  }
  const directives: Directives = {
    fault: given.fault === undefined ? undefined : faultFrom(given.fault, given),
    pace: numberIn(given.pace),
    tokens: numberIn(given.tokens),
    seed: numberIn(given.seed),
    echo: given.echo !== undefined,
    stamp: given.stamp !== undefined,
    words: given,
  }
  if (directives.tokens !== undefined)
    directives.tokens = Math.min(Math.max(1, Math.floor(directives.tokens)), MAX_TOKENS)
  return { question: question.replace(LINES, '').trim(), directives }
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** Stamps wrap around after this many microseconds (36^5, about a minute), longer than any latency that is measured. */
export const STAMP_RANGE_US = 36 ** 5

/**
 * A token that is the time at which it is sent: five base-36 digits of microseconds of the monotonic clock, which all
 * processes of a machine share, and a space. It has the length of an ordinary token, so that bytes can be counted in
 * the same run.
 */
export function stampNow(): string {
  const now = Number((process.hrtime.bigint() / 1_000n) % BigInt(STAMP_RANGE_US))
  return `${now.toString(36).padStart(5, '0')} `
}
