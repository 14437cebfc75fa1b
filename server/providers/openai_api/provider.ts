import type { Usage } from '#contract/messages.ts'
import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Provider } from '../provider.ts'
import { refusalOfFailure } from '../upstreamRefusal.ts'
import { type Complete, openCompletions } from './completions.ts'
import { eventReader } from './eventStream.ts'
import { growingText } from './growingText.ts'
import { answer, type Piece } from './messages.ts'
import { pieceReader } from './pieces.ts'

/** How an answer ended, as far as is known. */
type End = { finish_reason: string | null; usage: Usage | null; failed: boolean }

/** Any OpenAI-compatible endpoint (the specification, section 1; docs/protocol.md). */
export function openaiApiProvider(outbound: Outbound): Provider {
  const complete = openCompletions(outbound)
  return {
    reply: (...asked) => streamed(complete, ...asked),
  }
}

async function streamed(complete: Complete, ...[thread, draft, upstream, tell, signal]: Parameters<Provider['reply']>): Promise<void> {
  let response: OutboundAnswer | null = null
  try {
    response = await complete(thread, upstream, signal)
    tell({ type: 'message', message: answer(draft, '', { finish_reason: null, usage: null }) })
    const end: End = { finish_reason: null, usage: null, failed: false }
    const grown = growingText(upstream.max_answer_length)
    const reader = eventReader()
    const pieceOf = pieceReader()
    try {
      await response.body.each(piece => {
        const text = grown.add(textOf(reader.take(piece), pieceOf, end))
        if (text !== '') tell({ type: 'text', text })
        if (end.failed || grown.isFull()) return 'enough'
        return reader.isDone() ? 'complete' : 'more'
      })
    } catch (cause) {
      // An answer that has said that it is complete loses nothing when the connection ends badly, or not at all.
      if (end.finish_reason === null || signal.aborted || !(cause instanceof OutboundFailure)) throw cause
    }
    const rest = grown.add(textOf(reader.end(), pieceOf, end))
    if (rest !== '') tell({ type: 'text', text: rest })
    if (end.failed) throw new Refusal('openai.unknown', { reason: 'stream' })
    if (grown.text() === '') throw noText(response, end)
    if (grown.isFull()) end.finish_reason = 'length'
    tell({ type: 'message', message: answer(draft, grown.text(), end) })
  } catch (cause) {
    // A stop is no failure: what has arrived is the answer.
    if (signal.aborted) return
    throw cause instanceof OutboundFailure ? refusalOfFailure(cause) : cause
  } finally {
    response?.body.destroy()
  }
}

/** The log tells whoever runs the portal what came instead: a proxy's page, an answer that is not streamed, one of tool calls alone. */
function noText(response: OutboundAnswer, { finish_reason }: End): Refusal {
  const type = response.header('content-type') ?? 'none'
  return new Refusal('chatgptResponseError', {}, { cause: new Error(`an answer without text (content type: ${type}, finish reason: ${finish_reason ?? 'none'})`) })
}

/** Joins everything that arrived together into one piece, which makes a fast answer much cheaper. What follows a failure is ignored. */
function textOf(events: readonly string[], pieceOf: (event: string) => Piece | null, end: End): string {
  let text = ''
  for (const event of events) {
    const piece = pieceOf(event)
    if (piece === null) continue
    end.failed ||= piece.failed
    if (end.failed) break
    text += piece.text
    end.finish_reason = piece.finish_reason ?? end.finish_reason
    end.usage = piece.usage ?? end.usage
  }
  return text
}
