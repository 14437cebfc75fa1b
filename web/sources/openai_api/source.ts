import { type PageSource, plainSource } from '#web/sources/source.ts'

/** Endpoints that keep nothing: each ask has the whole context. */
export const openai_api: PageSource = {
  ...plainSource('openai_api'),
  hint: 'newConversation.apiHint',
  forks: true,
}
