import { describe, expect, test } from 'vitest'
import type { BulkChange, BulkResult } from '#contract/bulk.ts'
import type { UserRow } from '#contract/userAdministration.ts'
import { Configuration } from '#contract/configuration/configuration.ts'
import { userStore } from '#server/users/store.ts'
import { systemClock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openLog } from '#server/foundation/logging.ts'
import { NOTHING_OWN } from '#server/policy/plans.ts'
import { settingStore } from '#server/policy/store.ts'
import { eachStorage } from '#testing/database.ts'
import { signIn } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { aUserRow } from '#testing/rows.ts'
import { until } from '#testing/until.ts'
import { type BulkInput, bulkJob } from './bulk.ts'
import { openUserChanges } from './userChanges.ts'

type Answer = BulkResult & { job: string | null }
type State = { state: string; done: number; total: number; last_run: { outcome: string; result: BulkResult } | null }

const DAY = 86_400_000

async function manyPeople({ database, transaction }: OpenDatabase, count: number): Promise<number[]> {
  const ids: number[] = []
  await transaction(async trx => {
    for (let index = 0; index < count; index++) {
      const id = await userStore(trx).insert(aUserRow({ nickname: 'One of many' }))
      await settingStore(trx).insert(id, NOTHING_OWN, 0)
      ids.push(id)
    }
  })
  expect(await database.selectFrom('users').select('id').execute()).not.toEqual([])
  return ids
}

