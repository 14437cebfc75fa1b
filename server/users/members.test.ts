import { describe, expect, test } from 'vitest'
import type { Database } from '#server/foundation/database/open.ts'
import { membersVersion } from '#server/policy/members.ts'
import { planStore } from '#server/policy/planStore.ts'
import { NOTHING_OWN } from '#server/policy/plans.ts'
import { settingStore } from '#server/policy/store.ts'
import { eachDatabase } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { storedUser } from '#testing/rows.ts'
import { userStore } from './store.ts'

const versionIn = async (database: Database) => (await membersVersion(database).executeTakeFirstOrThrow()).version

eachDatabase((_, open) => {
  describe('the version of who may ask and how much is theirs', () => {
    test('is another one after each change of it, and the same after all others', async () => {
      const { transaction, database } = await open()
      const user_id = await storedUser(database)
      await transaction(trx => settingStore(trx).insert(user_id, NOTHING_OWN, 1))
      const changes = async (work: (trx: Database) => Promise<unknown>) => {
        const before = await versionIn(database)
        await transaction(trx => work(trx))
        return (await versionIn(database)) - before
      }
      const setting = (columns: object) => changes(trx => settingStore(trx).setColumns(user_id, 'openai_api', columns))
      expect(await changes(trx => planStore(trx).setOf(user_id, { own_values: { share_weight: 2 } }))).toBe(1)
      expect(await setting({ allow_to_use: false })).toBe(1)
      expect(await setting({ available_models: ['gpt_4'] })).toBe(1)
      expect(await setting({ valid_until: 5, has_own_validity: true })).toBe(1)
      expect(await setting({ max_conv_count: 5 })).toBe(0)
      expect(await changes(trx => userStore(trx).change(user_id, { is_active: false }))).toBe(1)
      expect(await changes(trx => userStore(trx).change(user_id, { remark: 'new' }))).toBe(0)
      expect(await changes(trx => userStore(trx).remove(user_id))).toBe(1)
    })

    test('stays as it was where the change is undone', async () => {
      const { transaction, database } = await open()
      const user_id = await storedUser(database)
      const undone = transaction(async trx => {
        await planStore(trx).setOf(user_id, { own_values: { share_weight: 2 } })
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await versionIn(database)).toBe(0)
    })
  })
})

test('a change of a plan is one of everybody in it', async () => {
  const { admin, app } = await startPortal()
  const { database } = app.services.open
  const before = await versionIn(database)
  const { id } = await admin.result<{ id: number }>('POST', '/plan', { name: 'students' })
  await admin.result('PATCH', `/plan/${id}`, { share_weight: 3 })
  expect(await versionIn(database)).toBeGreaterThan(before + 1)
})
