import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { forUpdate } from './schema/definition.ts'
import type { OpenDatabase, Transaction } from './open.ts'

const QUEUE = { upstream_id: 1, next_ticket: 0 }

async function withQueue(open: () => Promise<OpenDatabase>): Promise<OpenDatabase> {
  const opened = await open()
  await opened.database.insertInto('queues').values(QUEUE).execute()
  return opened
}

const nextTicket = async ({ database }: OpenDatabase) =>
  (await database.selectFrom('queues').selectAll().executeTakeFirstOrThrow()).next_ticket

eachDatabase((name, open) => {
  test('keeps all that was done in it, and gives what the work gives', async () => {
    const opened = await withQueue(open)
    expect(
      await opened.transaction(async trx => {
        await trx.updateTable('queues').set({ next_ticket: 1 }).execute()
        return (await trx.selectFrom('queues').select('next_ticket').executeTakeFirstOrThrow()).next_ticket
      }),
    ).toBe(1)
    expect(await nextTicket(opened)).toBe(1)
  })
  test('keeps nothing when the work fails, and gives its error', async () => {
    const opened = await withQueue(open)
    await expect(
      opened.transaction(async trx => {
        await trx.updateTable('queues').set({ next_ticket: 1 }).execute()
        throw new Error('in the midst')
      }),
    ).rejects.toThrow('in the midst')
    expect(await nextTicket(opened)).toBe(0)
  })
  test('what is not done yet is seen by nobody else', async () => {
    const opened = await withQueue(open)
    const midst = Promise.withResolvers<void>()
    const seen = midst.promise.then(() => nextTicket(opened))
    await opened.transaction(async trx => {
      await trx.updateTable('queues').set({ next_ticket: 1 }).execute()
      midst.resolve()
      await trx.selectFrom('queues').selectAll().execute()
      await trx.updateTable('queues').set({ next_ticket: 2 }).execute()
    })
    expect([0, 2]).toContain(await seen)
  })
  test('a row read for update is not changed by another meanwhile', async () => {
    const opened = await withQueue(open)
    const taken = await Promise.all(
      Array.from({ length: 20 }, () =>
        opened.transaction(async trx => {
          const { next_ticket } = await trx
            .selectFrom('queues')
            .selectAll()
            .where('upstream_id', '=', 1)
            .$call(forUpdate(opened.engine))
            .executeTakeFirstOrThrow()
          await trx
            .updateTable('queues')
            .set({ next_ticket: next_ticket + 1 })
            .where('upstream_id', '=', 1)
            .execute()
          return next_ticket
        }),
      ),
    )
    expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, ticket) => ticket))
    expect(await nextTicket(opened)).toBe(20)
  })
  test('what is asked in it at the same moment is done in its order', async () => {
    const opened = await withQueue(open)
    const [, changed, found] = await opened.transaction(trx =>
      Promise.all([
        trx.insertInto('queues').values({ upstream_id: 2, next_ticket: 1 }).execute(),
        trx.updateTable('queues').set({ next_ticket: 7 }).where('next_ticket', '=', 1).executeTakeFirst(),
        trx.selectFrom('queues').selectAll().orderBy('upstream_id').execute(),
      ]),
    )
    expect(changed.numUpdatedRows).toBe(1n)
    expect(found).toEqual([QUEUE, { upstream_id: 2, next_ticket: 7 }])
  })
  test('what fails among much that is asked at the same moment is the error of all, and nothing is kept', async () => {
    const opened = await withQueue(open)
    const failed = await opened
      .transaction(trx =>
        Promise.all([
          trx.updateTable('queues').set({ next_ticket: 5 }).execute(),
          trx.insertInto('queues').values(QUEUE).execute(),
          trx.insertInto('queues').values({ upstream_id: 2, next_ticket: 1 }).execute(),
        ]),
      )
      .catch((error: unknown) => error)
    expect(opened.isUniqueViolation(failed)).toBe(true)
    expect(await nextTicket(opened)).toBe(0)
    expect(await opened.database.selectFrom('queues').select('upstream_id').execute()).toEqual([{ upstream_id: 1 }])
  })
  test('what is handed to the commit is kept with all the rest', async () => {
    const opened = await withQueue(open)
    expect(
      await opened.transaction(async (trx, sendWithCommit) => {
        await trx.updateTable('queues').set({ next_ticket: 1 }).execute()
        sendWithCommit(
          trx.insertInto('queues').values({ upstream_id: 2, next_ticket: 2 }).execute(),
          trx.insertInto('queues').values({ upstream_id: 3, next_ticket: 3 }).execute(),
        )
        return 'done'
      }),
    ).toBe('done')
    expect(await opened.database.selectFrom('queues').select('next_ticket').orderBy('upstream_id').execute()).toEqual(
      [1, 2, 3].map(next_ticket => ({ next_ticket })),
    )
  })
  test('what fails on its way with the commit is the error of all, however deep it stands, and nothing is kept', async () => {
    const opened = await withQueue(open)
    const inserted = async (trx: Transaction) => {
      await Promise.all(
        [1, 2].map(async () => {
          await trx.insertInto('queues').values(QUEUE).execute()
        }),
      )
    }
    const failed = await opened
      .transaction(async (trx, sendWithCommit) => {
        await trx.updateTable('queues').set({ next_ticket: 5 }).execute()
        sendWithCommit(inserted(trx), trx.insertInto('queues').values({ upstream_id: 2, next_ticket: 1 }).execute())
      })
      .catch((error: unknown) => error)
    expect(opened.isUniqueViolation(failed)).toBe(true)
    expect(await opened.database.selectFrom('queues').selectAll().execute()).toEqual([QUEUE])
    expect(await opened.transaction(async () => 'the next')).toBe('the next')
  })
  test('many at once, and reads between them, all come to their end', async () => {
    const opened = await withQueue(open)
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        if (index % 2) return nextTicket(opened)
        return opened.transaction(trx =>
          trx
            .updateTable('queues')
            .set(({ eb }) => ({ next_ticket: eb('next_ticket', '+', 1) }))
            .execute(),
        )
      }),
    )
    expect(await nextTicket(opened)).toBe(25)
  })
  if (name === 'SQLite') describe('a query beside its own transaction', () => besideItself(open))
  if (name === 'PostgreSQL') describe('on a server that others use', () => againstOthers(open))
})

