import { createParser } from 'eventsource-parser'
import { Refusal } from '#server/foundation/refusal.ts'

/** A line longer than this is no answer of a language model, and neither is an event, in however many lines it comes. */
const MAX_LENGTH = 1_000_000

/** Reads the body of an event stream piece by piece. UTF-8 that is cut between two pieces, CR LF and comments are taken care of. */
export function eventReader() {
  const decoder = new TextDecoder()
  let events: string[] = []
  let isDone = false
  // The parser bounds what it keeps of an event. A line that it passes over it does not keep, nor see that it never ends.
  let unfinished = 0
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: MAX_LENGTH,
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') isTooLong = true
    },
    onEvent({ data }) {
      if (data === '[DONE]') isDone = true
      if (isDone) return
      events.push(data)
      isTooLong ||= data.length > MAX_LENGTH
    },
  })

  function taken(): string[] {
    const given = events
    events = []
    return given
  }

  return {
    /** Nothing that comes after `[DONE]` is read. */
    isDone: () => isDone,

    /** The data of all events that have become complete with this piece. */
    take(bytes: Uint8Array): string[] {
      const text = decoder.decode(bytes, { stream: true })
      parser.feed(text)
      const lineEnd = lastLineEnd(text)
      unfinished = lineEnd < 0 ? unfinished + text.length : text.length - lineEnd
      if (isTooLong || unfinished > MAX_LENGTH) throw new Refusal('openai.unknown', { reason: 'line' })
      return taken()
    },

    /** What the end of the body completes: some endpoints forget the empty line behind the last event. */
    end(): string[] {
      parser.feed('\n\n')
      return taken()
    },
  }
}

/** Most pieces end with a line; only others are looked through. */
function lastLineEnd(text: string): number {
  return text.at(-1) === '\n' ? text.length - 1 : Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'))
}
