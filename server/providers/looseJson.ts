import { setImmediate as nextMacrotask } from 'node:timers/promises'

export type Fields = Readonly<Record<string, unknown>>

/** Characters of a text that is looked through before it is parsed. */
const LONG_JSON = 128 * 1024
/** Values in a long text. One that is nothing but brackets takes a hundred times as long to parse as one of words. */
const MAX_VALUES = 200_000

/** `undefined` for what is not JSON, or has more values in it than an answer has. */
export function parsed(text: string): unknown {
  if (text.length >= LONG_JSON && hasMoreValues(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Counts what begins or parts values, outside of strings. */
function hasMoreValues(text: string): boolean {
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (at < 0) return false
    } else if ((code === COMMA || code === BRACKET || code === BRACE) && (values += 1) > MAX_VALUES) return true
  }
  return false
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** Where a string that begins here ends; -1 where it does not. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
    if ((at - first) % 2 === 0) return at
  }
  return -1
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field of an object; undefined for anything that is not an object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** Characters of a JSON document within a string that is looked into. */
const MAX_WITHIN = 20_000

/**
 * What a string says that is a JSON document itself, as gateways pass on the error of somebody else; anything else as
 * it is.
 */
export function unfolded(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > MAX_WITHIN || !/^\s*[[{]/.test(value)) return value
  return parsed(value) ?? value
}

/**
 * How deep a long document is taken apart. What is long and deeper than that is parsed in one step, if it has few
 * values.
 */
const MAX_DEPTH = 4
/** Brackets that are open at once, and members of one object or list. */
const MAX_NESTING = 200_000
const MAX_MEMBERS = 500_000
/** Milliseconds until others have their turn. */
const TURN_MS = 15

/**
 * Parses a document that may be long, member by member, so that nobody waits for the whole of it. `undefined` for what
 * is not JSON, or has more values in it than an answer has.
 */
export async function parsedInTurns(text: string): Promise<unknown> {
  if (text.length < LONG_JSON) return parsed(text)
  try {
    return await valueIn(text.trim(), MAX_DEPTH, openTurn())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

type Turn = ReturnType<typeof openTurn>

function openTurn() {
  let began = performance.now()
  return {
    isOver: (): boolean => performance.now() - began > TURN_MS,
    async next(): Promise<void> {
      await nextMacrotask()
      began = performance.now()
    },
  }
}

async function valueIn(text: string, depth: number, turn: Turn): Promise<unknown> {
  const [first, last] = [text[0], text.at(-1)]
  const isObject = first === '{' && last === '}'
  if (depth === 0 || text.length < LONG_JSON || !(isObject || (first === '[' && last === ']'))) return wholeValue(text)
  const members = await membersIn(text, turn)
  const values: unknown[] = []
  for (const member of members) {
    const { key, value } = isObject ? parted(member) : { key: null, value: member }
    const given = value.length < LONG_JSON ? wholeValue(value) : await valueIn(value.trim(), depth - 1, turn)
    values.push(key === null ? given : [key, given])
    if (turn.isOver()) await turn.next()
  }
  // These are pairs where it is an object; a member by the name of __proto__ is one like any other.
  return isObject ? Object.fromEntries(values as [string, unknown][]) : values
}

function wholeValue(text: string): unknown {
  const value = parsed(text)
  if (value === undefined) throw new SyntaxError('no JSON')
  return value
}

function parted(member: string): { key: string; value: string } {
  const from = member.indexOf('"')
  const end = from < 0 ? -1 : endOfString(member, from)
  const colon = end < 0 ? -1 : member.indexOf(':', end)
  if (colon < 0 || member.slice(0, from).trim() !== '' || member.slice(end + 1, colon).trim() !== '')
    throw new SyntaxError('no JSON')
  return { key: String(wholeValue(member.slice(from, end + 1))), value: member.slice(colon + 1) }
}

/** What stands between the commas of an object or a list. */
async function membersIn(text: string, turn: Turn): Promise<string[]> {
  const members: string[] = []
  const mark = /["{}[\],]/g
  let [depth, from] = [0, 1]
  mark.lastIndex = 1
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const at = found.index
    if (found[0] === '"') {
      const end = endOfString(text, at)
      if (end < 0) throw new SyntaxError('no JSON')
      mark.lastIndex = end + 1
    } else if (found[0] === '{' || found[0] === '[') depth += 1
    else if (found[0] !== ',') depth -= 1
    else if (depth === 0) {
      members.push(text.slice(from, at))
      from = at + 1
      if (members.length > MAX_MEMBERS) throw new SyntaxError('too much JSON')
    }
    if ((depth < 0 && at < text.length - 1) || depth > MAX_NESTING) throw new SyntaxError('no JSON')
    if ((at & 0x3f) === 0 && turn.isOver()) await turn.next()
  }
  const rest = text.slice(from, -1)
  if (members.length > 0 || rest.trim() !== '') members.push(rest)
  return members
}
