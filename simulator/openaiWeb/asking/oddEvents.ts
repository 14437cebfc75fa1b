import type { WebFault } from '../faults.ts'
import type { AnswerEvent, AnswerEnd } from './steps.ts'

const HUGE_TEXT = 'x'.repeat(1_200_000)

/** The events of an answer with a fault worked in. */
export function* faulty(events: Iterator<AnswerEvent>, fault: WebFault | undefined): Generator<AnswerEvent, AnswerEnd> {
  const after = fault !== undefined && 'after_tokens' in fault ? fault.after_tokens : Infinity
  if (fault?.kind === 'huge_line') yield line({ message: null, padding: HUGE_TEXT })
  if (fault?.kind === 'odd') yield* ODD
  let tokens = 0
  for (let next = events.next(); !next.done; next = events.next()) {
    if (tokens >= after && fault !== undefined) {
      const end = endOf(fault)
      if (end !== undefined) return end
      if (fault.kind === 'error') {
        yield line({ message: null, error: fault.message, code: fault.code })
        return 'complete'
      }
      if (fault.kind === 'malformed' && tokens === after) yield { data: '{"message": {"id": "broken', added: '' }
    }
    yield next.value
    if (next.value !== null && next.value.added !== '') tokens += 1
  }
  return fault?.kind === 'no_done' ? 'no_done' : 'complete'
}

function endOf(fault: WebFault): AnswerEnd | undefined {
  if (fault.kind === 'cut' || fault.kind === 'stall') return fault.kind
  if (fault.kind === 'finish') return fault.done ? 'complete' : 'no_done'
  return undefined
}

const line = (body: unknown): AnswerEvent => ({ data: JSON.stringify(body), added: '' })

/** What upstreams send between the messages of an answer. */
const ODD: readonly AnswerEvent[] = [
  { raw: ': a comment\r\n\r\nevent: ping\r\ndata:\r\n\r\n', data: '', added: '' },
  {
    raw: 'id: 7\nretry: 100\ndata:{"type":"moderation","moderation_response":{"flagged":false}}\n\n',
    data: '',
    added: '',
  },
  line({ message: null, conversation_id: null, error: null }),
  line({ message: { id: 'without-content', author: { role: 'assistant' } }, error: null }),
  line({ message: { id: 7, author: null, content: { content_type: 'text', parts: [null, { a: 1 }] } } }),
  line(['an', 'array']),
  line('a text'),
  line(null),
]
