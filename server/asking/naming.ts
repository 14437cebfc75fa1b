import { conversationStore } from '#server/conversations/store.ts'
import { makeTitle } from '#server/conversations/titles.ts'
import type { Admitted } from './admission.ts'
import type { Service } from './answers.ts'
import type { AskDependencies } from './dependencies.ts'
import type { LiveReply } from './liveReply.ts'

/** Names conversations that were begun without a title. */
export function openNaming({ open, log, closing }: Pick<AskDependencies, 'open' | 'log' | 'closing'>) {
  const store = conversationStore(open.database)

  /** The title that the conversation has now, if it is a new one. Without a service, completion has named it, if there was anything to name it by. */
  return async (
    { conversation_id, question }: Admitted,
    reply: LiveReply,
    service: Service | null,
  ): Promise<string | null> => {
    try {
      if (service === null) return (await store.find(conversation_id))?.title ?? null
      const exchange = [...(question === null ? [] : [question]), ...reply.messages()]
      const title = reply.upstreamTitle ?? (await makeTitle(service.provider, service.upstream, exchange, closing))
      return title !== '' && (await store.titleOnce(conversation_id, title)) ? title : null
    } catch (error) {
      log.warn({ err: error }, 'a conversation could not be named')
      return null
    }
  }
}
