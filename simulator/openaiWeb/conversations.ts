import { isRecord } from '../foundation/http.ts'
import { answer, conversationOf, numberOf, refuse, type WebCall } from './state/call.ts'
import { listedConversation, nodeOf, titleOf, type WebConversation } from './state/conversation.ts'
import type { WebFault } from './state/faults.ts'

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

const HUGE_COUNT = 100_000

type Mapping = Record<string, unknown>

/** The mapping of a conversation with its nodes in a circle, or 100,000 of them, or damaged. */
function oddMapping(kind: 'cyclic' | 'huge' | 'broken', conversation: WebConversation) {
  switch (kind) {
    case 'cyclic':
      return cyclic(conversation)
    case 'huge':
      return huge()
    case 'broken':
      return { ...conversation, mapping: { ...conversation.mapping, ...BROKEN } }
  }
}

/** The current message has the root as its child, and the root the current message as its parent. */
function cyclic({ mapping, current_node, ...rest }: WebConversation) {
  const nodes: Mapping = Object.fromEntries(
    Object.entries(mapping).map(([id, node]) => [id, node.parent === null ? { ...node, parent: current_node } : node]),
  )
  const root = Object.values(mapping).find(({ parent }) => parent === null)
  const current = mapping[current_node]
  if (root && current) nodes[current_node] = { ...current, children: [...current.children, root.id] }
  return { ...rest, current_node, mapping: nodes }
}

function huge() {
  const idOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
  const mapping: Mapping = {}
  for (let at = 0; at < HUGE_COUNT; at += 1) {
    const message = {
      id: idOf(at),
      author: { role: at % 2 === 0 ? 'user' : 'assistant' },
      create_time: 1_700_000_000 + at,
      content: { content_type: 'text', parts: [String(at)] },
    }
    mapping[idOf(at)] = {
      id: idOf(at),
      message,
      parent: at === 0 ? null : idOf(at - 1),
      children: at === HUGE_COUNT - 1 ? [] : [idOf(at + 1)],
    }
  }
  return {
    title: 'A very long one',
    create_time: 1_700_000_000,
    update_time: 1_700_100_000,
    mapping,
    current_node: idOf(HUGE_COUNT - 1),
  }
}

const BROKEN: Mapping = {
  none: null,
  text: 'a node',
  empty: {},
  'without-parent': { id: 'without-parent', message: null, parent: 'nobody', children: ['nobody'] },
  'other-id': {
    id: 'something else',
    message: { id: 'third', content: { content_type: 'text', parts: ['x'] } },
    parent: 'none',
    children: 7,
  },
  'odd-message': {
    id: 'odd-message',
    message: { author: 7, create_time: 'yesterday', content: { parts: 'no list' } },
    parent: 'text',
    children: [null],
  },
  'no-content': {
    id: 'no-content',
    message: { id: 'no-content', author: { role: 'assistant' }, content: null },
    parent: 'odd-message',
    children: [],
  },
  'own-parent': { id: 'own-parent', message: null, parent: 'own-parent', children: ['own-parent'] },
}
