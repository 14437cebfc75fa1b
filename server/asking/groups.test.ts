import { describe, expect, test } from 'vitest'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { eachDatabase } from '#testing/database.ts'
import { inGroups } from './groups.ts'

const PEOPLE = Array.from({ length: 40 }, (_, index) => `person ${index}`)
const aRow = { sealed_value: '', update_time: 1 }
const statuses = (settled: readonly PromiseSettledResult<unknown>[]) => settled.map(({ status }) => status)

/** Everybody gets a row; who is called so is refused, or fails when it was written already. */
function lettingIn(open: OpenDatabase, mayJoin: (name: string, group: readonly string[]) => boolean = () => true) {
  const groups: string[][] = []
  const work = async (
    trx: Transaction,
    last: (...writes: Promise<unknown>[]) => void,
    group: readonly string[],
  ): Promise<PromiseSettledResult<string>[]> => {
    groups.push([...group])
    return Promise.all(
      group.map(async name => {
        const taken = await trx
          .selectFrom('stored_credentials')
          .selectAll()
          .where('credential_name', '=', name)
          .executeTakeFirst()
        if (name === 'refused') return { status: 'rejected', reason: new Refusal('askedTooOften') } as const
        last(
          trx
            .insertInto('stored_credentials')
            .values({ ...aRow, credential_name: name === 'fails' ? 'person 0' : name, update_time: taken ? 2 : 1 })
            .execute(),
        )
        return { status: 'fulfilled', value: name } as const
      }),
    )
  }
  const names = () =>
    open.database
      .selectFrom('stored_credentials')
      .select('credential_name')
      .execute()
      .then(rows => new Set(rows.map(row => row.credential_name)))
  return { groups, names, letIn: inGroups({ open, mayJoin, work }) }
}

eachDatabase((_name, open) => {
  describe('those who come at the same moment', () => {
    test('go in by few transactions, in their order, and each hears their own', async () => {
      const { groups, names, letIn } = lettingIn(await open())
      expect(await Promise.all(PEOPLE.map(letIn))).toEqual(PEOPLE)
      expect(groups.flat()).toEqual(PEOPLE)
      expect(groups.length).toBeLessThanOrEqual(4)
      expect(await names()).toEqual(new Set(PEOPLE))
    })
    test('are not together with whom they may not be', async () => {
      const { groups, letIn } = lettingIn(await open(), (name, group) =>
        group.every(other => other.at(-1) !== name.at(-1)),
      )
      await Promise.all(PEOPLE.map(letIn))
      expect(groups.flat().toSorted()).toEqual(PEOPLE.toSorted())
      for (const group of groups) expect(new Set(group.map(name => name.at(-1))).size).toBe(group.length)
    })
    test('take nothing from the others when one is refused', async () => {
      const { names, letIn } = lettingIn(await open())
      const settled = await Promise.allSettled(['first', 'refused', 'last'].map(letIn))
      expect(settled[1]).toEqual({ status: 'rejected', reason: new Refusal('askedTooOften') })
      expect([statuses(settled), await names()]).toEqual([
        ['fulfilled', 'rejected', 'fulfilled'],
        new Set(['first', 'last']),
      ])
    })
    test('nor when what is written for one of them fails', async () => {
      const { groups, names, letIn } = lettingIn(await open())
      await letIn('person 0')
      const together = ['alone', 'first', 'fails', 'last']
      expect(statuses(await Promise.allSettled(together.map(letIn)))).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
      ])
      expect(await names()).toEqual(new Set(['person 0', 'alone', 'first', 'last']))
      expect(groups.some(group => group.includes('fails') && group.length > 1)).toBe(true)
    })
    test('leave nothing behind when all of them are refused', async () => {
      const opened = await open()
      const letIn = inGroups({
        open: opened,
        mayJoin: () => true,
        async work(trx: Transaction, _last, group: readonly string[]): Promise<PromiseSettledResult<string>[]> {
          await trx
            .insertInto('stored_credentials')
            .values({ ...aRow, credential_name: 'begun' })
            .execute()
          return group.map(name => ({ status: 'rejected', reason: name }))
        },
      })
      expect(await Promise.allSettled(PEOPLE.map(letIn))).toEqual(
        PEOPLE.map(reason => ({ status: 'rejected', reason })),
      )
      expect(await opened.database.selectFrom('stored_credentials').selectAll().execute()).toEqual([])
    })
    test('all hear of it when the database is not there, and later ones go in', async () => {
      const opened = await open()
      let isAway = true
      const away = {
        ...opened,
        transaction: ((work, manner) =>
          isAway ? Promise.reject(new Error('away')) : opened.transaction(work, manner)) as OpenDatabase['transaction'],
      }
      const { groups, letIn } = lettingIn(away)
      expect(statuses(await Promise.allSettled(['one', 'two'].map(letIn)))).toEqual(['rejected', 'rejected'])
      isAway = false
      expect(await letIn('three')).toBe('three')
      expect(groups).toEqual([['three']])
    })
  })
})
