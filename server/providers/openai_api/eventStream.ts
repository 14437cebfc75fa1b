import { createParser } from 'eventsource-parser'
import { Refusal } from '#server/foundation/refusal.ts'

/** A line longer than this is no answer of a language model. */
const MAX_LINE_LENGTH = 1_000_000

/**
 * The data of the events in a body, as many at once as have arrived together. Ends at `[DONE]` or at the end of the body.
 * UTF-8 that is cut between two pieces, CR LF and comments are taken care of.
 */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  let events: string[] = []
  // The parser keeps an unfinished line; what it has kept since the last event is bounded here.
  let unfinished = 0
  const parser = createParser({ onEvent: event => { events.push(event.data) } })
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true })
    parser.feed(text)
    const lineEnd = text.lastIndexOf('\n')
    unfinished = lineEnd < 0 ? unfinished + text.length : text.length - lineEnd
    if (unfinished > MAX_LINE_LENGTH || events.some(event => event.length > MAX_LINE_LENGTH)) throw new Refusal('openai.unknown', { reason: 'line' })
    const end = events.indexOf('[DONE]')
    if (end >= 0) {
      yield events.slice(0, end)
      return
    }
    if (events.length > 0) {
      yield events
      events = []
    }
  }
  // Some endpoints forget the empty line behind the last event.
  parser.feed('\n\n')
  if (events.length > 0) yield events.filter(event => event !== '[DONE]')
}
