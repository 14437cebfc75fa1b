import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#server/foundation/clock.ts'
import { openDatabase } from '#server/foundation/database/open.ts'
import { aProcess, ended, openAgain } from '#server/foundation/jobs/jobs.testing.ts'
import { NO_SOURCES } from '#server/sources/noSources.testing.ts'
import { startProcess } from '#testing/childProcess.ts'
import { eachStorage } from '#testing/database.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import { conversationJob } from './job.ts'
import { openPurge } from './purge.ts'

/** A process that hangs in its second transaction, when everything in it is done but the commit. */
const CHILD = `
  const { pino } = await import('pino')
  const { openBus } = await import('#server/foundation/database/bus.ts')
  const { systemClock } = await import('#server/foundation/clock.ts')
  const { openDatabase } = await import('#server/foundation/database/open.ts')
  const { openJobs } = await import('#server/foundation/jobs/jobs.ts')
  const { conversationJob } = await import('#server/conversations/administration/job.ts')
  const { NO_SOURCES } = await import('#server/sources/noSources.testing.ts')
  const opened = await openDatabase(JSON.parse(process.env.STORAGE))
  // A script without a file has no worker threads.
  const open = { ...opened, readOnly: () => opened.database }
  const jobs = openJobs({ open, bus: await openBus(open), clock: systemClock, log: pino({ level: 'silent' }), lease_ms: 2_000, tick_ms: 100, pause_ms: 10 })
  const job = conversationJob({ open, clock: systemClock, purge: {}, sources: NO_SOURCES, onRemoved: async () => true, onHidden: () => undefined })
  let saved = 0
  jobs.define({ ...job, run: run => job.run({ ...run, saveWith: work => run.saveWith(async trx => {
    const progress = await work(trx)
    if (++saved === 2) {
      console.log('inside')
      await new Promise(() => undefined)
    }
    return progress
  }) }) })
  setInterval(() => undefined, 1_000)
  await jobs.begin()
  await jobs.start('conversations', { key: 'k', input: JSON.parse(process.env.INPUT), started_by: 1 })
`

eachStorage((name, storage) => {
  test('a change whose process was killed in the middle is finished by another one: nothing twice, nothing left out', async () => {
    const where = await storage()
    const open = await openDatabase(where)
    const user_id = await storedUser(open.database, { is_superuser: true })
    for (let at = 0; at < 120; at++) await storedConversation(open.database, { user_id })
    const later = await storedUser(open.database)
    if (name === 'SQLite') await open.close()
    const input = {
      action: 'assign',
      ids: null,
      filter: { owner: String(user_id) },
      before: Date.now(),
      user_id: later,
      deletion: null,
      by: user_id,
    }
    const {
      child,
      lines,
      ended: isOver,
    } = startProcess(CHILD, {
      STORAGE: JSON.stringify(where),
      INPUT: JSON.stringify(input),
    })
    for await (const line of lines) if (line === 'inside') break
    child.kill('SIGKILL')
    expect(await isOver).toMatchObject({ signal: 'SIGKILL' })

    const again = name === 'SQLite' ? await openDatabase(where) : open
    onTestFinished(() => again.close())
    const owners = () =>
      again.database
        .selectFrom('conversations')
        .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
        .groupBy('user_id')
        .orderBy('user_id')
        .execute()
    expect(await owners()).toEqual([
      { user_id, count: 70 },
      { user_id: later, count: 50 },
    ])
    // Two others on PostgreSQL, where there may be more than one.
    const others = [again, ...(name === 'SQLite' ? [] : [await openAgain(again)])]
    const processes = await Promise.all(
      others.map(opened =>
        aProcess(opened, {
          define: ({ define }) =>
            define(
              conversationJob({
                open: opened,
                clock: systemClock,
                purge: openPurge({
                  open: opened,
                  clock: systemClock,
                  files: { removeUnnamed: async () => 0, lastUsedIn: async () => [] },
                  sources: NO_SOURCES,
                  onRemoved: async () => true,
                }),
                sources: NO_SOURCES,
                onRemoved: async () => true,
                onHidden: () => undefined,
              }),
            ),
          log: pino({ level: 'silent' }),
        }),
      ),
    )
    const [first] = processes
    if (first === undefined) throw new Error('no process')
    expect(await ended(first, 'conversations', 'finished', 'k')).toMatchObject({
      last_run: { done: 120, total: 120, result: { done: 120, already: 0, failed: 0 } },
    })
    expect(await owners()).toEqual([{ user_id: later, count: 120 }])
  })
})
