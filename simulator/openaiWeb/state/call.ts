import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from '../../foundation/http.ts'
import type { JournalEntry } from '../../foundation/journal.ts'
import type { Upstream } from '../../foundation/upstream.ts'
import type { WebAccount } from './account.ts'
import type { WebConversation } from './conversation.ts'
import { answerByFault, type WebFault } from './faults.ts'
import type { WebState } from './web.ts'

/** A request of the web protocol, with all that answering it needs. */
export type WebCall = {
  request: IncomingMessage
  response: ServerResponse
  /** What the pattern of the path has found. */
  id: string
  query: URLSearchParams
  body: unknown
  entry: JournalEntry
  account: WebAccount
  web: WebState
  upstream: Upstream
}

export function answer({ response, entry, upstream }: WebCall, body: unknown) {
  response.on('finish', () => upstream.journal.end(entry, 'complete'))
  sendJson(response, 200, body)
}

/** A refusal as the upstream words it. */
export function refuse({ response, entry, upstream }: WebCall, status: number, message: string, code?: string) {
  upstream.journal.end(entry, 'fault')
  sendJson(response, status, { detail: code === undefined ? message : { message, code } })
}

/** Answers with a fault that any call can have; false when it is none of those. */
export function refuseByFault({ request, response, entry, upstream }: WebCall, fault: WebFault): boolean {
  const answered = answerByFault({ request, response }, fault)
  if (answered && fault.kind !== 'silence') upstream.journal.end(entry, 'fault')
  return answered
}

/** The visible conversation that the path names; refuses when there is none. */
export function conversationOf(call: WebCall, id = call.id): WebConversation | undefined {
  const conversation = call.account.conversations.get(id)
  if (conversation?.is_visible) return conversation
  refuse(call, 404, `Can't load conversation ${id}`, 'conversation_not_found')
  return undefined
}

/** A whole number of the query. */
export function numberOf(query: URLSearchParams, name: string, fallback: number): number {
  const given = query.get(name)
  return given !== null && /^\d{1,9}$/.test(given) ? Number(given) : fallback
}
