import { Refusal } from '#server/foundation/refusal.ts'
import { parsed } from './looseJson.ts'

/**
 * Characters. A line longer than this is no answer of a language model, and neither is an event, in however many lines it comes, where each
 * brings what is new…
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
  /** Of the event that has not ended. */
  data: string | null
  name: string
  events: string[]
  is_done: boolean
  error: string | null
  /** The body so far, where it is no stream of events but one JSON document. */
  document: string[] | null
  document_length: number
}

/**
 * Reads a body piece by piece: as a stream of events, or as one JSON document where it begins like one. Beyond what the standard allows it
 * takes events that are parted by single line ends, JSON without a field's name, and a line or an event that says `error`. UTF-8 that is cut
 * between two pieces, each kind of line end and comments are taken care of.
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
    name: '',
    events: [],
    is_done: false,
    error: null,
    document: null,
    document_length: 0,
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
  } else if (state.data !== null && isWhole(state.data)) {
    // The empty line that should end it may never come, and somebody waits.
    dispatch(state)
  }
}

function readLine(state: State, line: string): void {
  if (line === '') return dispatch(state)
  if (line.startsWith('data:')) {
    if (state.data !== null && isWhole(state.data)) dispatch(state)
    if (state.is_done) return
    const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5)
    state.data = state.data === null ? value : `${state.data}\n${value}`
    if (state.data.length > state.longest) requireShort(state)
  } else if (line.startsWith('event:')) {
    if (state.data !== null && isWhole(state.data)) dispatch(state)
    state.name = line.slice(6).trim().toLowerCase()
  } else if (/^error\s*:/i.test(line)) {
    end(state, line.slice(line.indexOf(':') + 1).trim())
  } else if (line.startsWith('{') && isWhole(line)) {
    dispatch(state)
    state.data = line
    dispatch(state)
  }
}

function dispatch(state: State): void {
  const { data, name } = state
  state.data = null
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

/** Whether it says something by itself, so that no further line belongs to it. */
const isWhole = (data: string): boolean =>
  data.trim() === DONE || (data.startsWith('{') && data.trimEnd().endsWith('}') && parsed(data) !== undefined)

function requireShort(state: State): void {
  const { unfinished, unfinished_length, data, longest } = state
  const length = unfinished_length + (data?.length ?? 0)
  if (length <= longest) return
  state.has_picture ||= unfinished.join('').includes(PICTURE) || data?.includes(PICTURE) === true
  if (length > Math.max(longest, MAX_WITH_PICTURE) || !state.has_picture) throw tooLong()
}

const tooLong = (): Refusal => new Refusal('openai.unknown', { reason: 'line' })
