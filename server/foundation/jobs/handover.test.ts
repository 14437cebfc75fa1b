import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '#testing/childProcess.ts'
import { eachDatabase, eachStorage } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { openDatabase } from '../database/open.ts'
import type { Run } from './job.ts'
import { aJob, aProcess, ended, loseLease, openAgain, stateOf, untilAborted } from './jobs.testing.ts'
import type { Progress } from '../database/schema/portal.ts'

/** What several processes on a database do with its jobs. */
eachDatabase((name, open) => {
  test('a job runs in one process at a time', async () => {
    const opened = await open()
    const running = { now: 0, most: 0, runs: 0 }
    const sweep = aJob({
      name: 'sweep',
      every: 1,
      run: async () => {
        running.runs += 1
        running.most = Math.max(running.most, ++running.now)
        await setTimeout(2)
        running.now -= 1
      },
    })
    const processes = [await aProcess(opened, sweep), await aProcess(await openAgain(opened), sweep)]
    await until(async () => {
      await Promise.all(processes.map(jobs => jobs.start('sweep')))
      expect(running.runs).toBeGreaterThan(20)
    })
    expect(running.most).toBe(1)
  })

  test('a job that all start at once is started by one of them, and runs once', async () => {
    const opened = await open()
    const held = Promise.withResolvers<void>()
    let runs = 0
    const job = aJob({
      name: 'import',
      run: () => {
        runs += 1
        return held.promise
      },
    })
    const processes = [await aProcess(opened, job), await aProcess(await openAgain(opened), job)]
    const starts = await Promise.all(processes.map(jobs => jobs.start('import')))
    expect(starts.filter(Boolean)).toHaveLength(1)
    held.resolve()
    await ended(processes[0]!, 'import', 'finished')
    expect(runs).toBe(1)
  })

  test('a lease that is over is taken by another process, which goes on from what was saved; the first one hears of it', async () => {
    const opened = await open()
    const first = Promise.withResolvers<string>()
    const before = await aProcess(opened, {
      grace_ms: 10_000,
      ...aJob({
        name: 'import',
        run: async ({ save, signal }) => {
          await save({ done: 3, total: 9, cursor: { page: 3 } })
          signal.addEventListener('abort', () => {
            save({ done: 4 }).catch((error: unknown) => first.resolve(String(error)))
          })
          await first.promise
        },
      }),
    })
    await before.start('import', { input: 'all', started_by: 5 })
    await until(async () => expect(await stateOf(before, 'import')).toMatchObject({ state: 'running', done: 3 }))
    let found: { input: unknown; progress: Progress | null } | undefined
    const after = await aProcess(
      await openAgain(opened),
      aJob({
        name: 'import',
        input: value => value,
        run: async ({ input, progress }: Run<unknown>) => {
          found = { input, progress }
        },
      }),
    )
    await until(async () => {
      // The first one is alive, and renews it between two looks.
      if (found === undefined) await loseLease(opened, 'import')
      expect(found).toEqual({ input: 'all', progress: { done: 3, total: 9, cursor: { page: 3 } } })
    })
    expect(await first.promise).toContain('the job import is not run here any more')
    expect(await ended(after, 'import', 'finished')).toMatchObject({ last_run: { started_by: 5, done: 3, total: 9 } })
  })

  test('what a run stores together with how far it is, is stored by the run that the job is, and by no other', async () => {
    const opened = await open()
    const lost = Promise.withResolvers<void>()
    const second = Promise.withResolvers<unknown>()
    const note = (job_name: string) => ({ job_name, job_key: 'note', stop_requested: false, failures: 0 })
    const before = await aProcess(opened, {
      grace_ms: 10_000,
      ...aJob({
        name: 'import',
        run: async ({ saveWith }) => {
          const store = (name: string, done: number) =>
            saveWith(async trx => {
              await trx.insertInto('jobs').values(note(name)).execute()
              return { done }
            })
          await store('first', 1)
          await lost.promise
          await store('second', 2).catch(second.resolve)
        },
      }),
    })
    await before.start('import')
    await until(async () => expect(await stateOf(before, 'import')).toMatchObject({ done: 1 }))
    await opened.database.updateTable('jobs').set({ holder: 'another' }).where('job_name', '=', 'import').execute()
    lost.resolve()
    expect(String(await second.promise)).toContain('the job import is not run here any more')
    const notes = opened.database.selectFrom('jobs').select('job_name').where('job_key', '=', 'note')
    expect(await notes.execute()).toEqual([{ job_name: 'first' }])
  })

  test('a stop reaches the process that runs the job', async () => {
    const opened = await open()
    const job = aJob({ name: 'import', run: ({ signal }) => untilAborted(signal) })
    const one = await aProcess(opened, job)
    await one.start('import')
    await until(async () => expect(await stateOf(one, 'import')).toMatchObject({ state: 'running' }))
    const other = await aProcess(await openAgain(opened), job)
    if (name === 'PostgreSQL') expect(await other.stop('import')).toBe(true)
    else expect(await one.stop('import')).toBe(true)
    await ended(other, 'import', 'stopped')
  })

  test('what the bus has lost is found by looking', async () => {
    const opened = await open()
    const silent = { publish: () => undefined, subscribe: () => () => undefined, close: async () => undefined }
    const job = aJob({ name: 'import', run: ({ signal }) => untilAborted(signal) })
    const worker = await aProcess(opened, { bus: silent, ...job })
    const asking = await aProcess(await openAgain(opened), { bus: silent, tick_ms: 1_000_000, ...job })
    await until(async () => expect(await stateOf(asking, 'old jobs')).toMatchObject({ state: 'waiting' }))
    await asking.start('import')
    await until(async () => expect(await stateOf(worker, 'import')).toMatchObject({ state: 'running' }))
    await asking.stop('import')
    await ended(worker, 'import', 'stopped')
  })

  test('a process that closes gives its jobs back, and another one goes on at once', async () => {
    const opened = await open()
    const before = await aProcess(
      opened,
      aJob({
        name: 'import',
        run: async ({ save, signal }) => {
          await save({ done: 1, cursor: 'a' })
          await untilAborted(signal)
        },
      }),
    )
    await before.start('import')
    await until(async () => expect(await stateOf(before, 'import')).toMatchObject({ done: 1 }))
    await before.close()
    expect(await stateOf(before, 'import')).toMatchObject({ state: 'waiting', failures: 0, done: 1, last_run: null })
    const after = await aProcess(
      await openAgain(opened),
      aJob({ name: 'import', run: async ({ progress }) => progress?.cursor ?? null }),
    )
    expect(await ended(after, 'import', 'finished')).toMatchObject({ last_run: { result: 'a' } })
  })

  test('a run that does not end is left alone when the process closes, and nobody else begins until its lease is over', async () => {
    const opened = await open()
    const held = Promise.withResolvers<void>()
    const before = await aProcess(opened, aJob({ name: 'import', run: () => held.promise }))
    await before.start('import')
    await until(async () => expect(await stateOf(before, 'import')).toMatchObject({ state: 'running' }))
    await before.close()
    expect(await stateOf(before, 'import')).toMatchObject({ state: 'running' })
    if (name === 'PostgreSQL') {
      const after = await aProcess(await openAgain(opened), aJob({ name: 'import', run: async () => 'again' }))
      await ended(after, 'old jobs', 'finished')
      expect(await stateOf(after, 'import')).toMatchObject({ state: 'running' })
      await loseLease(opened, 'import')
      await ended(after, 'import', 'finished')
    }
    held.resolve()
  })

  test('a process closes although the database does not answer any more', async () => {
    const opened = await open()
    let isAway = false
    const database = opened.database.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => (isAway ? new Promise(() => undefined) : Promise.resolve(result)),
    })
    const jobs = await aProcess(
      { ...opened, database },
      aJob({ name: 'import', run: ({ signal }) => untilAborted(signal) }),
    )
    await jobs.start('import')
    await until(async () => expect(await stateOf(jobs, 'import')).toMatchObject({ state: 'running' }))
    isAway = true
    await expect(jobs.close()).resolves.toBe(undefined)
  })

  test('a job that has ended each process that ran it is given up', async () => {
    const opened = await open()
    const left = { next_run: 0, holder: 'gone', lease_until: 1, start_time: 1 }
    await opened.database
      .insertInto('jobs')
      .values([
        { job_name: 'deadly', job_key: '', ...left, failures: 5, stop_requested: false },
        { job_name: 'stopped', job_key: '', ...left, failures: 1, stop_requested: true },
      ])
      .execute()
    const ran: string[] = []
    const jobs = await aProcess(opened, {
      define({ define }) {
        for (const job of ['deadly', 'stopped']) define({ name: job, run: async () => void ran.push(job) })
      },
    })
    expect(await ended(jobs, 'deadly', 'failed')).toMatchObject({
      state: 'idle',
      last_run: { error: { message: expect.stringContaining('each process that ran it') } },
    })
    // What was to be stopped when its process was lost is not begun again either.
    await ended(jobs, 'stopped', 'stopped')
    expect(ran).toEqual([])
  })
})

