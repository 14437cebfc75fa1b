import type { RefusalKey } from '#contract/refusals.ts'
import { type Fields, isFields, parsed } from './looseJson.ts'

/** An error of an upstream. Its words are searched for what they mean, and shown to nobody. */
export type UpstreamError = { status: number | null; code: string | null; words: string }

/** Characters of an error that are looked at. */
const LONGEST = 4_000
const DEEPEST = 3

/** The fields in which endpoints say what is wrong. Any other field may repeat the question. */
const WORDS = [
  'code',
  'type',
  'message',
  'msg',
  'status',
  'reason',
  'detail',
  'error_msg',
  'error_code',
  'errorCode',
  'errorMessage',
  'status_msg',
  'title',
  'raw',
  'error',
  'innererror',
  'metadata',
  'base_resp',
]
const CODES = ['code', 'error_code', 'errorCode', 'type', 'status', 'status_code']

/** What is like a code: a word or a number, and nothing that could be a key or a name. */
const CODE = /^(?=.{1,64}$)(?:\d{1,6}|[A-Za-z]+(?:[_.-][A-Za-z]+)*(?:[_.-]?\d{1,3})?)$/

/** An error as it stands in a body, an event or a line, whatever its form. */
export function readError(text: string): UpstreamError {
  const given = text.trim()
  // Plain words, or a page, which says nothing that is meant for programs.
  return toError(parsed(given) ?? (given.startsWith('<') ? '' : given))
}

export function toError(value: unknown): UpstreamError {
  return {
    status: statusOf(value, DEEPEST),
    code: codeOf(value, DEEPEST),
    words: wordsOf(value, DEEPEST).slice(0, LONGEST).toLowerCase(),
  }
}

/** The error that an event or a choice has in it; null where there is none. */
export function errorIn(value: unknown, hasChoices: boolean): UpstreamError | null {
  if (!isFields(value)) return null
  const { error } = value
  if (isSaid(error)) return toError(error)
  if (hasChoices || !isErrorItself(value)) return null
  return toError(value)
}

/** Without choices an event may itself be the error. */
function isErrorItself(value: Fields): boolean {
  if (
    value['object'] === 'error' ||
    value['type'] === 'error' ||
    isSaid(value['error_msg']) ||
    isSaid(value['error_code']) ||
    isSaid(value['errorMessage'])
  )
    return true
  const base = value['base_resp']
  if (isFields(base) && isBadCode(base['status_code'])) return true
  return (
    (isBadCode(value['code']) && (isSaid(value['message']) || isSaid(value['msg']))) ||
    isSaid(value['detail']) ||
    value['success'] === false
  )
}

const isBadCode = (code: unknown): boolean =>
  isSaid(code) && !['0', '200', 'ok', 'success'].includes(String(code).toLowerCase())

function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function wordsOf(value: unknown, depth: number): string {
  if (typeof value === 'string' || typeof value === 'number') return `${String(value).slice(0, LONGEST)}\n`
  if (depth === 0) return ''
  if (Array.isArray(value))
    return value
      .slice(0, 5)
      .map(each => wordsOf(each, depth - 1))
      .join('')
  return isFields(value) ? WORDS.map(name => wordsOf(value[name], depth - 1)).join('') : ''
}

function within(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, 1)
  return isFields(value) ? [value['error'], value['innererror'], value['base_resp'], value['detail']] : []
}

function codeOf(value: unknown, depth: number): string | null {
  if (depth === 0) return null
  if (isFields(value)) {
    for (const name of CODES) {
      const code = value[name]
      if ((typeof code === 'string' || typeof code === 'number') && CODE.test(String(code))) return String(code)
    }
  }
  for (const inner of within(value)) {
    const code = codeOf(inner, depth - 1)
    if (code !== null) return code
  }
  return null
}

/** A status of HTTP that stands in the error itself. */
function statusOf(value: unknown, depth: number): number | null {
  if (depth === 0) return null
  if (isFields(value)) {
    for (const name of ['status', 'code', 'status_code']) {
      const status = Number(value[name])
      if (Number.isInteger(status) && status >= 400 && status <= 599) return status
    }
  }
  for (const inner of within(value)) {
    const status = statusOf(inner, depth - 1)
    if (status !== null) return status
  }
  return null
}

const FILTER =
  /content[_ -]?filter|content[_ ](?:management )?policy|responsibleaipolicy|data_?inspection_?failed|inappropriate content|safety (?:system|policy|settings|filter)|content_safety|moderation|sensitive[_ ](?:content|words?|information|topics?)|prohibited[_ ]content|content exists risk|敏感|违规|不合规/
const QUOTA =
  /insufficient[_ ](?:\w+[_ ])?(?:quota|balance|funds?|credits?)|(?:quota|balance|credits?|allowance)[^\n]{0,40}(?:exceeded|exhausted|used up|ran out|run out|depleted|too low|insufficient|not enough)|exceeded[^\n]{0,40}quota|out of (?:credits?|quota|funds)|allocationquota|(?:more|no|not enough) credits|billing[_ ](?:hard[_ ]limit|not[_ ]active)|payment[_ ]required|arrear|account ?overdue|欠费|余额不足|额度(?:不足|已用|用尽|耗尽)|配额/
const HARD_QUOTA = /insufficient[_ ]|billing|payment[_ ]required|arrear|欠费|余额不足/
const CONTEXT =
  /context_(?:length|window)_exceeded|(?:context|prompt|input|sequence)[_ ](?:length|size|window)|(?:prompt|input|request|messages?|conversation)(?: \w+){0,3} (?:is|are|was) too (?:long|large)|(?:prompt|input)(?: tokens?)? too (?:long|large)|request too large|max[_ ](?:seq_len|message tokens)|input length should be|inputs` tokens|too many (?:\w+ )?tokens|(?:input|prompt)[^\n]{0,60}(?:exceed|longer than)[^\n]{0,60}(?:token|length|limit|max)|exceed[^\n]{0,60}(?:context|token limit|maximum (?:number of )?(?:input |prompt )?tokens)|reduce (?:the length|your prompt)|string_above_max_length|max_prompt_tokens|上下文|输入[^\n]{0,10}过长|超[^\n]{0,12}长度|prompt 超长|tokens?数量不能超过/
const MODEL =
  /model_?not_?(?:found|exist|available|supported)|model_does_not_exist|deployment_?not_?found|invalid_?model|(?:model|deployment)\b[^\n]{0,120}(?:not found|not exist|doesn't exist|not available|no longer available|unknown model)|unknown model|no such model|not a valid model|invalid model|no (?:endpoints?|available channels?)[^\n]{0,60}(?:model|found)|模型[^\n]{0,60}(?:不存在|未找到|无可用)/

/** The refusal for an error that people can do something about; null for any other. */
export function meaningOf({ words }: UpstreamError, status: number | null, canBeAskedLater = false): RefusalKey | null {
  if (status === 401) return null
  // What is too much for a minute is no more than that.
  const isRate =
    status === 429 && (canBeAskedLater || /rate[_ -]?limit|per (?:minute|day|hour)|\btpm\b|\brpm\b/.test(words))
  if (status === 402 || (isRate ? HARD_QUOTA : QUOTA).test(words)) return 'openai.quota'
  if (status === 429 || status === 408) return null
  if (FILTER.test(words)) return 'openai.contentFilter'
  if (CONTEXT.test(words)) return status === 403 ? null : 'openai.contextTooLong'
  return status !== 403 && MODEL.test(words) ? 'openai.modelNotFound' : null
}
