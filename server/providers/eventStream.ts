import { Refusal } from '#server/foundation/refusal.ts'
import { parsed } from './looseJson.ts'

/**
 * Characters. A line longer than this is no answer of a language model, and neither is an event, in however many lines
 * it comes, where each brings what is new…
 */
const MAX_LENGTH = 1_000_000
/** …unless it brings a picture within its text. */
const MAX_WITH_PICTURE = 8 * 1024 * 1024
const PICTURE = ';base64,'

const DONE = '[DONE]'

type State = {
  longest: number
  /** Pieces of a line that has not ended, and how long they are together. */
  unfinished: string[]
  unfinished_length: number
  /** A line end that came last was CR: a LF behind it belongs to it. */
  skips_lf: boolean
  /** Whether a line that is too long otherwise had one in it. */
  has_picture: boolean
  /**
   * Of the event that has not ended, and whether that says something by itself: null where it was not looked at yet.
   */
  data: string | null
  is_whole: boolean | null
  /** Brackets and quotes that are open in it, where it has several lines. */
  nesting: Nesting
  name: string
  events: string[]
  is_done: boolean
  error: string | null
  /** The body so far, where it is no stream of events but one JSON document. */
  document: string[] | null
  document_length: number
  /** Whether its first line may be a document of its own, with more behind it. */
  may_be_lines: boolean
}

/**
 * Reads a body piece by piece: as a stream of events, or as one JSON document where it begins like one. Beyond what the
 * standard allows it takes events that are parted by single line ends, JSON without a field's name, and a line or an
 * event that says `error`. UTF-8 that is cut between two pieces, each kind of line end and comments are taken care of.
 */