const CHILD = `
  const { pino } = await import('pino')
  const { openBus } = await import('#server/foundation/database/bus.ts')
  const { systemClock } = await import('#server/foundation/clock.ts')
  const { openDatabase } = await import('#server/foundation/database/open.ts')
  const { openJobs } = await import('#server/foundation/jobs/jobs.ts')
  const open = await openDatabase(JSON.parse(process.env.STORAGE))
  const jobs = openJobs({ open, bus: await openBus(open), clock: systemClock, log: pino({ level: 'silent' }), lease_ms: 2_000, tick_ms: 100, pause_ms: 10 })
  jobs.define({ name: 'import', run: async ({ save }) => {
    await save({ done: 2, cursor: 'page 2' })
    console.log('saved')
    await new Promise(() => setInterval(() => undefined, 1_000))
  } })
  await jobs.begin()
  await jobs.start('import', { input: 'all', started_by: 1 })
`

eachStorage((_name, storage) => {
  test('a job goes on elsewhere after its process was killed', async () => {
    const where = await storage()
    const { child, lines, ended: isOver } = startProcess(CHILD, { STORAGE: JSON.stringify(where) })
    for await (const line of lines) if (line === 'saved') break
    child.kill('SIGKILL')
    expect(await isOver).toMatchObject({ signal: 'SIGKILL' })
    const open = await openDatabase(where)
    onTestFinished(() => open.close())
    const jobs = await aProcess(open, aJob({ name: 'import', run: async ({ progress }) => progress?.cursor ?? null }))
    expect(await ended(jobs, 'import', 'finished')).toMatchObject({
      last_run: { started_by: 1, result: 'page 2', done: 2 },
    })
  })
})
