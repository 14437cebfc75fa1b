import { type AskResponse, CLOSE, type DeltaEvent, TIP_FINISHED, TIP_QUEUEING, TIP_WAITING } from '#contract/asking.ts'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { forOldClients } from '#contract/oldClients.ts'
import { type RefusalKey, REFUSALS } from '#contract/refusals.ts'
import { iso } from '#server/conversations/history.ts'
import { askFailure, lineOf } from '#server/foundation/refusal.ts'
import type { Failure, Phase, ReplyEvent } from './liveReply.ts'

/** How a socket is closed. */
export type Closing = { code: number; reason: string }
export const FINISHED: Closing = { code: CLOSE.finished, reason: TIP_FINISHED }

/** One frame of the specification: all five keys, null where unused. */
function response(type: AskResponse['type'], fields: Partial<Omit<AskResponse, 'type'>>): string {
  return JSON.stringify({ type, tip: null, conversation_id: null, message: null, error_detail: null, ...fields })
}

export const messageResponse = (conversation_id: string | null, message: Message): string =>
  response('message', { conversation_id, message })

/** What the page of the original knows the title by that an upstream has made; it names the conversation so itself. */
const TITLE_ID = '3aa263a5-6acf-4975-b7e8-7a8c85bf5167'

/** Such a title, as a message without content. */
export function titleResponse(source: Source, conversation_id: string | null, title: string): string {
  const nothing = { author_name: null, model: null, create_time: null, parent: null, children: [], content: null }
  const message = { id: TITLE_ID, source, role: 'assistant' as const, ...nothing, metadata: { source }, title }
  return response('message', { conversation_id, message })
}

export function phaseResponse(phase: Phase, conversation_id: string | null): string | null {
  switch (phase.at) {
    case 'queueing':
      return response('queueing', { tip: TIP_QUEUEING, conversation_id })
    case 'replying':
      return response('waiting', { tip: TIP_WAITING, conversation_id })
    case 'ended':
      return null
  }
}

/** Old clients show the detail as it is, so it is words, and the values in brackets. */
export function errorResponse({ key, values }: Failure): string {
  const { key: tip, words } = forOldClients(key)
  const line = lineOf(values)
  return response('error', { tip: `errors.${tip}`, error_detail: line === '' ? words : `${words} (${line})` })
}

const frames = new WeakMap<ReplyEvent | Phase, string>()

/** The frame of an event or phase, encoded once for all followers. */
export function sharedFrame(source: ReplyEvent | Phase): string {
  const known = frames.get(source)
  if (known !== undefined) return known
  const frame = encoded('at' in source ? phaseEvent(source) : source)
  frames.set(source, frame)
  return frame
}

/** Encodes an event. Messages leave out null and empty fields, so that a short answer costs few bytes a token. */
export function encoded(event: DeltaEvent): string {
  if ('t' in event) return JSON.stringify(event)
  switch (event.type) {
    case 'message':
      return JSON.stringify({ ...event, message: compact(event.message) })
    case 'accepted':
      return JSON.stringify({ ...event, question: event.question && compact(event.question) })
    case 'finished':
    case 'error':
      return JSON.stringify({ ...event, messages: event.messages?.map(compact) })
    case 'queueing':
    case 'waiting':
    case 'title':
      return JSON.stringify(event)
  }
}

function compact(message: Message): Record<string, unknown> {
  const kept = withoutEmptyFields(message)
  if (message.metadata !== null) kept['metadata'] = withoutEmptyFields(message.metadata)
  return kept
}

function withoutEmptyFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== null && !(Array.isArray(value) && value.length === 0)) kept[name] = value
  }
  return kept
}

export function phaseEvent(phase: Phase): DeltaEvent {
  switch (phase.at) {
    case 'queueing':
      return {
        type: 'queueing',
        tip: TIP_QUEUEING,
        place: phase.place,
        estimate_seconds: phase.estimate_seconds,
        ...(phase.cooling_until !== null && { cooling_until: iso(phase.cooling_until) }),
        ...(phase.quiet !== undefined && {
          quiet: {
            until: iso(phase.quiet.until),
            likely_at: phase.quiet.likely_at === null ? null : iso(phase.quiet.likely_at),
          },
        }),
      }
    case 'replying':
      return { type: 'waiting', tip: TIP_WAITING }
    case 'ended': {
      const { outcome, charged, failure, stored } = phase
      const kept = stored === null ? {} : { messages: [...stored.messages], conversation: stored.conversation }
      return failure === null || outcome === 'interrupted'
        ? { type: 'finished', outcome, charged, ...kept }
        : { ...errorEvent(failure, charged), ...kept }
    }
  }
}

export const errorEvent = (failure: Failure, charged: boolean): DeltaEvent => ({
  type: 'error',
  ...askFailure(failure, charged),
})

/** How the socket is closed after a refusal (contract/asking.ts, CLOSE). */
export function closingOf(key: RefusalKey): Closing {
  const reason = `errors.${key}`
  if (key === 'invalidAskRequest') return { code: CLOSE.invalidRequest, reason }
  if (key === 'serverStopping' || key === 'interrupted') return { code: CLOSE.restart, reason }
  if (REFUSALS[key].code === 502) return { code: CLOSE.upstream, reason }
  return { code: key === 'unknownError' || key === 'internal' ? CLOSE.internal : CLOSE.refused, reason }
}

/**
 * The same for old clients, with the key that they know. What a rule does not refuse to the person is an error of the
 * server.
 */
export function oldClosingOf({ key }: Failure): Closing {
  const { key: known } = forOldClients(key)
  const { code } = closingOf(key)
  const isInternal = known === 'internal' && code === CLOSE.refused
  return { code: isInternal ? CLOSE.internal : code, reason: `errors.${known}` }
}
