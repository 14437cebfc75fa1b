import type { ServerResponse } from 'node:http'
import { sendJson } from '../../foundation/http.ts'
import type { UpstreamRefusal } from '../../foundation/upstream.ts'
import type { Answering, Protocol } from '../answering.ts'
import { refuse, refuseByFault } from '../errors.ts'
import { toolCallOf } from '../toolCall.ts'
import { type Script, writeScript } from '../writer.ts'
import type { DialectFrames } from './frames.ts'
import { messageFrames } from './messages.ts'
import { readMessagesRequest, readResponsesRequest } from './requests.ts'
import { responseFrames } from './responses.ts'

type FramesOf = typeof responseFrames

/** Faults beside those of chat completions have no meaning here. */
const answerIn =
  (framesOf: FramesOf) =>
  (answering: Answering): void => {
    const { chat, reply, fault, entry, response, upstream } = answering
    const { journal, pace, later } = upstream
    if (fault?.kind === 'status') {
      journal.end(entry, 'fault')
      return void refuseByFault(response, fault)
    }
    const frames = framesOf(reply, { id: entry.id, model: chat.model })
    if (chat.stream) {
      const script = scriptOf(answering, frames)
      return writeScript(script, { response, entry, journal, pace, later, ownRate: reply.directives.pace })
    }
    const text = wholeText(answering)
    journal.sent(entry, text)
    response.on('finish', () => journal.end(entry, 'complete'))
    sendJson(response, 200, frames.whole(text, toolCallOf(reply, `call_${entry.id}`), reply.finish_reason))
  }

const wholeText = ({ reply: { count, token } }: Answering): string =>
  Array.from({ length: count }, (_each, index) => token(index)).join('')

/** Frames are made in the order in which they are sent. */
function scriptOf(answering: Answering, frames: DialectFrames): Script {
  const { reply, fault, entry } = answering
  const closing = (text: string, reason: string) => (): string => frames.closing(text, reason)
  const plain = {
    opening: frames.opening,
    count: reply.count,
    token: reply.token,
    frame: frames.token,
    closing: '',
    lateClosing: closing(wholeText(answering), reply.finish_reason),
    ending: 'complete' as const,
    split: fault?.kind === 'odd',
  }
  const call = toolCallOf(reply, `call_${entry.id}`)
  if (call !== null) return { ...plain, count: 0, lateClosing: () => frames.call(call) }
  switch (fault?.kind) {
    case 'cut':
    case 'stall':
      return { ...plain, count: Math.min(reply.count, fault.after_tokens), ending: fault.kind }
    case 'slow_first_token':
      return { ...plain, pause_ms: fault.delay_ms }
    case 'error':
      return { ...plain, count: Math.min(reply.count, fault.after_tokens), lateClosing: () => frames.error(fault) }
    case 'finish':
      return { ...plain, lateClosing: fault.reason === null ? () => '' : closing(wholeText(answering), fault.reason) }
    default:
      return plain
  }
}

/** In the form of Anthropic's errors. */
function refuseMessage(response: ServerResponse, { status, message, type }: UpstreamRefusal): void {
  sendJson(response, status, { type: 'error', error: { type, message } })
}

export const DIALECTS: readonly Protocol[] = [
  { path: '/v1/responses', read: readResponsesRequest, refuse, answer: answerIn(responseFrames) },
  { path: '/v1/messages', read: readMessagesRequest, refuse: refuseMessage, answer: answerIn(messageFrames) },
]
