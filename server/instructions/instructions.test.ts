import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import type { OwnInstructions } from '#contract/instructions.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Caller } from '#server/users/user.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import { instructionStore, openInstructions } from './instructions.ts'

const OWN: OwnInstructions = { about_me: 'I teach.', how_to_answer: 'Briefly.', is_on: true, with_keys: false }
const OWN_TEXT = 'About the user:\nI teach.\n\nHow the user wants to be answered:\nBriefly.'
const by = (user_id: number, kind: Caller['kind'] = 'session'): Caller => ({
  ...{ user_id, kind, id: 'x', bounds: null, stillValid: async () => true },
})

async function someone(open: OpenDatabase, portal = 'Be brief.') {
  const state = { configuration: Configuration.parse({ portal: { instructions: portal } }) }
  const instructions = openInstructions({ open, configuration: () => state.configuration })
  const user_id = await storedUser(open.database)
  /** What an ask of theirs is told first: by whom, and what. */
  const sent = async (conversation_id: string | null = null, kind: Caller['kind'] = 'session') =>
    (await instructions.forAsk(by(user_id, kind), conversation_id)).map(layer => [layer.by, layer.text])
  return {
    ...{ instructions, user_id, sent },
    configure: (text: string) => (state.configuration = Configuration.parse({ portal: { instructions: text } })),
    conversation: () => storedConversation(open.database, { user_id }),
  }
}

eachDatabase((_name, open) => {
  describe('one’s own instructions', () => {
    test('are none at first, and on as soon as something is written', async () => {
      const { instructions, user_id, sent } = await someone(await open())
      expect(await instructions.readOwn(user_id)).toEqual({
        ...{ about_me: '', how_to_answer: '', is_on: true, with_keys: false },
      })
      expect(await sent()).toEqual([['portal', 'Be brief.']])
      expect(await instructions.saveOwn(user_id, OWN)).toEqual(OWN)
      expect(await instructions.readOwn(user_id)).toEqual(OWN)
      expect(await sent()).toEqual([
        ['portal', 'Be brief.'],
        ['own', OWN_TEXT],
      ])
    })
    test('are replaced as a whole, and are one person’s alone', async () => {
      const database = await open()
      const { instructions, user_id, sent } = await someone(database)
      const other = await storedUser(database.database)
      await instructions.saveOwn(user_id, OWN)
      await instructions.saveOwn(other, { ...OWN, about_me: 'I farm.' })
      const later = { about_me: '', how_to_answer: 'In verse.', is_on: false, with_keys: true }
      await instructions.saveOwn(user_id, later)
      expect(await instructions.readOwn(user_id)).toEqual(later)
      expect(await sent()).toEqual([['portal', 'Be brief.']])
      expect(await instructions.readOwn(other)).toEqual({ ...OWN, about_me: 'I farm.' })
    })
    test('go with what other tools ask only where their owner says so, on the page or not', async () => {
      const { instructions, user_id, sent } = await someone(await open())
      await instructions.saveOwn(user_id, OWN)
      expect(await sent(null, 'key')).toEqual([['portal', 'Be brief.']])
      await instructions.saveOwn(user_id, { ...OWN, is_on: false, with_keys: true })
      expect(await sent(null, 'key')).toContainEqual(['own', OWN_TEXT])
      expect(await sent(null, 'session')).toEqual([['portal', 'Be brief.']])
    })
  })

  describe('the instructions of a conversation', () => {
    test('come last, and say whether one’s own go with it', async () => {
      const { instructions, user_id, sent, conversation } = await someone(await open())
      const [here, there] = [await conversation(), await conversation()]
      await instructions.saveOwn(user_id, { ...OWN, is_on: false })
      expect(await instructions.ofConversation(here)).toEqual({ text: '', with_own: null })
      await instructions.saveOfConversation(here, { text: 'In metres.', with_own: true })
      expect(await instructions.ofConversation(here)).toEqual({ text: 'In metres.', with_own: true })
      expect(await sent(here)).toEqual([
        ['portal', 'Be brief.'],
        ['own', OWN_TEXT],
        ['conversation', 'In metres.'],
      ])
      expect(await sent(there)).toEqual([['portal', 'Be brief.']])
      await instructions.saveOfConversation(here, { text: '', with_own: null })
      expect(await sent(here)).toEqual([['portal', 'Be brief.']])
    })
    test('go along into a copy, which then has its own', async () => {
      const database = await open()
      const { instructions, conversation } = await someone(database)
      const [first, copy, empty] = [await conversation(), await conversation(), await conversation()]
      await instructions.saveOfConversation(first, { text: 'In metres.', with_own: false })
      const store = instructionStore(database.database)
      await store.copy(first, copy)
      await store.copy(empty, first)
      expect(await instructions.ofConversation(copy)).toEqual({ text: 'In metres.', with_own: false })
      await instructions.saveOfConversation(copy, { text: 'In feet.', with_own: null })
      expect(await instructions.ofConversation(first)).toEqual({ text: 'In metres.', with_own: false })
    })
    test('and one’s own go when the conversation or its owner does', async () => {
      const opened = await open()
      const { instructions, user_id, conversation } = await someone(opened)
      await instructions.saveOwn(user_id, OWN)
      await instructions.saveOfConversation(await conversation(), { text: 'In metres.', with_own: null })
      const { database } = opened
      expect(await database.selectFrom('conversation_instructions').selectAll().execute()).toHaveLength(1)
      await database.deleteFrom('conversations').execute()
      expect(await database.selectFrom('conversation_instructions').selectAll().execute()).toEqual([])
      await database.deleteFrom('users').execute()
      expect(await database.selectFrom('user_instructions').selectAll().execute()).toEqual([])
    })
  })

  describe('the instructions of the portal', () => {
    test('are those of now, and none where they are blank', async () => {
      const { sent, configure } = await someone(await open())
      configure('Answer in Malay.')
      expect(await sent()).toEqual([['portal', 'Answer in Malay.']])
      configure('')
      expect(await sent()).toEqual([])
    })
  })
})
