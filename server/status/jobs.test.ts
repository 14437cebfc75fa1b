import { describe, expect, test } from 'vitest'
import { isKnownJob, type JobRead } from '#contract/jobs.ts'
import { EndedEarly, type Run } from '#server/foundation/jobs/job.ts'
import { aJob, aProcess, untilAborted } from '#server/foundation/jobs/jobs.testing.ts'
import type { Json } from '#server/foundation/database/schema/portal.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { eachDatabase } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { storedUser } from '#testing/rows.ts'
import { until } from '#testing/until.ts'
import { openJobAdministration } from './jobs.ts'

describe('the jobs of a portal', () => {
  test('have names that the contract knows, and so the page', async () => {
    const { app } = await startPortal()
    const names = (await app.services.jobs.list()).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(4)
    expect(names.filter(name => !isKnownJob(name))).toEqual([])
  })

  test('are listed, started by hand where they run again and again, and stopped', async () => {
    const { admin } = await startPortal()
    const find = async () =>
      (await admin.result<JobRead[]>('GET', '/system/jobs')).find(({ name }) => name === 'expired sessions')
    await until(async () => expect(await find()).toMatchObject({ last_run: { outcome: 'finished', started_by: null } }))
    expect(await admin.result('POST', '/system/jobs/expired%20sessions/start')).toBe(true)
    await until(async () =>
      expect(await find()).toMatchObject({ every: 3600, last_run: { started_by: { username: 'admin' } } }),
    )
    expect(await admin.result('POST', '/system/jobs/expired%20sessions/stop')).toBe(false)
    for (const [method, path] of [
      ['POST', '/system/jobs/conversations/start'],
      ['POST', '/system/jobs/nothing/start'],
      ['POST', '/system/jobs/nothing/stop'],
      ['GET', '/system/jobs/conversations/none'],
    ] as const)
      expect(await admin.call(method, path), path).toMatchObject({ message: 'errors.jobNotFound' })
  })
})

eachDatabase((_name, open) => {
  describe('a job with keys', () => {
    async function with_(run: (run: Run<null>) => Promise<Json | void>) {
      const opened = await open()
      const started_by = await storedUser(opened.database, { username: 'boss', nickname: 'Boss' })
      const jobs = await aProcess(opened, aJob({ name: 'import', run }))
      await jobs.start('import', { key: 'k', started_by })
      return openJobAdministration({ open: opened, jobs })
    }

    test('shows how far it is, and what it had done when it was stopped', async () => {
      const administration = await with_(async ({ save, signal }) => {
        await save({ done: 3, total: 9 })
        return untilAborted(signal).catch(() => {
          throw new EndedEarly({ moved: 3 })
        })
      })
      await until(async () =>
        expect(await administration.read('import', 'k')).toMatchObject({
          state: 'running',
          done: 3,
          total: 9,
          started_by: { username: 'boss', nickname: 'Boss' },
        }),
      )
      expect(await administration.stop('import', 'k')).toBe(true)
      await until(async () =>
        expect(await administration.read('import', 'k')).toMatchObject({
          state: 'idle',
          last_run: { outcome: 'stopped', done: 3, total: 9, result: { moved: 3 } },
        }),
      )
      // Results may be long, and stand in no list.
      expect((await administration.list()).find(({ key }) => key === 'k')).toMatchObject({ last_run: { result: null } })
    })

    test('says why it failed: by a refusal, or in a line', async () => {
      const administration = await with_(() => Promise.reject(new Refusal('openai.429', { status: 429 })))
      await until(async () =>
        expect((await administration.read('import', 'k')).last_run).toMatchObject({
          outcome: 'failed',
          failure: { message: 'errors.openai.429', values: { status: 429 }, text: null },
        }),
      )
    })
  })
})
