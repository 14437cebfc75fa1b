import { describe, expect, test } from 'vitest'
import type { ConversationRecord } from '#contract/conversations.ts'
import { conversationStore, hidden } from '#server/conversations/store.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal, type Portal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

type Storage = Awaited<ReturnType<NewStorage>>

async function conversationOf(person: Person): Promise<string> {
  await person.ask('hello', { new_title: 'to be kept or not' })
  const [first] = await person.result<ConversationRecord[]>('GET', '/conv')
  return first?.conversation_id ?? ''
}

const databaseOf = ({ app }: Portal) => app.services.open.database
const rowOf = (portal: Portal, id: string) => conversationStore(databaseOf(portal)).find(id)
const userIds = async (portal: Portal) =>
  (await databaseOf(portal).selectFrom('users').select('id').execute()).map(({ id }) => id)

/** As a kill leaves it between two transactions of its removal: hidden, marked, its messages gone, its row there. */
async function leaveHalfVanished(portal: Portal, id: string, by: number): Promise<void> {
  const database = databaseOf(portal)
  await conversationStore(database).change(id, { ...hidden(1, by), vanish_time: 1 })
  await messageStore(database).remove(id, await messageStore(database).someIds(id, 100))
}

/** As a kill leaves it after the first transaction of an erasure. */
const leaveHalfErased = ({ app }: Portal, id: number) =>
  app.services.users.directory.update(id, { is_active: false }, null, async trx => {
    await trx.updateTable('users').set({ erase_time: 1 }).where('id', '=', id).execute()
  })

async function restarted(storage: Storage, portal: Portal): Promise<Portal> {
  await portal.close()
  return startPortal({ storage })
}

eachStorage((name, newStorage) => {
  describe(`a deletion that a kill cut short, on ${name}`, () => {
    test('of a conversation is finished by the next start; what was only deleted stays', async () => {
      const storage = await newStorage()
      const first = await startPortal({ storage })
      const lin = await first.person('lin')
      const mei = await first.person('mei')
      const [half, deleted] = [await conversationOf(lin), await conversationOf(mei)]
      await mei.result('DELETE', `/conv/${deleted}`)
      await leaveHalfVanished(first, half, lin.id)
      const next = await restarted(storage, first)
      await until(async () => expect(await rowOf(next, half)).toBeUndefined())
      expect(await rowOf(next, deleted)).toMatchObject({ is_valid: false, vanish_time: null })
      await mei
        .at(next.url)
        .result('POST', `/conv/${deleted}/restore`)
        .catch(() => undefined)
      expect(await messageStore(databaseOf(next)).someIds(deleted, 10)).toHaveLength(2)
    })

    test('of a conversation that was shown again meanwhile is not gone on with', async () => {
      const storage = await newStorage()
      const first = await startPortal({ storage })
      const lin = await first.person('lin')
      const [shown, half] = [await conversationOf(lin), await conversationOf(await first.person('mei'))]
      await conversationStore(databaseOf(first)).change(shown, { vanish_time: 1 })
      await leaveHalfVanished(first, half, lin.id)
      const next = await restarted(storage, first)
      await until(async () => expect(await rowOf(next, half)).toBeUndefined())
      expect(await rowOf(next, shown)).toMatchObject({ is_valid: true })
    })

    test('of a person is finished by the next start, unless they were let in again', async () => {
      const storage = await newStorage()
      const first = await startPortal({ storage })
      const [lin, mei] = [await first.person('lin'), await first.person('mei')]
      const [ofLin, ofMei] = [await conversationOf(lin), await conversationOf(mei)]
      await leaveHalfErased(first, lin.id)
      await leaveHalfErased(first, mei.id)
      await first.admin.result('PATCH', `/user/${mei.id}`, { is_active: true })
      const next = await restarted(storage, first)
      await until(async () => expect(await userIds(next)).not.toContain(lin.id))
      expect(await rowOf(next, ofLin)).toBeUndefined()
      expect(await userIds(next)).toContain(mei.id)
      expect(await rowOf(next, ofMei)).toMatchObject({ user_id: mei.id })
    })
  })
})
