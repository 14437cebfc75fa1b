import { type ErrorCodes, wordsOfCode } from './errorCodes.ts'
import { type Fields, isFields, parsed, unfolded } from './looseJson.ts'

/** An error of an upstream. Its words are searched for what they mean, and shown to nobody. */
export type UpstreamError = {
  status: number | null
  codes: ErrorCodes
  words: string
  /**
   * A page for people in place of an error for programs: one that asks whether somebody is a human being, or any other.
   */
  page: 'challenge' | 'other' | null
  /** All of it, for what it says of time. */
  value: unknown
}

/** Characters of an error that are looked at. */
const MAX_CHARACTERS = 4_000
const DEEPEST = 8
/** Of a list of errors. */
const MAX_ERRORS = 5

/** The fields in which endpoints say what is wrong. Any other field may repeat the question. */
const WORDS = [
  'code',
  'type',
  'message',
  'msg',
  'status',
  'reason',
  'detail',
  'details',
  'description',
  'error_description',
  'error_msg',
  'error_message',
  'error_code',
  'error_type',
  'errorCode',
  'errorMessage',
  'status_msg',
  'title',
  'raw',
  'error',
  'errors',
  'innererror',
  'inner_error',
  'metadata',
  'base_resp',
  'violations',
  'quotaId',
  'quotaMetric',
  'header',
]
/** Where an error has the one that it passes on, or more of itself. */
const WITHIN = ['error', 'errors', 'innererror', 'inner_error', 'base_resp', 'detail', 'metadata', 'raw', 'header']
const CODES = ['code', 'error_code', 'errorCode', 'status_code'] as const
const TYPES = ['type', 'error_type', 'status'] as const

/** What is like a code: a word or a number, and nothing that could be a key or a name. */
const CODE = /^(?=.{1,64}$)(?:\d{1,6}|[A-Za-z]+(?:[_.-][A-Za-z]+)*(?:[_.-]?\d{1,3})?)$/

/** The beginning of a page of the web, whatever comes before it. */
const PAGE =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta|script|style|div|center|h1)\b/i
/** Such a page within what somebody else says of it. */
const PAGE_WITHIN = /<!doctype\s+html|<html[\s>]/

/** Pages that ask whether somebody is a human being, or keep programs away. */
const CHALLENGE =
  /just a moment|cf-chl|challenge-platform|challenges\.cloudflare|attention required|captcha|verify(?:ing)? (?:that )?you are (?:a )?human|checking your browser|enable javascript and cookies/i

export const isPage = (text: string): boolean => PAGE.test(text.slice(0, MAX_CHARACTERS))

/** The beginning of a body as it comes: a page may come in place of anything, whatever its headers say. */
export function bodyBeginning() {
  let text = ''
  let page: boolean | null = null
  return {
    take(bytes: Uint8Array): void {
      if (page !== null) return
      text += Buffer.from(bytes.subarray(0, MAX_CHARACTERS))
        .toString('latin1')
        .replace(/^\u00ef\u00bb\u00bf/, '')
      if (isPage(text)) page = true
      else if (text.length >= MAX_CHARACTERS || !/^\s*(?:<|$)/.test(text)) page = false
    },
    isPage: () => page === true,
    text: () => text,
  }
}

const kindOfPage = (page: string): UpstreamError['page'] => (CHALLENGE.test(page) ? 'challenge' : 'other')

/** An error as it stands in a body, an event or a line, whatever its form. */
export function readError(text: string): UpstreamError {
  const given = text.trim()
  // Plain words, or a page, which says nothing that is meant for programs.
  const error = toError(parsed(given) ?? (given.startsWith('<') ? '' : given))
  return isPage(given) ? { ...error, page: kindOfPage(given) } : error
}

export function toError(given: unknown): UpstreamError {
  const value = unfolded(given)
  const { status, codes, isOfBase } = namesIn(value)
  const words = wordsOf(value, DEEPEST).slice(0, MAX_CHARACTERS).toLowerCase()
  const known = wordsOfCode(codes, isOfBase)
  return {
    status,
    codes,
    words: known === '' ? words : `${words}${known}\n`,
    page: PAGE_WITHIN.test(words) ? kindOfPage(words) : null,
    value,
  }
}

/** The error that an event or a choice has in it; null where there is none. */
export function errorIn(value: unknown, hasChoices: boolean): UpstreamError | null {
  if (!isFields(value)) return null
  const { error } = value
  if (isSaid(error)) return toError(value)
  if (hasChoices || !isErrorItself(value)) return null
  return toError(value)
}

/** Without choices an event may itself be the error. */
function isErrorItself(value: Fields): boolean {
  if (
    value['object'] === 'error' ||
    value['type'] === 'error' ||
    value['status'] === 'error' ||
    isSaid(value['errors']) ||
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

function wordsOf(given: unknown, depth: number): string {
  const value = unfolded(given)
  if (typeof value === 'string' || typeof value === 'number') return `${String(value).slice(0, MAX_CHARACTERS)}\n`
  if (depth === 0) return ''
  if (Array.isArray(value))
    return value
      .slice(0, MAX_ERRORS)
      .map(each => wordsOf(each, depth - 1))
      .join('')
  return isFields(value) ? WORDS.map(name => wordsOf(value[name], depth - 1)).join('') : ''
}

type Names = { status: number | null; codes: ErrorCodes; isOfBase: boolean }
type Name = { code: string | undefined; type: string | undefined }

/** The status of HTTP that stands in the error itself, and what its outermost and its innermost part are called. */
function namesIn(given: unknown): Names {
  const found: Names = { status: null, codes: {}, isOfBase: false }
  const names: Name[] = []
  let level: unknown[] = [given]
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next: unknown[] = []
    for (const each of level) {
      const value = unfolded(each)
      if (Array.isArray(value)) next.push(...value.slice(0, MAX_ERRORS))
      if (!isFields(value)) continue
      found.status ??= statusOf(value)
      found.isOfBase ||= isFields(value['base_resp'])
      const [code, type] = [firstCode(value, CODES), firstCode(value, TYPES)]
      // Without a code the type is one.
      if (code !== undefined || type !== undefined)
        names.push({ code: code ?? type, type: code === undefined || code === type ? undefined : type })
      next.push(...WITHIN.flatMap(name => (value[name] === undefined ? [] : [value[name]])))
    }
    level = next
  }
  found.codes = codesOf(names[0], names.at(-1))
  return found
}

function codesOf(outer: Name | undefined, inner: Name | undefined): ErrorCodes {
  const [inner_code, inner_type] = [inner?.code, inner?.type]
  return {
    ...(outer?.code !== undefined && { code: outer.code }),
    ...(outer?.type !== undefined && { type: outer.type }),
    ...(inner_code !== undefined && inner_code !== outer?.code && { inner_code }),
    ...(inner_type !== undefined && inner_type !== outer?.type && { inner_type }),
  }
}

function firstCode(value: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const code = value[name]
    if ((typeof code === 'string' || typeof code === 'number') && CODE.test(String(code)) && code !== 'error')
      return String(code)
  }
  return undefined
}

function statusOf(value: Fields): number | null {
  for (const name of ['status', 'code', 'status_code']) {
    const status = Number(value[name])
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  }
  return null
}
