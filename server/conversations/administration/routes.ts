import {
  changeConversations,
  countConversations,
  listDeletions,
  listEveryConversation,
  restoreDeletion,
} from '#contract/conversationAdministration.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Reader } from '../owned.ts'
import type { ConversationAdministration } from './administration.ts'
import type { ConversationListing } from './listing.ts'

type Rules = { conversationAdministration: ConversationAdministration; conversationListing: ConversationListing }

export function conversationAdministrationRoutes(
  http: Http<Reader>,
  { conversationAdministration, conversationListing }: Rules,
): void {
  http.answer(listEveryConversation, ({ query }) => conversationListing.page(query))
  http.answer(countConversations, () => conversationListing.counts())
  http.answer(changeConversations, ({ user, body }) => conversationAdministration.change(user.id, body))
  http.answer(listDeletions, () => conversationAdministration.deletions())
  http.answer(restoreDeletion, ({ user, params }) =>
    conversationAdministration.restoreDeletion(user.id, Number(params.id)),
  )
}
