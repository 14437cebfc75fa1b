import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { Refusal } from '../refusal.ts'
import type { UnfinishedRun, Run } from './job.ts'
import { aJob, aProcess, ended, stateOf, untilAborted } from './jobs.testing.ts'

eachDatabase((_name, open) => {
  describe('a job without a period', () => {
    test('runs when it is started, with what it is given, and says who started it and what came of it', async () => {
      const jobs = await aProcess(
        await open(),
        aJob({
          name: 'export',
          input: value => (value as { of: string }).of, // only these tests start it
          run: async ({ input, progress, save }: Run<string>) => {
            expect(progress).toBe(null)
            await save({ done: 2, total: 3, cursor: 'c' })
            return `for ${input}`
          },
        }),
      )
      expect(await stateOf(jobs, 'export')).toMatchObject({ state: 'idle', last_run: null })
      expect(await jobs.start('export', { input: { of: 'ann' }, started_by: 3 })).toBe(true)
      const { last_run, ...state } = await ended(jobs, 'export', 'finished')
      expect(last_run).toMatchObject({ started_by: 3, outcome: 'finished', result: 'for ann', done: 2, total: 3 })
      expect(state).toMatchObject({ state: 'idle', every: null, next_run: null, done: null, started_by: null })
      expect(last_run?.end_time).toBeGreaterThanOrEqual(last_run?.start_time ?? Infinity)
    })
    test('is not started twice at once, and can be again when it has ended', async () => {
      const held = Promise.withResolvers<void>()
      const jobs = await aProcess(await open(), aJob({ name: 'import', run: () => held.promise }))
      const starts = await Promise.all(Array.from({ length: 5 }, () => jobs.start('import')))
      expect(starts.filter(Boolean)).toHaveLength(1)
      await until(async () => expect(await stateOf(jobs, 'import')).toMatchObject({ state: 'running' }))
      expect(await jobs.start('import')).toBe(false)
      held.resolve()
      await ended(jobs, 'import', 'finished')
      expect(await jobs.start('import')).toBe(true)
    })
    test('runs for each key by itself, two at once, and all in the end', async () => {
      const running = { now: 0, most: 0 }
      const held = Promise.withResolvers<void>()
      const jobs = await aProcess(
        await open(),
        aJob({
          name: 'export',
          run: async () => {
            running.most = Math.max(running.most, ++running.now)
            await held.promise
            running.now -= 1
          },
        }),
      )
      for (const key of ['1', '2', '3', '4', '5']) expect(await jobs.start('export', { key })).toBe(true)
      await until(() => expect(running.now).toBe(2))
      held.resolve()
      for (const key of ['1', '2', '3', '4', '5']) await ended(jobs, 'export', 'finished', key)
      expect(running.most).toBe(2)
    })
    test('that fails is repeated with what it saved', async () => {
      const seen: unknown[] = []
      const jobs = await aProcess(
        await open(),
        aJob({
          name: 'import',
          run: async ({ progress, save }) => {
            seen.push(progress?.cursor ?? null)
            if (seen.length === 3) return
            await save({ done: seen.length, cursor: `after ${seen.length}` })
            throw new Error('the line broke')
          },
        }),
      )
      await jobs.start('import', { started_by: 4 })
      expect(await ended(jobs, 'import', 'finished')).toMatchObject({ last_run: { started_by: 4, done: 2 } })
      expect(seen).toEqual([null, 'after 1', 'after 2'])
    })
    test('is given up after five failures in a row, and at once by a refusal', async () => {
      const runs = { broken: 0, refused: 0 }
      const jobs = await aProcess(await open(), {
        define({ define }) {
          define({
            name: 'broken',
            run: () => {
              runs.broken += 1
              throw new Error('no')
            },
          })
          define({
            name: 'refused',
            run: async () => {
              runs.refused += 1
              throw new Refusal('openai.401', { status: 401 })
            },
          })
        },
      })
      await jobs.start('broken')
      await jobs.start('refused')
      await until(async () => expect(await stateOf(jobs, 'broken')).toMatchObject({ state: 'idle', failures: 5 }))
      expect(await ended(jobs, 'refused', 'failed')).toMatchObject({
        state: 'idle',
        last_run: { error: { refusal: 'openai.401', values: { status: 401 } } },
      })
      expect(runs).toEqual({ broken: 5, refused: 1 })
    })
    test('that takes too long is told to end, and failed', async () => {
      const jobs = await aProcess(
        await open(),
        aJob({ name: 'import', every: 60_000, longest: 20, run: ({ signal }) => untilAborted(signal) }),
      )
      expect(await ended(jobs, 'import', 'failed')).toMatchObject({
        last_run: { error: { message: 'took longer than 0.02 seconds' } },
      })
    })
  })

  describe('stopping', () => {
    test('ends a run, which tells how far it came', async () => {
      const jobs = await aProcess(
        await open(),
        aJob({
          name: 'import',
          run: async ({ save, signal }) => {
            await save({ done: 5, total: 9 })
            await untilAborted(signal)
          },
        }),
      )
      await jobs.start('import')
      await until(async () => expect(await stateOf(jobs, 'import')).toMatchObject({ state: 'running', done: 5 }))
      expect(await jobs.stop('import')).toBe(true)
      expect(await ended(jobs, 'import', 'stopped')).toMatchObject({ state: 'idle', last_run: { done: 5, total: 9 } })
      expect(await jobs.stop('import')).toBe(false)
    })
    test('leaves a run alone that does not end, and refuses what it saves later', async () => {
      const held = Promise.withResolvers<void>()
      let saved: unknown
      const jobs = await aProcess(
        await open(),
        aJob({
          name: 'import',
          run: async ({ save }) => {
            await held.promise
            saved = await save({ done: 1 }).catch((error: unknown) => error)
          },
        }),
      )
      await jobs.start('import')
      await until(async () => expect(await stateOf(jobs, 'import')).toMatchObject({ state: 'running' }))
      await jobs.stop('import')
      await ended(jobs, 'import', 'stopped')
      held.resolve()
      await until(() => expect(String(saved)).toContain('the job import is not run here any more'))
      expect(await stateOf(jobs, 'import')).toMatchObject({ state: 'idle', done: null })
    })
    test('ends the wait for the next attempt', async () => {
      const jobs = await aProcess(await open(), {
        pause_ms: 3_600_000,
        ...aJob({ name: 'import', run: () => Promise.reject(new Error('no')) }),
      })
      await jobs.start('import')
      expect(await ended(jobs, 'import', 'failed')).toMatchObject({ state: 'waiting', failures: 1 })
      expect(await jobs.stop('import')).toBe(true)
      expect(await stateOf(jobs, 'import')).toMatchObject({ state: 'idle', failures: 0 })
    })
    test('ends the wait for the first attempt, and says that it was stopped', async () => {
      const jobs = await aProcess(await open(), aJob({ name: 'import', run: ({ signal }) => untilAborted(signal) }))
      for (const key of ['1', '2', '3']) await jobs.start('import', { key, started_by: 7 })
      await until(async () => expect(await stateOf(jobs, 'import', '2')).toMatchObject({ state: 'running' }))
      expect(await jobs.stop('import', '3')).toBe(true)
      expect(await ended(jobs, 'import', 'stopped', '3')).toMatchObject({ state: 'idle', last_run: { started_by: 7 } })
    })
  })

  describe('going on', () => {
    /** Does its work in two parts, and waits between them until it is stopped or `mayEnd`. */
    async function inTwoParts() {
      const seen: unknown[] = []
      const { promise, resolve: mayEnd } = Promise.withResolvers<void>()
      const define = {
        name: 'import',
        input: (value: unknown) => value as { by: number }, // only these tests start it
        run: async ({ input, progress, save, signal }: Run<{ by: number }>) => {
          seen.push({ ...input, from: progress?.cursor ?? null })
          if (progress === null) await save({ done: 5, total: 9, cursor: 'half' })
          await Promise.race([promise, untilAborted(signal)])
          await save({ done: progress?.total ?? 0, cursor: 'all' })
        },
        goOn: async ({ input, progress }: UnfinishedRun<{ by: number }>, by: number) => {
          if (by === 0) throw new Refusal('nothingLeftToDo')
          return { input: { ...input, by }, progress: progress && { ...progress, total: 8 } }
        },
      }
      const jobs = await aProcess(await open(), aJob(define))
      const start = (key: string) => jobs.start('import', { key, input: { by: 1 }, started_by: 1 })
      await start('k')
      await until(async () => expect(await stateOf(jobs, 'import', 'k')).toMatchObject({ state: 'running', done: 5 }))
      return { jobs, start, seen, mayEnd }
    }

    test('does what is left of a run that was stopped, in the name of who asks, and is refused a second time', async () => {
      const { jobs, seen, mayEnd } = await inTwoParts()
      expect(await stateOf(jobs, 'import', 'k')).toMatchObject({ may_go_on: false })
      await expect(jobs.goOn('import', 'k', 2)).rejects.toThrow('sameJobRuns')
      await jobs.stop('import', 'k')
      expect(await ended(jobs, 'import', 'stopped', 'k')).toMatchObject({ may_go_on: true, done: 5, total: 9 })
      const asked = await Promise.allSettled([jobs.goOn('import', 'k', 2), jobs.goOn('import', 'k', 2)])
      expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      mayEnd()
      expect(await ended(jobs, 'import', 'finished', 'k')).toMatchObject({
        may_go_on: false,
        last_run: { started_by: 2, done: 8 },
      })
      expect(seen).toEqual([
        { by: 1, from: null },
        { by: 2, from: 'half' },
      ])
      await expect(jobs.goOn('import', 'k', 2)).rejects.toThrow('nothingLeftToDo')
    })
    test('is refused while another of its name runs, where nothing is left, and where nothing is kept', async () => {
      const { jobs, start } = await inTwoParts()
      await jobs.stop('import', 'k')
      await ended(jobs, 'import', 'stopped', 'k')
      await start('other')
      await expect(jobs.goOn('import', 'k', 2)).rejects.toThrow('sameJobRuns')
      await until(async () => expect(await stateOf(jobs, 'import', 'other')).toMatchObject({ state: 'running' }))
      await jobs.stop('import', 'other')
      await ended(jobs, 'import', 'stopped', 'other')
      await expect(jobs.goOn('import', 'k', 0)).rejects.toThrow('nothingLeftToDo')
      expect(await stateOf(jobs, 'import', 'k')).toMatchObject({ state: 'idle', may_go_on: true })
      await expect(jobs.goOn('import', 'forgotten', 2)).rejects.toThrow('jobNotKept')
    })
    test('is not possible where it was not kept how far the run had come', async () => {
      const opened = await open()
      const last_run = {
        outcome: 'stopped',
        started_by: 1,
        start_time: 1,
        end_time: Date.now(),
        done: 5,
        total: 9,
      } as const
      const row = { job_name: 'import', job_key: 'k', next_run: null, end_time: last_run.end_time, last_run }
      await opened.database.insertInto('jobs').values(row).execute()
      const jobs = await aProcess(
        opened,
        aJob({ name: 'import', run: async () => undefined, goOn: async left => left }),
      )
      expect(await stateOf(jobs, 'import', 'k')).toMatchObject({ may_go_on: false })
      await expect(jobs.goOn('import', 'k', 2)).rejects.toThrow('jobNotKept')
    })
  })

  test('what is not known, or longer than what is kept, is refused', async () => {
    const jobs = await aProcess(await open(), {
      define({ define }) {
        define({
          name: 'import',
          input: value => {
            if (typeof value !== 'number') throw new Refusal('requestValidationError')
            return value
          },
          run: async ({ save }: Run<number>) => {
            await save({ done: 0, cursor: 'x'.repeat(10_001) })
          },
        })
        define({ name: 'sweep', every: 60_000, run: async () => 'x'.repeat(10_001) })
      },
    })
    await expect(jobs.start('unheard of')).rejects.toThrow('there is no job unheard of')
    await expect(jobs.stop('unheard of')).rejects.toThrow('there is no job unheard of')
    await expect(jobs.start('import', { key: 'x'.repeat(201), input: 1 })).rejects.toThrow('not a key')
    await expect(jobs.start('sweep', { key: 'x' })).rejects.toThrow('not a key')
    await expect(jobs.start('import', { input: 'x'.repeat(10_000) })).rejects.toThrow('at most 10000 characters')
    await expect(jobs.start('import', { input: 'a word' })).rejects.toThrow('requestValidationError')
    expect(() => jobs.define({ name: 'late', run: async () => undefined })).toThrow('too late')
    expect((await stateOf(jobs, 'import')).state).toBe('idle')
    expect(await ended(jobs, 'sweep', 'failed')).toMatchObject({
      last_run: { error: { message: expect.stringContaining('the result of a job has at most') } },
    })
    await jobs.start('import', { input: 1 })
    await ended(jobs, 'import', 'failed')
    await jobs.stop('import')
  })

  test('what ended long ago is forgotten', async () => {
    const opened = await open()
    const old = { job_name: 'export', next_run: null, end_time: Date.now() - 31 * 86_400_000 }
    await opened.database
      .insertInto('jobs')
      .values([
        { ...old, job_key: 'old' },
        { ...old, job_key: 'waits', next_run: Date.now() + 60_000 },
        { ...old, job_key: 'recent', end_time: Date.now() },
      ])
      .execute()
    const jobs = await aProcess(opened, aJob({ name: 'export', run: async () => undefined }))
    await ended(jobs, 'old jobs', 'finished')
    expect((await jobs.list()).map(({ key }) => key)).toEqual(['waits', 'recent', ''])
  })
})

