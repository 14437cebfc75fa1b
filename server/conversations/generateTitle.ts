import type { Source } from '#contract/models.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { Owned } from './conversations.ts'
import { sourceOf, toMessage } from './history.ts'
import { messagePath } from './path.ts'
import { conversationStore } from './store.ts'
import { makeTitle } from './titles.ts'

/** Messages from the beginning that a title is made of. */
const EXCHANGE = 2

type Dependencies = {
  open: OpenDatabase
  upstreams: Upstreams
  providers: Providers
  personal(user_id: number, source: Source): Promise<OwnEndpoint | null>
  closing: AbortSignal
}

/** Returns the title of a conversation; asks the model for one when it has none. */
export function generatingTitles({ open, upstreams, providers, personal, closing }: Dependencies) {
  const store = conversationStore(open.database)
  return async (conversation: Owned, message_id: string): Promise<string> => {
    const { conversation_id, title, current_model, user_id } = conversation
    if (title !== null && title !== '') return title
    const source = sourceOf(conversation)
    const rows = await messagePath(open.database, conversation_id, message_id, 1000)
    const provider = providers[source]
    if (rows.length === 0) throw new Refusal('missingMessage')
    if (provider === null || current_model === null) throw new Refusal('generateTitleFailed')
    const own = user_id === null ? null : await personal(user_id, source)
    const upstream = upstreams.endpoint(upstreams.first(source), current_model, own)
    const made = await makeTitle(
      provider,
      upstream,
      rows.slice(0, EXCHANGE).map(row => toMessage(row, source)),
      closing,
    )
    if (made === '') throw new Refusal('generateTitleFailed')
    if (await store.titleOnce(conversation_id, made)) return made
    // Somebody has set a title meanwhile, or the conversation is gone.
    return (await store.find(conversation_id))?.title ?? made
  }
}
