import { Refusal } from '#server/foundation/refusal.ts'
import { type Fields, isFields } from '../looseJson.ts'
import type { ListedConversation, ProviderPorts } from '../ports.ts'
import { UpstreamRefusal } from '../upstreamRefusal.ts'
import { keptConversation } from './history.ts'
import { codesOf, toMessage } from './message.ts'
import { timeIn, titleIn } from './reach.ts'
import { type AskWeb, isWebId, pathPart } from './request.ts'

/** Bytes of a page of the list, and of a whole conversation. */
const MAX_PAGE = 4 * 1024 * 1024
const MAX_CONVERSATION = 40 * 1024 * 1024

type Ports = Pick<
  ProviderPorts,
  | 'listConversations'
  | 'readConversation'
  | 'renameConversation'
  | 'hideConversation'
  | 'showConversation'
  | 'titleConversation'
  | 'test'
>

/** The conversations of a web account. */
export function conversationPorts(ask: AskWeb): Ports {
  const list: Ports['listConversations'] = (endpoint, { offset, limit }, signal) => {
    const query = { offset, limit }
    return ask(endpoint, { method: 'GET', path: 'conversations', query, max_bytes: MAX_PAGE }, listedIn, signal)
  }

  return {
    listConversations: list,

    async test(endpoint, signal) {
      await list(endpoint, { offset: 0, limit: 1 }, signal)
    },

    async readConversation(endpoint, id, signal) {
      const path = `conversation/${pathPart(id)}`
      const answer = await ofConversation(
        ask(endpoint, { method: 'GET', path, max_bytes: MAX_CONVERSATION }, conversationIn, signal),
      )
      const codeOf = codesOf(endpoint.web?.model_code_mapping)
      return keptConversation(answer, given => toMessage(given, codeOf))
    },

    async renameConversation(endpoint, id, title, signal) {
      const path = `conversation/${pathPart(id)}`
      await ofConversation(ask(endpoint, { method: 'PATCH', path, body: { title } }, successIn, signal))
    },

    async hideConversation(endpoint, id, signal) {
      const path = `conversation/${pathPart(id)}`
      const done = ask(endpoint, { method: 'PATCH', path, body: { is_visible: false } }, successIn, signal)
      await ofConversation(done).catch(throwUnlessGone)
    },

    async showConversation(endpoint, id, signal) {
      const path = `conversation/${pathPart(id)}`
      await ofConversation(ask(endpoint, { method: 'PATCH', path, body: { is_visible: true } }, successIn, signal))
    },

    titleConversation(endpoint, id, message_id, signal) {
      const path = `conversation/gen_title/${pathPart(id)}`
      const request = { method: 'POST', path, body: { message_id } } as const
      return ofConversation(ask(endpoint, request, ({ title }) => titleIn(title), signal))
    },
  }
}

/**
 * The conversations on a page of the list. What is no conversation is left out; a page of nothing but such is null,
 * since it must not pass for the end of the list.
 */
function listedIn({ items }: Fields): ListedConversation[] | null {
  if (!Array.isArray(items)) return null
  const listed = items.flatMap(item =>
    isFields(item) && isWebId(item['id'])
      ? [{ id: item['id'], title: titleIn(item['title']), create_time: timeIn(item['create_time']) }]
      : [],
  )
  return listed.length === 0 && items.length > 0 ? null : listed
}

const conversationIn = (answer: Fields): Fields | null => (isFields(answer['mapping']) ? answer : null)

const successIn = ({ success }: Fields): true | null => (success === false ? null : true)

/**
 * A conversation is gone when the upstream says so: a page about something not found is of somebody else, such as a
 * proxy.
 */
async function ofConversation<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refusal) || error.key !== 'openai.404' || saysItself(error)) throw error
    throw new Refusal('openai.unknown', error.values, { cause: error.cause })
  }
}

const saysItself = ({ cause }: Refusal): boolean =>
  cause instanceof UpstreamRefusal && /\bjson\b/i.test(cause.said.content_type ?? '')

function throwUnlessGone(error: unknown): void {
  if (!(error instanceof Refusal) || !['openai.404', 'conversationGone'].includes(error.key)) throw error
}