export function eventReader({ most_of_document = MAX_WITH_PICTURE, longest = MAX_LENGTH } = {}) {
  const decoder = new TextDecoder()
  const state: State = {
    longest,
    unfinished: [],
    unfinished_length: 0,
    skips_lf: false,
    has_picture: false,
    data: null,
    is_whole: null,
    nesting: NO_NESTING,
    name: '',
    events: [],
    is_done: false,
    error: null,
    document: null,
    document_length: 0,
    may_be_lines: true,
  }
  let hasBegun = false

  function read(text: string): string[] {
    if (!hasBegun && /\S/.test(text)) {
      hasBegun = true
      if (/^\s*[[{]/.test(text)) state.document = []
    }
    if (state.document !== null) addToDocument(state, text, most_of_document)
    else readLines(state, text)
    const { events } = state
    state.events = []
    return events
  }

  return {
    /** Nothing that comes after `[DONE]` or an error is read. */
    isDone: () => state.is_done,
    /** What the stream said in place of an answer. */
    error: () => state.error,
    isDocument: () => state.document !== null,
    /** The one document that the body is, as far as it has come; null for a stream of events. */
    document: () => state.document?.join('') ?? null,

    /** The data of all events that have become complete with this piece. */
    take: (bytes: Uint8Array): string[] => (state.is_done ? [] : read(decoder.decode(bytes, { stream: true }))),

    /** What the end of the body completes: some endpoints forget the empty line behind the last event. */
    end(): string[] {
      if (state.is_done) return []
      return state.document === null ? read(`${decoder.decode()}\n\n`) : read(decoder.decode())
    },
  }
}

function addToDocument(state: State, text: string, most: number): void {
  state.document?.push(text)
  state.document_length += text.length
  if (state.document_length > most) throw tooLong()
  if (!state.may_be_lines || state.document_length > MAX_LENGTH || !/[\r\n]/.test(text)) return
  const whole = (state.document?.join('') ?? '').trimStart()
  const end = whole.search(/[\r\n]/)
  if (end < 0 || whole.slice(end).trimStart() === '') return
  state.may_be_lines = false
  // Events without anything around them, one on each line.
  if (!isWholeObject(whole.slice(0, end))) return
  state.document = null
  readLines(state, whole)
}

function readLines(state: State, given: string): void {
  let text = state.skips_lf && given.startsWith('\n') ? given.slice(1) : given
  if (given !== '') state.skips_lf = given.endsWith('\r')
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
  let from = 0
  for (let end = text.indexOf('\n'); end >= 0 && !state.is_done; end = text.indexOf('\n', from)) {
    const line = text.slice(from, end)
    from = end + 1
    const beginning = state.unfinished_length === 0 ? '' : state.unfinished.splice(0).join('')
    state.unfinished_length = 0
    readLine(state, beginning + line)
  }
  if (state.is_done) return
  if (from < text.length) {
    state.unfinished.push(text.slice(from))
    state.unfinished_length += text.length - from
    requireShort(state)
  } else if (isWhole(state)) {
    // The empty line that should end it may never come, and somebody waits.
    dispatch(state)
  }
}

function readLine(state: State, line: string): void {
  if (line === '') return dispatch(state)
  if (line.startsWith('data:')) {
    if (isWhole(state)) dispatch(state)
    if (state.is_done) return
    addData(state, line.slice(line.charCodeAt(5) === 32 ? 6 : 5))
  } else if (line.startsWith('event:')) {
    if (isWhole(state)) dispatch(state)
    state.name = line.slice(6).trim().toLowerCase()
  } else if (/^error\s*:/i.test(line)) {
    end(state, line.slice(line.indexOf(':') + 1).trim())
  } else if (line.startsWith('{') && isWholeObject(line)) {
    dispatch(state)
    state.data = line
    dispatch(state)
  }
}

function addData(state: State, value: string): void {
  const { data } = state
  if (data === null) state.data = value
  else {
    // Each line is looked at once, however many there are.
    if (state.nesting === NO_NESTING) state.nesting = nestingAfter(NO_NESTING, data)
    state.nesting = nestingAfter(state.nesting, value)
    state.data = `${data}\n${value}`
  }
  state.is_whole = null
  if ((state.data?.length ?? 0) > state.longest) requireShort(state)
}

function dispatch(state: State): void {
  const { data, name } = state
  state.data = null
  state.is_whole = null
  state.nesting = NO_NESTING
  state.name = ''
  if (name === 'error') end(state, data ?? '')
  else if (data?.trim() === DONE) end(state, null)
  else if (data !== null && data !== '' && !state.is_done) state.events.push(data)
}

function end(state: State, error: string | null): void {
  if (state.is_done) return
  state.is_done = true
  state.error = error
}

/** Whether what there is of an event says something by itself, so that no further line belongs to it. */
function isWhole(state: State): boolean {
  const { data, nesting } = state
  if (data === null) return false
  if (state.is_whole !== null) return state.is_whole
  const isOneLine = nesting === NO_NESTING
  state.is_whole = isOneLine ? data.trim() === DONE || isWholeObject(data) : nesting.closed && isWholeObject(data)
  // What is closed and says nothing never will.
  if (nesting.closed) state.nesting = HOPELESS
  return state.is_whole
}

const isWholeObject = (data: string): boolean =>
  data.startsWith('{') && data.trimEnd().endsWith('}') && parsed(data) !== undefined

/** How deep an object is open, whether within a string, and whether the last line closed it. */
type Nesting = { depth: number; in_string: boolean; closed: boolean }
const NO_NESTING: Nesting = { depth: 0, in_string: false, closed: false }
const HOPELESS: Nesting = { depth: -1, in_string: false, closed: false }

function nestingAfter(before: Nesting, line: string): Nesting {
  if (before.depth < 0) return HOPELESS
  let { depth, in_string } = before
  for (const [mark] of line.matchAll(/\\.|["{}[\]]/g)) {
    if (mark === '"') in_string = !in_string
    else if (!in_string && (mark === '{' || mark === '[')) depth += 1
    else if (!in_string && (mark === '}' || mark === ']')) depth -= 1
    if (depth < 0) return HOPELESS
  }
  // Without any bracket it is no object.
  if (depth === 0 && !in_string && !line.includes('}')) return HOPELESS
  return { depth, in_string, closed: depth === 0 && !in_string }
}

function requireShort(state: State): void {
  const { unfinished, unfinished_length, data, longest } = state
  const length = unfinished_length + (data?.length ?? 0)
  if (length <= longest) return
  state.has_picture ||= unfinished.join('').includes(PICTURE) || data?.includes(PICTURE) === true
  if (length > Math.max(longest, MAX_WITH_PICTURE) || !state.has_picture) throw tooLong()
}

const tooLong = (): Refusal => new Refusal('openai.unknown', { reason: 'line' })

/** What may come in a row without a word of an answer: bytes, whatever they are, and events that nobody knows. */
const MAX_SILENT = { bytes: 32 * 1024 * 1024, events: 10_000 }

/** Bounds what comes and says nothing, such as comments, for as long as it does. */
export function silenceBound() {
  let bytes = 0
  let events = 0
  return {
    /** Throws a refusal where it is too much. */
    note(more: { bytes: number; unknown_events: number; says: boolean }): void {
      if (more.says) {
        bytes = 0
        events = 0
      }
      bytes += more.bytes
      events += more.unknown_events
      if (bytes > MAX_SILENT.bytes || events > MAX_SILENT.events)
        throw new Refusal('openai.unknown', { reason: 'junk' })
    },
  }
}
