import { type Fields, isFields } from '../looseJson.ts'

/**
 * An answer as changes of its messages (the encoding that a stream calls `delta_encoding` v1): `p` is a path into a
 * message, `o` what is done there, `v` what with, `c` which message. A frame that leaves out `p` or `o` means those of
 * the frame before it.
 */
type Delta = { p?: unknown; o?: unknown; v?: unknown; c?: unknown }

/** A message that has changed: the event that it would be as a whole, and about how long that is. */
export type Changed = { event: Fields; length: number }

/** Messages of one answer. More are ignored. */
const MAX_DOCUMENTS = 400
const DEEPEST = 24
const MAX_PATH = 1_000
/** Entries of a list or an object that is changed within: each change makes a copy. */
const MAX_ENTRIES = 1_000
/** Operations in one frame. */
const MAX_OPERATIONS = 1_000
/** Characters of all texts that are truncated. */
const MAX_TRUNCATED = 64 * 1024 * 1024
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

export const isDelta = (fields: Fields): boolean =>
  Object.hasOwn(fields, 'v') && !Object.hasOwn(fields, 'message') && !Object.hasOwn(fields, 'type')

/**
 * Reads the changes of one answer. Where they make no sense nothing changes, and no more is kept than has come. `most`:
 * characters of all messages; what comes after them changes nothing.
 */
export function deltaReader(most: number) {
  const documents = new Map<number, Changed>()
  const left: Bounds = { operations: 0, truncated: MAX_TRUNCATED }
  let size = 0
  let current = 0
  let path = ''
  let operation = 'add'

  return {
    /** The message that the frame changes, by its number. `length`: characters of the frame. */
    take(frame: Delta, length: number): number | null {
      if (typeof frame.p === 'string') path = frame.p
      if (typeof frame.o === 'string') operation = frame.o
      const { c, v } = frame
      if (typeof c === 'number' && Number.isSafeInteger(c) && c >= 0 && c < MAX_DOCUMENTS) current = c
      const given = documents.get(current)
      const isWhole = path === '' && isFields(v) && Object.hasOwn(v, 'message')
      const added = typeof v === 'string' ? v.length : length
      size += added
      if (size > most) return null
      left.operations = MAX_OPERATIONS
      const event = isWhole ? v : changed(given?.event, { path, operation, value: v }, left)
      if (event === given?.event || !isFields(event)) return null
      documents.set(current, { event, length: isWhole ? length : (given?.length ?? 0) + added })
      return current
    },
    at: (number: number): Changed | undefined => documents.get(number),
  }
}

export type DeltaReader = ReturnType<typeof deltaReader>

type Operation = { path: string; operation: string; value: unknown }
type Bounds = { operations: number; truncated: number }

function changed(target: unknown, { path, operation, value }: Operation, left: Bounds): unknown {
  const names = namesIn(path)
  left.operations -= 1
  if (names === null || left.operations < 0) return target
  return changedAt(target, names, { operation, value, left })
}

/** The names in a path such as /message/content/parts/0; null for what is none. */
function namesIn(path: string): string[] | null {
  if (path === '' || path === '/') return []
  if (!path.startsWith('/') || path.length > MAX_PATH) return null
  const names = path
    .slice(1)
    .split('/')
    .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.length > DEEPEST || names.some(name => UNSAFE.has(name)) ? null : names
}

type Change = { operation: string; value: unknown; left: Bounds }

function changedAt(target: unknown, [name, ...names]: readonly string[], change: Change): unknown {
  if (name === undefined) return applied(target, change)
  if (Array.isArray(target)) return changedList(target, name, names, change)
  // Lists are not made by a path: it cannot say how long they are.
  if (target !== undefined && target !== null && !isFields(target)) return target
  const fields = target ?? {}
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (names.length === 0 && change.operation === 'remove') {
    const { [name]: _, ...others } = fields
    return before === undefined ? target : others
  }
  const after = changedAt(before, names, change)
  if (after === before || after === undefined) return target
  return Object.keys(fields).length > MAX_ENTRIES ? target : { ...fields, [name]: after }
}

function changedList(list: readonly unknown[], name: string, names: readonly string[], change: Change): unknown {
  const index = name === '-' ? list.length : /^\d{1,6}$/.test(name) ? Number(name) : -1
  if (index < 0 || index > list.length || list.length > MAX_ENTRIES) return list
  if (names.length === 0 && change.operation === 'add') return list.toSpliced(index, 0, change.value)
  if (names.length === 0 && change.operation === 'remove') return index < list.length ? list.toSpliced(index, 1) : list
  const after = changedAt(list[index], names, change)
  return after === list[index] || after === undefined ? list : list.toSpliced(index, 1, after)
}

function applied(target: unknown, { operation, value, left }: Change): unknown {
  switch (operation) {
    case 'add':
    case 'replace':
      return value
    case 'append':
      return appended(target, value)
    case 'truncate':
      return truncated(target, value, left)
    case 'patch':
      return patched(target, value, left)
    default:
      return target
  }
}

function appended(target: unknown, value: unknown): unknown {
  if (target === undefined || target === null) return value
  if (typeof target === 'string') return typeof value === 'string' ? target + value : target
  if (Array.isArray(target)) return target.length > MAX_ENTRIES ? target : target.concat(value)
  return isFields(target) && isFields(value) && Object.keys(target).length <= MAX_ENTRIES
    ? { ...target, ...value }
    : target
}

function truncated(target: unknown, length: unknown, left: Bounds): unknown {
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) return target
  if (typeof target !== 'string' && !Array.isArray(target)) return target
  left.truncated -= target.length
  return left.truncated < 0 ? target : target.slice(0, length)
}

/** Several operations, which may be patches in turn. */
function patched(target: unknown, value: unknown, left: Bounds): unknown {
  if (!Array.isArray(value)) return target
  let next = target
  let [path, operation] = ['', 'add']
  for (const each of value) {
    if (left.operations <= 0) break
    if (!isFields(each)) continue
    if (typeof each['p'] === 'string') path = each['p']
    if (typeof each['o'] === 'string') operation = each['o']
    next = changed(next, { path, operation, value: each['v'] }, left)
  }
  return next
}
