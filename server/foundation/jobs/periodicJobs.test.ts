import type { KyselyPlugin, QueryId } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { aJob, aProcess, ended, stateOf } from './jobs.testing.ts'

eachDatabase((_name, open) => {
  describe('a periodic job', () => {
    test('runs at the first start, and again after its period', async () => {
      let runs = 0
      const jobs = await aProcess(await open(), {
        define: ({ define }) =>
          define({
            name: 'sweep',
            every: 1,
            run: async () => {
              runs += 1
              return { removed: runs }
            },
          }),
      })
      await until(() => expect(runs).toBeGreaterThan(2))
      const { last_run, ...state } = await ended(jobs, 'sweep', 'finished')
      expect(last_run).toMatchObject({ started_by: null, outcome: 'finished', result: { removed: expect.any(Number) } })
      expect(state).toMatchObject({ name: 'sweep', key: '', every: 1, failures: 0, done: null })
    })
    test('waits for the rest of its period over a restart, and runs before it when it is started', async () => {
      const opened = await open()
      let runs = 0
      const daily = aJob({ name: 'daily', every: 86_400_000, run: async () => void (runs += 1) })
      const before = await aProcess(opened, daily)
      await ended(before, 'daily', 'finished')
      await before.close()
      const jobs = await aProcess(opened, daily)
      const { next_run, state } = await stateOf(jobs, 'daily')
      expect({ runs, state }).toEqual({ runs: 1, state: 'waiting' })
      expect(await jobs.start('daily', { started_by: 7 })).toBe(true)
      await until(async () => expect(await stateOf(jobs, 'daily')).toMatchObject({ last_run: { started_by: 7 } }))
      expect(runs).toBe(2)
      expect((await stateOf(jobs, 'daily')).next_run).toBeGreaterThanOrEqual(next_run ?? Infinity)
    })
    test('that ends just while it is started is run again', async () => {
      const opened = await open()
      const held = Promise.withResolvers<void>()
      let runs = 0
      let start: QueryId | undefined
      /** The start finds a run that goes on; before it hears of that, the run is over. */
      const endMeanwhile: KyselyPlugin = {
        transformQuery: ({ node, queryId }) => {
          if (runs === 1 && node.kind === 'InsertQueryNode') start ??= queryId
          return node
        },
        transformResult: async ({ result, queryId }) => {
          if (queryId !== start) return result
          held.resolve()
          await until(async () => expect(await stateOf(jobs, 'read')).toMatchObject({ state: 'waiting' }))
          return result
        },
      }
      const jobs = await aProcess(
        { ...opened, database: opened.database.withPlugin(endMeanwhile) },
        aJob({ name: 'read', every: 86_400_000, run: async () => void (++runs === 1 && (await held.promise)) }),
      )
      await until(() => expect(runs).toBe(1))
      expect(await jobs.start('read')).toBe(true)
      await until(() => expect(runs).toBe(2))
    })
    test('that is started while it runs is run again, since it may have been past what it is started for', async () => {
      const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
      let runs = 0
      const jobs = await aProcess(
        await open(),
        aJob({ name: 'read', every: 86_400_000, run: async () => held[runs++]?.promise }),
      )
      await until(() => expect(runs).toBe(1))
      expect(await jobs.start('read', { started_by: 8 })).toBe(true)
      expect(await jobs.start('read', { started_by: 9 })).toBe(true)
      held[0].resolve()
      await until(() => expect(runs).toBe(2))
      expect(await stateOf(jobs, 'read')).toMatchObject({
        state: 'running',
        started_by: 9,
        last_run: { started_by: null },
      })
      held[1].resolve()
      await until(async () => expect(await stateOf(jobs, 'read')).toMatchObject({ last_run: { started_by: 9 } }))
      const { state, next_run } = await stateOf(jobs, 'read')
      expect(state).toBe('waiting')
      expect(next_run).toBeGreaterThan(Date.now() + 3_600_000)
    })
    test('that fails keeps its error, and is repeated for as long as it fails', async () => {
      let isAway = true
      const jobs = await aProcess(
        await open(),
        aJob({
          name: 'sweep',
          every: 10,
          run: async () => {
            if (isAway) throw new Error('the disk is away')
          },
        }),
      )
      const { last_run } = await until(async () => {
        const state = await stateOf(jobs, 'sweep')
        expect(state.failures).toBeGreaterThan(6)
        return state
      })
      expect(last_run).toMatchObject({ outcome: 'failed', error: { message: 'Error: the disk is away' } })
      isAway = false
      expect(await ended(jobs, 'sweep', 'finished')).toMatchObject({ failures: 0 })
    })
    test('runs although its next time lies further ahead than its period: the clock was set back', async () => {
      const opened = await open()
      const hourly = (run: () => Promise<void>) => aJob({ name: 'hourly', every: 3_600_000, run })
      const jobs = await aProcess(
        opened,
        hourly(async () => undefined),
      )
      await ended(jobs, 'hourly', 'finished')
      await jobs.close()
      await opened.database
        .updateTable('jobs')
        .set({ next_run: Date.now() + 90_000_000, last_run: null })
        .execute()
      await ended(
        await aProcess(
          opened,
          hourly(async () => undefined),
        ),
        'hourly',
        'finished',
      )
    })
  })
})
