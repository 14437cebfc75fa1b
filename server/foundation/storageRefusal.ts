import { Refusal } from './refusal.ts'

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

/** The refusal for what failed because the disk is full or takes nothing; null for any other error. It is nobody's mistake, and passes without a restart. */
export function storageRefusalOf(error: unknown): Refusal | null {
  let cause = error
  for (let depth = 0; depth < DEEPEST && cause instanceof Error; depth++) {
    const key = keyOf(cause)
    if (key !== null) return new Refusal(key, {}, { cause: error })
    cause = cause.cause
  }
  return null
}

function keyOf(error: Error): 'diskFull' | 'diskNotWritable' | null {
  if (error instanceof Refusal && (error.key === 'diskFull' || error.key === 'diskNotWritable')) return error.key
  const code = 'code' in error ? String(error.code) : ''
  const errcode = 'errcode' in error ? Number(error.errcode) : 0
  if (FULL.has(code) || SQLITE_FULL.has(errcode)) return 'diskFull'
  return READ_ONLY.has(code) || SQLITE_READ_ONLY.has(errcode & 0xff) || SQLITE_NOT_WRITTEN.has(errcode)
    ? 'diskNotWritable'
    : null
}
