import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { UpstreamConversation, ListedConversation, ProviderPorts } from '#server/providers/ports.ts'
import type { Provider } from '#server/providers/provider.ts'
import { anAnswer } from '#testing/asks.ts'

type Page = { offset: number; limit: number }

/** The accounts of a web service by their keys, and those of teams by their ids. */
export type WebAccount = {
  conversations: ListedConversation[]
  /** In place of the pages of its conversations. */
  list: ((page: Page, signal: AbortSignal) => ListedConversation[] | Promise<ListedConversation[]>) | null
  /** Ids that were asked for one by one. */
  read: string[]
}

export const aListed = (id: string, title: string | null = `Title of ${id}`): ListedConversation => ({
  id,
  title,
  create_time: 1_700_000_000_000,
})

export const manyListed = (count: number, prefix = 'c'): ListedConversation[] =>
  Array.from({ length: count }, (_, at) => aListed(`${prefix}${at}`))

/** A web service that lists and gives conversations, and answers in one word. */
export function webAccounts() {
  const accounts = new Map<string, WebAccount>()
  function account(name: string): WebAccount {
    const found = accounts.get(name) ?? { conversations: [], list: null, read: [] }
    accounts.set(name, found)
    return found
  }
  const meant = ({ key, web }: ProviderEndpoint) => account(web?.team_account_id ?? key ?? '')

  const ports: Pick<ProviderPorts, 'listConversations' | 'readConversation'> = {
    async listConversations(endpoint, page, signal) {
      const { list, conversations } = meant(endpoint)
      return list === null ? conversations.slice(page.offset, page.offset + page.limit) : list(page, signal)
    },
    async readConversation(endpoint, id): Promise<UpstreamConversation> {
      const { read, conversations } = meant(endpoint)
      read.push(id)
      if (!conversations.some(each => each.id === id)) throw new Refusal('openai.404', { status: 404 })
      const times = { create_time: null, update_time: null }
      return { title: null, ...times, messages: [], current_node: null, metadata: { source: 'openai_web' } }
    },
  }
  const provider: Provider = {
    ...ports,
    async reply({ question, thread }, emit) {
      const id = question.upstream_conversation_id ?? `begun by ${thread.at(-1)?.id}`.replaceAll(' ', '-')
      emit({ type: 'conversation', upstream_conversation_id: id })
      await web.beforeAnswer(id)
      const message = {
        ...anAnswer(newId(), 'Yes.'),
        source: 'openai_web',
        metadata: { source: 'openai_web' },
      } as const
      emit({ type: 'message', message })
    },
  }
  const web = { account, provider, beforeAnswer: async (_id: string): Promise<void> => undefined }
  return web
}
