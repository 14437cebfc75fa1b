import { beginningOf } from '../cutText.ts'
import { isRaw, type Raw, rawAt, textAt } from '../rawValues.ts'

/** Fields in which content of a new type may have words for people; ids, states and addresses of programs are none. */
const WORDS = new Set([
  'title',
  'name',
  'heading',
  'subtitle',
  'summary',
  'text',
  'content',
  'message',
  'description',
  'caption',
  'note',
  'result',
  'output',
  'output_str',
  'body',
  'markdown',
  'label',
  'value',
  'snippet',
  'question',
  'answer',
  'url',
])
/** Fields that only group what has words. */
const GROUPS = new Set(['parts', 'items', 'cards', 'sections', 'widget', 'widgets', 'state', 'data', 'entries', 'rows'])
/** Data in letters, such as a picture or a token. */
const ENCODED = /^[\w+/=.:;,-]{120,}$/
const DEEPEST = 5
const MAX_WORDS = 20_000

/** The words of content of a type that nobody knows here, a paragraph each; empty where there are none. */
export function wordsOf(raw: Raw): string {
  const found: string[] = []
  let length = 0
  const collect = (value: unknown, depth: number): void => {
    if (length >= MAX_WORDS || depth > DEEPEST) return
    if (typeof value === 'string') {
      const words = beginningOf(value, MAX_WORDS - length).trim()
      if (words === '' || ENCODED.test(words) || found.includes(words)) return
      found.push(words)
      length += words.length + 2
    } else if (Array.isArray(value)) for (const each of value.slice(0, 100)) collect(each, depth + 1)
    else if (isRaw(value)) collectFields(value, depth)
  }
  const collectFields = (fields: Raw, depth: number): void => {
    for (const name of [...WORDS, ...GROUPS]) if (Object.hasOwn(fields, name)) collect(fields[name], depth + 1)
  }
  collectFields(raw, 0)
  // An address alone is no words.
  return found.every(words => /^[a-z-]+:\/\/\S*$/i.test(words)) ? '' : found.join('\n\n')
}

export const isRecap = (message: Raw): boolean =>
  textAt(rawAt(message, 'content'), 'content_type') === 'reasoning_recap'

/** Units of time in a recap, in seconds: 4 s, 1m 12s, 2 分, 3 minit. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/(\d+(?:\.\d+)?)\s*(?:h\b|hours?|hrs?\b|小时|jam)/i, 3600],
  [/(\d+(?:\.\d+)?)\s*(?:m\b|min|分|minit)/i, 60],
  [/(\d+(?:\.\d+)?)\s*(?:s\b|sec|秒|saat)/i, 1],
]

/** The seconds of the thoughts before a recap; null where it has no number. */
export function recapSeconds(message: Raw): number | null {
  const stated = rawAt(message, 'metadata')['finished_duration_sec']
  if (typeof stated === 'number' && Number.isFinite(stated) && stated >= 0) return stated
  const content = rawAt(message, 'content')
  const text = (textAt(content, 'content') ?? textAt(content, 'text') ?? '').slice(0, 200)
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const found = unit.exec(text)?.[1]
    return found === undefined ? [] : [Number(found) * seconds]
  })
  return parts.length === 0 ? null : parts.reduce((sum, each) => sum + each, 0)
}
