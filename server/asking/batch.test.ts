import { describe, expect, test } from 'vitest'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { eachDatabase } from '#testing/database.ts'
import { openBatches } from './batch.ts'

const PEOPLE = Array.from({ length: 40 }, (_, index) => `person ${index}`)
const aRow = { setting_value: '', update_time: 1 }
const statuses = (settled: readonly PromiseSettledResult<unknown>[]) => settled.map(({ status }) => status)

/** Each name gets a row; the one named so is refused, or fails after it was written. */
function running(open: OpenDatabase, mayJoin: (name: string, batch: readonly string[]) => boolean = () => true) {
  const batches: string[][] = []
  const work = async (
    trx: Transaction,
    sendWithCommit: (...writes: Promise<unknown>[]) => void,
    batch: readonly string[],
  ): Promise<PromiseSettledResult<string>[]> => {
    batches.push([...batch])
    return Promise.all(
      batch.map(async name => {
        const taken = await trx
          .selectFrom('stored_settings')
          .selectAll()
          .where('setting_path', '=', name)
          .executeTakeFirst()
        if (name === 'refused') return { status: 'rejected', reason: new Refusal('askedTooOften') } as const
        sendWithCommit(
          trx
            .insertInto('stored_settings')
            .values({ ...aRow, setting_path: name === 'fails' ? 'person 0' : name, update_time: taken ? 2 : 1 })
            .execute(),
        )
        return { status: 'fulfilled', value: name } as const
      }),
    )
  }
  const names = () =>
    open.database
      .selectFrom('stored_settings')
      .select('setting_path')
      .execute()
      .then(rows => new Set(rows.map(row => row.setting_path)))
  return { batches, names, run: openBatches({ open, mayJoin, work }) }
}

eachDatabase((_name, open) => {
  describe('requests that come at the same moment', () => {
    test('share few transactions, in their order, and each gets its own result', async () => {
      const { batches, names, run } = running(await open())
      expect(await Promise.all(PEOPLE.map(run))).toEqual(PEOPLE)
      expect(batches.flat()).toEqual(PEOPLE)
      expect(batches.length).toBeLessThanOrEqual(4)
      expect(await names()).toEqual(new Set(PEOPLE))
    })
    test('share none with those that they may not join', async () => {
      const { batches, run } = running(await open(), (name, batch) =>
        batch.every(other => other.at(-1) !== name.at(-1)),
      )
      await Promise.all(PEOPLE.map(run))
      expect(batches.flat().toSorted()).toEqual(PEOPLE.toSorted())
      for (const batch of batches) expect(new Set(batch.map(name => name.at(-1))).size).toBe(batch.length)
    })
    test('lose nothing when one of them is refused', async () => {
      const { names, run } = running(await open())
      const settled = await Promise.allSettled(['first', 'refused', 'last'].map(run))
      expect(settled[1]).toEqual({ status: 'rejected', reason: new Refusal('askedTooOften') })
      expect([statuses(settled), await names()]).toEqual([
        ['fulfilled', 'rejected', 'fulfilled'],
        new Set(['first', 'last']),
      ])
    })
    test('lose nothing when what is written for one of them fails', async () => {
      const { batches, names, run } = running(await open())
      await run('person 0')
      const together = ['alone', 'first', 'fails', 'last']
      expect(statuses(await Promise.allSettled(together.map(run)))).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
      ])
      expect(await names()).toEqual(new Set(['person 0', 'alone', 'first', 'last']))
      expect(batches.some(batch => batch.includes('fails') && batch.length > 1)).toBe(true)
    })
    test('leave nothing behind when all of them are refused', async () => {
      const opened = await open()
      const run = openBatches({
        open: opened,
        mayJoin: () => true,
        async work(trx: Transaction, _send, batch: readonly string[]): Promise<PromiseSettledResult<string>[]> {
          await trx
            .insertInto('stored_settings')
            .values({ ...aRow, setting_path: 'started' })
            .execute()
          return batch.map(name => ({ status: 'rejected', reason: name }))
        },
      })
      expect(await Promise.allSettled(PEOPLE.map(run))).toEqual(PEOPLE.map(reason => ({ status: 'rejected', reason })))
      expect(await opened.database.selectFrom('stored_settings').selectAll().execute()).toEqual([])
    })
    test('all fail when the database is not there, and later ones do not', async () => {
      const opened = await open()
      let isAway = true
      const away = {
        ...opened,
        transaction: ((work, options) =>
          isAway
            ? Promise.reject(new Error('away'))
            : opened.transaction(work, options)) as OpenDatabase['transaction'],
      }
      const { batches, run } = running(away)
      expect(statuses(await Promise.allSettled(['one', 'two'].map(run)))).toEqual(['rejected', 'rejected'])
      isAway = false
      expect(await run('three')).toBe('three')
      expect(batches).toEqual([['three']])
    })
  })
})
