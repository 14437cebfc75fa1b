import { expect, test } from 'vitest'
import { KEEPING_JOB } from '#contract/keeping.ts'
import { chunkStore } from '#server/asks/store.ts'
import type { LastRun } from '#server/foundation/database/schema/portal.ts'
import { OVERWRITING_JOB } from '#server/foundation/search/overwriting.ts'
import { storedAsk } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { type Portal, startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

/** These wait for their time of the day, or until something was deleted. */
const LATER = new Set<string>([KEEPING_JOB, OVERWRITING_JOB])

eachStorage((_name, storage) => {
  test('the jobs of a portal run at its first start', async () => {
    const { app } = await startPortal({ storage: await storage() })
    await until(async () => {
      const periodic = (await app.services.jobs.list()).filter(({ every, name }) => every !== null && !LATER.has(name))
      expect(periodic.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'chunks of ended asks',
          'expired sessions',
          'old jobs',
          'search index',
          'unfinished uploads',
        ]),
      )
      for (const { last_run } of periodic) expect(last_run).toMatchObject({ outcome: 'finished' })
    })
  })

  test('sessions that have expired are removed, and others are not', async () => {
    const portal = await startPortal({ storage: await storage() })
    const { database } = portal.app.services.open
    const { id } = await portal.person()
    await database.updateTable('sessions').set({ expire_time: 1 }).where('user_id', '=', id).execute()
    expect(await runOf(portal, 'expired sessions')).toMatchObject({ outcome: 'finished', result: { removed: 1 } })
    expect(await database.selectFrom('sessions').select('user_id').distinct().execute()).toEqual([
      { user_id: portal.admin.id },
    ])
  })

  test('chunks of an ask that has ended are removed, and stay as long as the answer grows', async () => {
    const portal = await startPortal({ storage: await storage() })
    const { open } = portal.app.services
    const chunks = chunkStore(open.database)
    const growing = await storedAsk(open, { lease_until: Date.now() + 3_600_000 })
    const ended = await storedAsk(open, { ask_state: 'done', end_time: Date.now() })
    for (const { ask_id } of [ended, growing]) await chunks.add({ ask_id, chunk_number: 1, chunk_text: '[]' })
    expect(await runOf(portal, 'chunks of ended asks')).toMatchObject({ outcome: 'finished', result: { removed: 1 } })
    expect(await chunks.after(ended.ask_id, 0)).toEqual([])
    expect(await chunks.after(growing.ask_id, 0)).toHaveLength(1)
  })
})

/** How a job ends that an administrator starts. */
async function runOf({ app, admin }: Portal, name: string): Promise<LastRun> {
  const { jobs } = app.services
  const lastRun = async () => (await jobs.list()).find(job => job.name === name)?.last_run ?? null
  // The first start runs it, too, which it must not be doing any more.
  await until(async () => expect(await lastRun()).not.toBe(null))
  expect(await jobs.start(name, { started_by: admin.id })).toBe(true)
  return until(async () => {
    const last_run = await lastRun()
    if (last_run?.started_by !== admin.id) throw new Error(`${name} has not ended`)
    return last_run
  })
}
