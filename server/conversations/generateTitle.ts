import type { Source } from '#contract/models.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
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
  upstreams: Pick<Upstreams, 'serving' | 'ofPerson' | 'endpoint'>
  providers: Providers
  personal(user_id: number, source: Source): Promise<OwnEndpoint | null>
  closing: AbortSignal
}

/** Returns the title of a conversation; asks the model for one when it has none. */
export function generatingTitles({ open, upstreams, providers, personal, closing }: Dependencies) {
  const store = conversationStore(open.database)
  return async (conversation: Owned, message_id: string): Promise<string> => {
    const { conversation_id, title, current_model, user_id, upstream_id } = conversation
    if (title !== null && title !== '') return title
    const source = sourceOf(conversation)
    const rows = await messagePath(open.database, conversation_id, message_id, 1000)
    const provider = providers[source]
    if (rows.length === 0) throw new Refusal('missingMessage')
    if (provider === null || current_model === null) throw new Refusal('generateTitleFailed')
    const own = user_id === null ? null : await personal(user_id, source)
    const upstream =
      own !== null && user_id !== null
        ? upstreams.ofPerson(own, user_id)
        : answering(upstreams.serving(source, current_model), upstream_id)
    if (upstream === null) throw new Refusal('generateTitleFailed')
    const made = await makeTitle(
      provider,
      upstreams.endpoint(upstream, current_model, own),
      rows.slice(0, EXCHANGE).map(row => toMessage(row, source)),
      closing,
    )
    if (made === '') throw new Refusal('generateTitleFailed')
    if (await store.titleOnce(conversation_id, made)) return made
    // Somebody has set a title meanwhile, or the conversation is gone.
    return (await store.find(conversation_id))?.title ?? made
  }
}

/** The upstream that was asked in the conversation last, where it still serves the model. */
function answering(serving: readonly Upstream[], upstream_id: number | null): Upstream | null {
  return serving.find(({ id }) => id === upstream_id) ?? serving[0] ?? null
}