test('a clock that is set forward begins nothing a second time that runs here', async () => {
  const clock = { time: Date.now(), reads: 0, now: () => (clock.reads++, clock.time), monotonic: () => clock.time }
  const held = Promise.withResolvers<void>()
  let runs = 0
  const jobs = await aProcess(await aDatabase(), {
    clock,
    ...aJob({
      name: 'import',
      run: () => {
        runs += 1
        return held.promise
      },
    }),
  })
  await jobs.start('import')
  await until(() => expect(runs).toBe(1))
  clock.time += 30 * 86_400_000
  const before = clock.reads
  await until(() => expect(clock.reads).toBeGreaterThan(before + 20))
  held.resolve()
  await ended(jobs, 'import', 'finished')
  expect(runs).toBe(1)
})

test('a failure is one line of the log, a stop and an end are another', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: line => lines.push(JSON.parse(line) as Record<string, unknown>) })
  let runs = 0
  const jobs = await aProcess(await aDatabase(), {
    log,
    ...aJob({
      name: 'export',
      run: async () => {
        if (++runs === 1) throw new Error('no')
      },
    }),
  })
  await jobs.start('export', { key: '7' })
  await ended(jobs, 'export', 'finished', '7')
  await jobs.close()
  expect(lines).toMatchObject([
    { level: 50, job: 'export', key: '7', failures: 1, message: 'Error: no', msg: 'a job failed' },
    { level: 30, job: 'export', key: '7', seconds: expect.any(Number), msg: 'a job finished' },
  ])
})
