import {
  changeConversations,
  countConversations,
  listDeletions,
  listEveryConversation,
  restoreDeletion,
} from '#contract/conversationAdministration.ts'
import { answerKeepRequest, listKeepRequests, previewKeeping } from '#contract/keeping.ts'
import { deleteAllConversations, vanishConversation } from '#contract/conversations.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Conversations } from '../conversations.ts'
import type { KeepRequests } from '../keepRequests.ts'
import type { Reader } from '../owned.ts'
import type { ConversationAdministration } from './administration.ts'
import type { ConversationListing } from './listing.ts'
import type { KeepingPreviews } from './keepingPreview.ts'
import type { Purge } from './purge.ts'

type Rules = {
  conversations: Pick<Conversations, 'deleteAllOf' | 'requireOwned'>
  conversationAdministration: ConversationAdministration
  conversationListing: ConversationListing
  purge: Pick<Purge, 'purge'>
  keepingPreview: KeepingPreviews
  keepRequests: Pick<KeepRequests, 'list' | 'answer'>
}

export function conversationAdministrationRoutes(
  http: Http<Reader>,
  { conversations, conversationAdministration, conversationListing, purge, keepingPreview, keepRequests }: Rules,
): void {
  http.answer(listEveryConversation, ({ query }) => conversationListing.page(query))
  http.answer(previewKeeping, ({ query }) => keepingPreview(query))
  http.answer(listKeepRequests, () => keepRequests.list())
  http.answer(answerKeepRequest, async ({ params, body }) => {
    await keepRequests.answer(params.id, body.keep)
    return null
  })
  http.answer(countConversations, () => conversationListing.counts())
  http.answer(changeConversations, ({ user, body }) => conversationAdministration.change(user.id, body))
  http.answer(listDeletions, () => conversationAdministration.deletions())
  http.answer(restoreDeletion, ({ user, params }) =>
    conversationAdministration.restoreDeletion(user.id, Number(params.id)),
  )
  http.answer(deleteAllConversations, async ({ user, query }) => {
    if (user.is_superuser && query.own !== 'true') await conversationAdministration.hideAll(user.id)
    else await conversations.deleteAllOf(user.id)
    return null
  })
  http.answer(vanishConversation, async ({ user, params }) => {
    await purge.purge({ by: user.id, conversation: await conversations.requireOwned(user, params.id) })
    return null
  })
}
