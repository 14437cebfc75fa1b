import type { ConversationHistory } from '#contract/conversations.ts'
import { pathTo } from '#contract/messageTree.ts'
import { textOf } from '#contract/messages.ts'
import type { Person } from '#testing/person.ts'

export const echo = (text: string) => `${text}\n/simulate echo`

export const read = (person: Person, id: string) => person.result<ConversationHistory>('GET', `/conv/${id}`)

/** What is read, as first lines. */
export const shown = ({ mapping, current_node }: ConversationHistory) =>
  pathTo(mapping, current_node).map(message => textOf(message).split('\n')[0])

export const ids = ({ mapping, current_node }: ConversationHistory) => pathTo(mapping, current_node).map(({ id }) => id)

/** A conversation of one question and its answer. */
export async function aConversation(person: Person, text = 'one') {
  const id = String((await person.ask(echo(text), { new_title: 'a title' }))[0]?.['conversation_id'])
  const [first = '', answer = ''] = ids(await read(person, id))
  const old = { new_conversation: false, conversation_id: id } as const
  return {
    id,
    first,
    answer,
    edit: (variant_of: string, words: string) => person.ask(echo(words), { ...old, variant_of }),
    answerAgain: (parent: string, model = 'gpt_4') => person.ask(':continue', { ...old, parent, model }),
    follow: async (words: string) => person.ask(echo(words), { ...old, parent: (await read(person, id)).current_node }),
  }
}