eachStorage((_name, storage) => {
  describe('many people', () => {
    test('are changed as a dry run said, each as a whole, and the others are named with the reason', async () => {
      const { admin, person } = await startPortal({ storage: await storage() })
      const [ann, bo, cho] = [await person('ann'), await person('bo'), await person('cho')]
      const ids = [ann.id, bo.id, cho.id, 999_999]
      const limits = (id: number, body: object) => admin.result('PATCH', `/user/${id}/setting`, body)
      const passed = new Date(Date.now() - 30 * DAY).toISOString()
      await limits(ann.id, {
        openai_api: { total_ask_count: 10, per_model_ask_count: { gpt_4: 1 } },
      })
      await limits(bo.id, { openai_api: { total_ask_count: 1_000_000_000, valid_until: '9999-12-30T00:00:00Z' } })
      await ann.ask('one', { new_title: 'one' })
      await limits(ann.id, { openai_api: { valid_until: passed } })
      const change = async (body: BulkChange, by = admin) => {
        const selection = { ids }
        const dry = await by.result<Answer>('POST', '/system/users/bulk', { selection, change: body, dry_run: true })
        const done = await by.result<Answer>('POST', '/system/users/bulk', { selection, change: body })
        expect(done).toEqual(dry)
        expect(done.job).toBe(null)
        return Object.fromEntries(done.rows.map(row => [row.username || row.id, row.reason]))
      }
      const api = ['openai_api' as const]
      expect(await change({ action: 'extend', sources: api, days: 7 })).toEqual({
        ann: null,
        bo: 'tooMany',
        cho: 'unlimited',
        '999999': 'gone',
      })
      expect(await change({ action: 'add', sources: api, count: 'total', value: 100 })).toMatchObject({
        ann: null,
        bo: 'tooMany',
        cho: 'unlimited',
      })
      const row = await admin.result<UserRow>('GET', `/system/users/${ann.id}`)
      expect(row.openai_api.total).toEqual({ used: 1, allowed: 110, remaining: 109 })
      // From now on, since it had passed.
      expect(Math.abs(Date.parse(row.openai_api.valid_until ?? '') - Date.now() - 7 * DAY)).toBeLessThan(DAY)
      const set: BulkChange = {
        action: 'set',
        sources: ['openai_api', 'openai_web'],
        count: 'model',
        model: 'gpt_4',
        value: 5,
      }
      expect(await change(set)).toMatchObject({ ann: null, bo: null, cho: null })
      expect(await change(set)).toMatchObject({ ann: 'already', bo: 'already', cho: 'already' })
      expect(await change({ action: 'set', sources: api, count: 'conversations', value: 3 })).toMatchObject({
        cho: null,
      })
      expect(await change({ action: 'add', sources: api, count: 'conversations', value: 2 })).toMatchObject({
        cho: null,
      })
      const forever = { action: 'validUntil' as const, sources: api, until: null }
      expect(await change(forever)).toMatchObject({ ann: null, bo: null, cho: 'already' })
      const cho_row = await admin.result<UserRow>('GET', `/system/users/${cho.id}`)
      expect(cho_row.openai_api).toMatchObject({ conversations: { allowed: 5 }, valid_until: null })
      expect(cho_row.openai_web.models.find(({ model }) => model === 'gpt_4')?.count.remaining).toBe(5)

      await admin.result('PATCH', `/user/${bo.id}`, { is_superuser: true })
      ids.push(admin.id)
      expect(await change({ action: 'deactivate' })).toMatchObject({
        ann: null,
        bo: null,
        cho: null,
        admin: 'yourself',
      })
      expect((await ann.call('GET', '/user/me')).code).toBe(10401)
      expect(await change({ action: 'activate' })).toMatchObject({ ann: null, bo: null, cho: null, admin: 'already' })
    })

    test('that a filter finds are as many as somebody saw, and never all administrators', async () => {
      const { admin, url, app } = await startPortal({ storage: await storage() })
      await manyPeople(app.services.open, 3)
      const call = (body: object) => admin.call('POST', '/system/users/bulk', body)
      const change = { action: 'deactivate' }
      const filter = { words: 'of many' }
      const stale = await call({ selection: { filter, found: 2 }, change })
      expect(stale).toMatchObject({ message: 'errors.changedMeanwhile', detail: [{ msg: '3' }] })
      expect((await call({ selection: { filter, found: 3 }, change })).result).toMatchObject({ total: 3, changed: 3 })
      expect((await call({ selection: { filter: { words: 'nobody' } }, change })).message).toBe('errors.noUserSelected')
      const made = {
        username: 'root2',
        nickname: 'r',
        email: 'r@example.org',
        password: 'a-good-password',
        is_superuser: true,
      }
      await admin.result('POST', '/auth/register', made)
      const other = await signIn(url, 'root2', 'a-good-password')
      const crossing = await Promise.all([
        call({ selection: { filter: { words: 'root2' } }, change }),
        other.call('POST', '/system/users/bulk', { selection: { ids: [admin.id] }, change }),
      ])
      expect(crossing.map(({ code }) => code)).toContain(200)
      expect(await app.services.users.directory.activeSuperusers()).toHaveLength(1)
    })

    test('above some hundred are changed by a job, nobody twice, which can be stopped and says what it did', async () => {
      const { admin, app } = await startPortal({ storage: await storage() })
      const ids = await manyPeople(app.services.open, 260)
      const selection = { filter: { words: 'one of many' } }
      const change = { action: 'set', sources: ['openai_api'], count: 'total', value: 5 }
      const answer = await admin.result<Answer>('POST', '/system/users/bulk', { selection, change })
      expect(answer).toMatchObject({ total: 260, changed: 260 })
      const path = `/system/jobs/users/${answer.job}`
      const ended = await until(async () => {
        const job = await admin.result<State>('GET', path)
        expect(job.last_run).not.toBe(null)
        return job
      })
      expect(ended.last_run).toMatchObject({ outcome: 'finished', result: { total: 260, changed: 260, unchanged: {} } })
      // As if its process had ended after the 100th: it goes on behind them.
      const { users, userAdministration, open } = app.services
      const userChanges = openUserChanges({
        open,
        clock: systemClock,
        configuration: () => Configuration.parse({}),
        users,
        log: openLog('WARNING'),
      })
      const job = bulkJob({ open, list: userAdministration.list, userChanges })
      const tally = { after: ids[99] ?? 0, changed: 100, unchanged: {}, rows: [] }
      const saved: number[] = []
      const input: BulkInput = {
        which: { filter: selection.filter, up_to: ids.at(-2) ?? 0 },
        change: { action: 'add', sources: ['openai_api'], count: 'total', value: 2 },
        by: admin.id,
      }
      const run: Omit<Parameters<typeof job.run>[0], 'input'> = {
        progress: { done: 100, total: 259, cursor: tally },
        signal: new AbortController().signal,
        save: () => Promise.resolve(),
        saveWith: work =>
          app.services.open.transaction(async trx => {
            saved.push((await work(trx)).done)
          }),
      }
      // Whoever started it is no superuser any more.
      await expect(job.run({ ...run, input: { ...input, by: ids[0] ?? 0 } })).rejects.toMatchObject({
        key: 'authorityDeny',
      })
      const result = await job.run({ ...run, input })
      expect(result).toMatchObject({ total: 259, changed: 259 })
      expect([saved[0], saved.at(-1)]).toEqual([101, 259])
      const counts = await app.services.open.database
        .selectFrom('user_source_settings')
        .select(['total_ask_allowed', ({ fn }) => fn.countAll<number>().as('people')])
        .where('user_id', 'in', ids)
        .where('source', '=', 'openai_api')
        .groupBy('total_ask_allowed')
        .orderBy('total_ask_allowed')
        .execute()
      // The last one was made after the job had been started.
      expect(counts).toEqual([
        { total_ask_allowed: 5, people: 101 },
        { total_ask_allowed: 7, people: 159 },
      ])
      // Going on counts who is left by now, and is in the name of who asks for it.
      const left = { input: { ...input, by: ids[0] ?? 0 }, progress: run.progress }
      expect(await job.goOn?.({ ...left, progress: { done: 100, total: 900, cursor: tally } }, admin.id)).toEqual({
        input,
        progress: { ...run.progress, cursor: tally },
      })
      const allDone = { done: 259, total: 259, cursor: { ...tally, after: ids.at(-2) ?? 0 } }
      await expect(job.goOn?.({ ...left, progress: allDone }, admin.id)).rejects.toMatchObject({
        key: 'nothingLeftToDo',
      })
    })
  })
})
