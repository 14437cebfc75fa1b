import { titleFor } from '../answers/title.ts'
import { readDirectives } from '../directives.ts'
import { isRecord } from '../http.ts'
import { answer, conversationOf, numberOf, refuse, type WebCall } from './call.ts'
import { listedConversation, nodeOf, type WebConversation } from './conversation.ts'
import type { WebFault } from './faults.ts'
import { textOf } from './messages.ts'
import { oddMapping } from './oddMappings.ts'

const MAX_LISTED = 100

/** GET conversations?offset&limit */
export function list(call: WebCall, fault: WebFault | undefined) {
  const offset = numberOf(call.query, 'offset', 0)
  const limit = Math.min(numberOf(call.query, 'limit', 28), MAX_LISTED)
  const { items, total } = pageOf(call, offset, limit, fault)
  answer(call, {
    items: items.map(({ id, title, create_time, update_time }) => ({
      id,
      title,
      create_time: isoOf(create_time),
      update_time: isoOf(update_time),
    })),
    total,
    limit,
    offset,
    has_missing_conversations: false,
  })
}

type Page = { items: readonly WebConversation[]; total: number }

function pageOf({ account }: WebCall, offset: number, limit: number, fault: WebFault | undefined): Page {
  const all = account.listed()
  const from = (start: number, end = all.length) => all.slice(start, Math.min(start + limit, end))
  switch (fault?.kind) {
    case 'truncated':
      return { items: from(offset, fault.keep), total: fault.honest ? all.length : Math.min(fault.keep, all.length) }
    case 'repeated':
      return { items: from(0), total: all.length }
    case 'empty':
      return { items: [], total: 0 }
    case 'endless':
      return {
        items: Array.from({ length: limit }, (_, at) => listedConversation(offset + at)),
        total: offset + 2 * limit,
      }
    default:
      return { items: from(offset), total: all.length }
  }
}

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** GET conversation/{id} */
export function history(call: WebCall, fault: WebFault | undefined) {
  const conversation = conversationOf(call)
  if (!conversation) return
  const is_odd = fault?.kind === 'cyclic' || fault?.kind === 'huge' || fault?.kind === 'broken'
  const { title, create_time, update_time, mapping, current_node } = is_odd
    ? oddMapping(fault.kind, conversation)
    : conversation
  answer(call, {
    title,
    create_time,
    update_time,
    mapping,
    moderation_results: [],
    current_node,
    plugin_ids: conversation.plugin_ids,
    conversation_id: conversation.id,
    conversation_template_id: null,
    gizmo_id: null,
    is_archived: false,
  })
}

/** PATCH conversation/{id}: {is_visible} or {title} */
export function change(call: WebCall) {
  const conversation = call.account.conversations.get(call.id)
  const wanted = isRecord(call.body) ? call.body : {}
  if (!conversation || (!conversation.is_visible && wanted.is_visible !== true)) {
    conversationOf(call)
    return
  }
  if (typeof wanted.is_visible === 'boolean') conversation.is_visible = wanted.is_visible
  if (typeof wanted.title === 'string') conversation.title = wanted.title
  call.account.changed()
  answer(call, { success: true })
}

/** PATCH conversations: {is_visible: false} hides all of them. */
export function changeAll(call: WebCall) {
  if (!isRecord(call.body) || call.body.is_visible !== false) return refuse(call, 422, 'is_visible is wanted')
  for (const conversation of call.account.conversations.values()) conversation.is_visible = false
  call.account.changed()
  answer(call, { success: true })
}

/** POST conversation/gen_title/{id}: {message_id} */
export function makeTitle(call: WebCall) {
  const conversation = conversationOf(call)
  if (!conversation) return
  const message_id = isRecord(call.body) ? call.body.message_id : undefined
  if (!nodeOf(conversation, message_id)?.message) return refuse(call, 404, 'Message not found', 'message_not_found')
  conversation.title = titleOf(conversation)
  call.account.changed()
  answer(call, { title: conversation.title })
}

/** A title from the first question. */
export function titleOf({ mapping }: WebConversation): string {
  const first = Object.values(mapping).find(node => node.message?.author.role === 'user')?.message
  return titleFor(first ? readDirectives(textOf(first)).question : '')
}
