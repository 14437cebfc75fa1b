import { isDeepStrictEqual } from 'node:util'
import type { Envelope, ValidationDetail } from '#contract/envelope.ts'
import type { AskFailure } from '#contract/messages.ts'
import { type RefusalKey, REFUSALS, type RefusalValues } from '#contract/refusals.ts'
import { DatabaseUnreachable } from './databaseErrors.ts'

type Fields = Readonly<Record<string, unknown>>
type Options = { cause?: unknown; detail?: ValidationDetail[] }

/** What a person is meant to read. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly key: RefusalKey
  readonly values: RefusalValues
  readonly detail: ValidationDetail[] | null

  constructor(key: RefusalKey, values: RefusalValues = {}, { cause, detail }: Options = {}) {
    super(`errors.${key}`, cause === undefined ? undefined : { cause })
    this.name = 'Refusal'
    this.key = key
    this.values = values
    this.detail = detail ?? null
  }
}

/** One field of a request is wrong: `loc` leads to it, from 'body', 'query' or 'path' on. */
export function invalid(loc: (string | number)[], msg: string, type = 'value_error'): Refusal {
  return new Refusal('requestValidationError', {}, { detail: [{ loc, msg, type }] })
}

/**
 * The fields whose stored value is neither what the sender saw (`expected`) nor what they send: somebody else has
 * changed them meanwhile.
 */
export function conflictsIn(path: readonly string[], stored: Fields, expected: Fields, sent: Fields) {
  return Object.entries(expected).flatMap(([field, seen]): ValidationDetail[] => {
    const now = stored[field]
    if (seen === undefined || now === undefined) return []
    if (isDeepStrictEqual(now, seen) || isDeepStrictEqual(now, sent[field])) return []
    return [{ loc: ['body', ...path, field], msg: JSON.stringify(now), type: 'changed_meanwhile' }]
  })
}

export function refuseConflicts(detail: ValidationDetail[]): void {
  if (detail.length > 0) throw new Refusal('changedMeanwhile', {}, { detail })
}

export function envelopeOf({ key, values, detail }: Refusal): Envelope {
  const given = valuesOf(values)
  return {
    code: REFUSALS[key].code,
    message: `errors.${key}`,
    // Older clients show it, and break at an object.
    result:
      (detail === null ? lineOf(values) : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')) || null,
    ...(given !== null && { values: given }),
    ...(detail !== null && { detail }),
  }
}

/** The values in one line, for clients that have no text with slots for them; blank when there are none. */
export function lineOf(values: RefusalValues): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
}

/** The refusal as a failed ask reports it, in its last event and in the history. */
export function askFailure({ key, values }: { key: string; values: RefusalValues }, charged: boolean): AskFailure {
  return { tip: `errors.${key}`, values: valuesOf(values), charged }
}

function valuesOf(values: RefusalValues): RefusalValues | null {
  for (const _ in values) return values
  return null
}

/** Of the system, and of PostgreSQL: disk_full. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100'])
/** Of the system, and of PostgreSQL: read_only_sql_transaction. */
const READ_ONLY = new Set(['EROFS', '25006'])
/** Of SQLite: FULL; and the index of the log, which could not grow. */
const SQLITE_FULL = new Set([13, 4874])
/** Of SQLite: READONLY and CANTOPEN with all that belongs to them, and IOERR when it writes, flushes or truncates. */
const SQLITE_READ_ONLY = new Set([8, 14])
const SQLITE_NOT_WRITTEN = new Set([778, 1034, 1290, 1546])

/** Errors within errors that are looked through. */
const DEEPEST = 5

/** What stores nothing at the moment, and does again by itself. */
const OF_STORAGE = ['diskFull', 'diskNotWritable', 'databaseUnreachable'] as const

/**
 * The refusal for what failed because the disk is full or takes nothing, or the database cannot be reached; null for
 * any other error. It is nobody's mistake, and passes without a restart.
 */
export function storageRefusalOf(error: unknown): Refusal | null {
  let cause = error
  for (let depth = 0; depth < DEEPEST && cause instanceof Error; depth++) {
    const key = keyOf(cause)
    if (key !== null) return new Refusal(key, {}, { cause: error })
    cause = cause.cause
  }
  return null
}

function keyOf(error: Error): (typeof OF_STORAGE)[number] | null {
  if (error instanceof Refusal) return OF_STORAGE.find(key => key === error.key) ?? null
  if (error instanceof DatabaseUnreachable) return 'databaseUnreachable'
  const code = 'code' in error ? String(error.code) : ''
  const errcode = 'errcode' in error ? Number(error.errcode) : 0
  if (FULL.has(code) || SQLITE_FULL.has(errcode)) return 'diskFull'
  return READ_ONLY.has(code) || SQLITE_READ_ONLY.has(errcode & 0xff) || SQLITE_NOT_WRITTEN.has(errcode)
    ? 'diskNotWritable'
    : null
}