function besideItself(open: () => Promise<OpenDatabase>): void {
  test('is refused, since each would wait for the other', async () => {
    const opened = await withQueue(open)
    await expect(opened.transaction(() => nextTicket(opened))).rejects.toThrow(
      'inside a transaction, queries go through it',
    )
    await expect(opened.transaction(() => opened.transaction(async () => {}))).rejects.toThrow('inside a transaction')
    expect(await nextTicket(opened)).toBe(0)
  })
  test('waits for the transaction when it comes from elsewhere', async () => {
    const opened = await withQueue(open)
    const wake = Promise.withResolvers<void>()
    const seen = wake.promise.then(() => nextTicket(opened))
    await opened.transaction(async trx => {
      await trx.updateTable('queues').set({ next_ticket: 5 }).execute()
      wake.resolve()
      await trx.selectFrom('queues').selectAll().execute()
      await trx.updateTable('queues').set({ next_ticket: 6 }).execute()
    })
    expect(await seen).toBe(6)
  })
  test('is free when the transaction in which it was started is over', async () => {
    const opened = await withQueue(open)
    const over = Promise.withResolvers<void>()
    const later = opened.transaction(async () => ({ read: over.promise.then(() => nextTicket(opened)) }))
    const { read } = await later
    over.resolve()
    expect(await read).toBe(0)
  })
}

function againstOthers(open: () => Promise<OpenDatabase>): void {
  test('the loser of a deadlock is done again from its beginning', async () => {
    const opened = await withQueue(open)
    await opened.database.insertInto('queues').values({ upstream_id: 2, next_ticket: 0 }).execute()
    const met = Promise.withResolvers<void>()
    let started = 0
    const count = (first: number, second: number) =>
      opened.transaction(async trx => {
        for (const id of [first, second]) {
          await trx
            .updateTable('queues')
            .set(({ eb }) => ({ next_ticket: eb('next_ticket', '+', 1) }))
            .where('upstream_id', '=', id)
            .execute()
          if (id === first && ++started === 2) met.resolve()
          await met.promise
        }
      })
    await Promise.all([count(1, 2), count(2, 1)])
    expect(started).toBe(3)
    expect(await opened.database.selectFrom('queues').select('next_ticket').execute()).toEqual([
      { next_ticket: 2 },
      { next_ticket: 2 },
    ])
  })
  test('a query that comes after the commit was sent is refused', async () => {
    const opened = await withQueue(open)
    const lateInsert = async (trx: Transaction) => {
      await trx.selectFrom('queues').selectAll().execute()
      await trx.updateTable('queues').set({ next_ticket: 1 }).execute()
    }
    await expect(opened.transaction(async (trx, sendWithCommit) => sendWithCommit(lateInsert(trx)))).rejects.toThrow(
      'this transaction is over',
    )
  })
  test('an error that would come again is not tried again', async () => {
    const { transaction } = await withQueue(open)
    let attempts = 0
    await expect(
      transaction(async trx => {
        attempts++
        await trx.insertInto('queues').values(QUEUE).execute()
      }),
    ).rejects.toMatchObject({ code: '23505' })
    expect(attempts).toBe(1)
  })
  test('after five times the error is given', async () => {
    const { transaction } = await withQueue(open)
    let attempts = 0
    await expect(
      transaction(async trx => {
        attempts++
        await sql`do $$ begin raise exception 'try again' using errcode = '40001'; end $$`.execute(trx)
      }),
    ).rejects.toMatchObject({ code: '40001' })
    expect(attempts).toBe(5)
  })
}
