import { isRecord, parseJson } from '../../http.ts'
import type { AnswerEnd, AnswerEvent } from './steps.ts'

type Change = { p: string; o: string; v: unknown }

const BEGIN = 'event: delta_encoding\ndata: "v1"\n\n'

/** The same events, with messages as changes (`delta_encoding` v1), as the service streams since 2025, and notices between them. */
export function* asDeltas(events: Iterator<AnswerEvent, AnswerEnd>): Generator<AnswerEvent, AnswerEnd> {
  let latest: Record<string, unknown> | undefined
  let number = 0
  let path = ''
  yield { raw: BEGIN, data: '', added: '' }
  yield notice({ type: 'resume_conversation_token', token: 'none' })
  for (let next = events.next(); ; next = events.next()) {
    if (next.done) {
      yield notice({ type: 'message_stream_complete' })
      return next.value
    }
    const event = next.value
    const body = event === null || event.raw !== undefined ? undefined : parseJson(event.data)
    if (event === null || !isRecord(body) || !isRecord(body.message)) {
      yield event
      continue
    }
    const { message } = body
    if (message.id !== latest?.id) {
      yield delta(event.added, { p: '', o: 'add', v: body, c: number })
      if (number === 1) yield notice({ type: 'message_marker', marker: 'user_visible_token', event: 'first' })
      number += 1
      path = ''
    } else {
      const changes = changesOf(latest, message, '/message')
      const [first] = changes
      if (changes.length === 1 && first?.o === 'append') {
        yield delta(event.added, first.p === path ? { v: first.v } : first)
        path = first.p
      } else if (changes.length > 0) {
        yield delta(event.added, { p: '', o: 'patch', v: changes })
        path = ''
      }
    }
    latest = message
  }
}

const notice = (body: unknown): AnswerEvent => ({ data: JSON.stringify(body), added: '' })

const delta = (added: string, body: unknown): AnswerEvent => ({
  raw: `event: delta\ndata: ${JSON.stringify(body)}\n\n`,
  data: '',
  added,
})

/** What makes one value of the other. */
function changesOf(one: unknown, other: unknown, path: string): Change[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  if (typeof one === 'string' && typeof other === 'string' && other.startsWith(one))
    return [{ p: path, o: 'append', v: other.slice(one.length) }]
  if (typeof one === 'string' && typeof other === 'string' && one.startsWith(other))
    return [{ p: path, o: 'truncate', v: other.length }]
  const isSameList = Array.isArray(one) && Array.isArray(other) && one.length === other.length
  if (!isSameList && !(isRecord(one) && isRecord(other))) return [{ p: path, o: 'replace', v: other }]
  return Object.entries(other as object).flatMap(([name, value]) =>
    // a list or an object, as seen just now
    changesOf((one as Record<string, unknown>)[name], value, `${path}/${name}`),
  )
}
