import { describe, expect, test } from 'vitest'
import type { KeepingResult } from '#contract/keeping.ts'
import type { Progress } from '#server/foundation/database/schema/portal.ts'
import type { Run } from '#server/foundation/jobs/job.ts'
import { testClock } from '#testing/clock.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import { endingStore } from '../endingStore.ts'
import { hidden, SHOWN } from '../store.ts'
import { DAY, NOON } from './keeping.testing.ts'
import { keepingJob } from './keepingJob.ts'

eachDatabase((_name, openNew) => {
  /** Three people with two deleted conversations each, long ago; what is removed is only counted. */
  async function aJob() {
    const open = await openNew()
    const clock = testClock(NOON)
    const people = [await storedUser(open.database), await storedUser(open.database), await storedUser(open.database)]
    for (const user_id of [...people, ...people])
      await storedConversation(open.database, { user_id, ...hidden(NOON - 40 * DAY, user_id) })
    const removed: string[] = []
    const terms = { conversation_days: -1, deleted_days: 30, is_held: false }
    const origins = { conversation_days: null, deleted_days: null }
    const job = keepingJob({
      ...{ open, clock },
      terms: { readAll: async () => () => ({ ...terms, origins }), cleaningFrom: now => now },
      purge: {
        async end({ conversation_id, id }, ending, { begin }) {
          if (!(await begin(trx => endingStore(trx).beginEnd(id, ending, clock.now())))) return null
          removed.push(conversation_id)
          await open.database.deleteFrom('conversations').where('id', '=', id).execute()
          return { refusal: null, files: 0 }
        },
        removeWithdrawn: async () => ({ messages: 0, files: 0 }),
      },
      onRemoved: async () => true,
    })
    const run = (
      progress: Progress | null,
      save: (progress: Progress) => Promise<void>,
      signal = new AbortController().signal,
    ) => {
      const saveWith: Run<null>['saveWith'] = work => open.transaction(async trx => save(await work(trx)))
      return job.run({ input: null, progress, signal, save, saveWith }) as Promise<KeepingResult> // its own
    }
    const left = async () => (await open.database.selectFrom('conversations').select('id').execute()).length
    return { open, clock, people, removed, run, left }
  }

  describe('the job that removes', () => {
    test('goes on after a crash at any moment where it was, and counts nothing twice and everything once', async () => {
      // It stores how far it is with each of six conversations, and behind each of three people.
      for (let cut = 1; cut <= 9; cut++) {
        const { removed, run, left } = await aJob()
        const saved: Progress[] = []
        const crashing = run(null, async progress => {
          if (saved.length + 1 === cut) throw new Error('killed')
          saved.push(progress)
        })
        await expect(crashing).rejects.toThrow('killed')
        const result = await run(saved.at(-1) ?? null, async progress => void saved.push(progress))
        expect(result, `cut short at ${cut}`).toMatchObject({ deleted: 6, people: 3, refused: 0 })
        expect(new Set(removed).size).toBe(6)
        expect(removed).toHaveLength(6)
        expect(await left()).toBe(0)
        expect(saved.at(-1)).toMatchObject({ done: 6, total: 6 })
      }
    })
    test('is written down once, also when it was cut short behind that', async () => {
      const { open, run } = await aJob()
      const saved: Progress[] = []
      const keep = async (progress: Progress) => void saved.push(progress)
      await run(null, keep)
      await run(saved.at(-1) ?? null, keep)
      const rows = await open.database.selectFrom('audit').select('action').execute()
      expect(rows.map(({ action }) => action)).toEqual(['conversations.purged'])
    })
    test('stops between two conversations when it is told to, and leaves the others whole', async () => {
      const { run, left, removed } = await aJob()
      const stopping = new AbortController()
      const stopped = run(null, async () => stopping.abort(new Error('told to')), stopping.signal)
      await expect(stopped).rejects.toThrow('told to')
      expect(removed).toHaveLength(1)
      expect(await left()).toBe(5)
    })
    test('in two processes at once removes each conversation once', async () => {
      const { run, left, removed } = await aJob()
      const results = await Promise.all([run(null, async () => undefined), run(null, async () => undefined)])
      expect(results.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(6)
      expect(new Set(removed).size).toBe(removed.length)
      expect(await left()).toBe(0)
    })
    test('leaves one that was brought back meanwhile', async () => {
      const { open, clock, people } = await aJob()
      const ending = { kind: 'deleted', before: NOON } as const
      const [row] = await endingStore(open.database).ending(people[0] ?? null, ending, { after: 0, limit: 1 })
      if (row === undefined) throw new Error('none was found')
      await open.database.updateTable('conversations').set(SHOWN).where('id', '=', row.id).execute()
      expect(await endingStore(open.database).beginEnd(row.id, ending, clock.now())).toBe(false)
    })
  })
})
