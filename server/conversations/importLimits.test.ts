import { describe, expect, test } from 'vitest'
import type { ImportedMessage } from '#contract/transfer.ts'
import { newId } from '#server/foundation/ids.ts'
import { eachStorage } from '#testing/database.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { aMessage, aConversation, aFork, imported, exported } from './transfer.testing.ts'

eachStorage((_name, storage) => {
  describe('an import', () => {
    test('obeys the number of conversations, and refuses only those beyond it', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { max_conv_count: 1 } })
      const [first, second] = [aFork().conversation, aFork().conversation]
      expect(await imported(lin, first, second, first)).toMatchObject([
        { outcome: 'new' },
        { outcome: 'refused', conversation_id: null, reason: 'errors.maxConversationCountReached' },
        { outcome: 'present' },
      ])
    })

    test('obeys the length of a conversation, and keeps nothing of one that is too long', async () => {
      const { person } = await startPortal({
        storage: await storage(),
        environment: { COMMONS_ASKING_MAX_MESSAGES_PER_CONVERSATION: '10' },
      })
      const lin = await person()
      const messages = Array.from({ length: 11 }, () => aMessage())
      expect(await imported(lin, aConversation(messages))).toMatchObject([
        { outcome: 'refused', reason: 'errors.conversationTooLong' },
      ])
      expect(await exported(lin)).toEqual([])
    })

    test('obeys what a conversation may take, also when it grows in parts, and lets it be asked in no more', async () => {
      const { person } = await startPortal({
        storage: await storage(),
        environment: { COMMONS_ASKING_MAX_CONVERSATION_BYTES: '65536' },
      })
      const lin = await person()
      const id = newId()
      const long = () => aMessage({ content: { content_type: 'text', text: '热'.repeat(10_000) } })
      const [first, second, third] = [long(), long(), long()]
      expect(await imported(lin, aConversation([first, second], { id }))).toMatchObject([{ outcome: 'new', added: 2 }])
      expect(await imported(lin, aConversation([third], { id }))).toMatchObject([
        { outcome: 'refused', reason: 'errors.conversationTooLong' },
      ])
      const [stored] = await exported(lin)
      const follow = (text_content: string) =>
        lin.chat(
          question(text_content, {
            new_conversation: false,
            conversation_id: stored?._id,
            parent: stored?.current_node,
          }),
        )
      await imported(
        lin,
        aConversation([aMessage({ content: { content_type: 'text', text: 'a'.repeat(5_300) } })], { id }),
      )
      expect((await (await follow('is there room?')).closed).reason).toBe('tips.finished')
      const [grown] = await exported(lin)
      const more = await lin.chat(
        question('and now?', { new_conversation: false, conversation_id: grown?._id, parent: grown?.current_node }),
      )
      expect((await more.closed).reason).toBe('errors.conversationTooLong')
    })

    test('of one that comes in parts takes what finds room, counts the rest, and goes on with it in another', async () => {
      const { person } = await startPortal({
        storage: await storage(),
        environment: { COMMONS_ASKING_MAX_MESSAGES_PER_CONVERSATION: '10' },
      })
      const lin = await person()
      const chain: ImportedMessage[] = []
      for (let at = 0; at < 25; at++)
        chain.push(aMessage({ parent: chain.at(-1)?.id ?? null, role: at % 2 === 0 ? 'user' : 'assistant' }))
      const id = newId()
      const part = (in_parts: number, from: number, to?: number) =>
        aConversation(chain.slice(from, to), {
          id: in_parts === 1 ? id : `${id}#${in_parts}`,
          in_parts,
          current_node: chain.at(-1)?.id ?? null,
          message_count: chain.length,
        })
      const all = () => imported(lin, part(1, 0, 6), part(1, 6, 14), part(1, 14), part(2, 10), part(3, 20))
      expect(await all()).toMatchObject([
        { outcome: 'new', added: 6, reason: null },
        { outcome: 'completed', added: 4, left: 4 },
        { outcome: 'present', added: 0, left: 11 },
        { outcome: 'new', added: 10, left: 5 },
        { outcome: 'new', added: 5 },
      ])
      const stored = (await exported(lin)).toSorted((a, b) => a.title.localeCompare(b.title))
      expect(stored.map(({ title, mapping }) => [title, Object.keys(mapping).length])).toEqual([
        ['热泵 (1)', 10],
        ['热泵 (2)', 10],
        ['热泵 (3)', 5],
      ])
      expect(stored.map(({ current_node }) => current_node)).toEqual([chain[9]?.id, chain[19]?.id, chain[24]?.id])
      // The same file changes nothing, and the last one can be asked in.
      expect((await all()).map(({ outcome, added }) => [outcome, added])).toEqual(
        Array.from({ length: 5 }, () => ['present', 0]),
      )
      expect(await exported(lin)).toHaveLength(3)
      const last = stored.at(-1)
      expect(
        (
          await lin.ask('and then?', {
            new_conversation: false,
            conversation_id: last?._id,
            parent: last?.current_node,
          })
        ).at(-1),
      ).toMatchObject({ type: 'finished' })
    })

    test('refuses a message that finds no room in any part', async () => {
      const { person } = await startPortal({
        storage: await storage(),
        environment: { COMMONS_ASKING_MAX_CONVERSATION_BYTES: '65536' },
      })
      const lin = await person()
      const long = aMessage({ content: { content_type: 'text', text: '热'.repeat(30_000) } })
      expect(await imported(lin, aConversation([long], { in_parts: 1 }))).toMatchObject([
        { outcome: 'refused', reason: 'errors.conversationTooLong' },
      ])
      expect(await imported(lin, aConversation([aMessage(), long], { in_parts: 1 }))).toMatchObject([
        { outcome: 'new', added: 1, left: 1 },
      ])
      expect(await exported(lin)).toMatchObject([{ title: '热泵 (1)' }])
    })
  })
})
