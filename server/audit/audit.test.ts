import { expect, test } from 'vitest'
import { runAs } from '#server/foundation/actor.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachDatabase } from '#testing/database.ts'
import { changedFields, recordAudit } from './audit.ts'
import { forgetInAudit } from './erasing.ts'

const rows = ({ database }: OpenDatabase) => database.selectFrom('audit').selectAll().orderBy('id').execute()
const LIMITS = { action: 'user.limits', subject: { kind: 'user', id: 3, name: 'Li' } } as const

eachDatabase((_, open) => {
  test('a change is written down with whoever makes it and from where', async () => {
    const opened = await open()
    const from = { address: '192.0.2.7', user_agent: 'Firefox', request_id: 'r-1' }
    await runAs({ kind: 'user', id: 1, name: 'Zhou', ...from }, () =>
      opened.transaction(trx => recordAudit(trx, { ...LIMITS, before: { asks: 5 }, after: { asks: 9 } })),
    )
    const [row] = await rows(opened)
    expect(row).toMatchObject({
      actor_kind: 'user',
      actor_id: 1,
      actor_name: 'Zhou',
      ...from,
      action: 'user.limits',
      subject_kind: 'user',
      subject_id: '3',
      subject_name: 'Li',
      before: { asks: 5 },
      after: { asks: 9 },
    })
  })
  test('each of several changes at once has its own actor', async () => {
    const opened = await open()
    const ids = Array.from({ length: 20 }, (_, at) => at + 1)
    await Promise.all(
      ids.map(id =>
        runAs({ kind: 'user', id }, () =>
          opened.transaction(trx => recordAudit(trx, { ...LIMITS, subject: { kind: 'user', id } })),
        ),
      ),
    )
    const all = await rows(opened)
    expect(all).toHaveLength(20)
    expect(all.filter(({ actor_id, subject_id }) => String(actor_id) !== subject_id)).toEqual([])
  })
  test('a change that is undone by its transaction is not written down', async () => {
    const opened = await open()
    const failing = opened.transaction(async trx => {
      await recordAudit(trx, LIMITS)
      throw new Error('after it')
    })
    await expect(failing).rejects.toThrow('after it')
    expect(await rows(opened)).toEqual([])
  })
  test('what nobody asked for is done by the program', async () => {
    const opened = await open()
    await opened.transaction(trx => recordAudit(trx, LIMITS))
    expect(await rows(opened)).toMatchObject([{ actor_kind: 'system', actor_id: null }])
  })
  test('the title of a conversation is not kept, and values are bounded', async () => {
    const opened = await open()
    await opened.transaction(trx =>
      recordAudit(trx, {
        action: 'conversation.deleted',
        subject: { kind: 'conversation', id: 'c', name: 'my illness' },
        after: { text: 'x'.repeat(70_000) },
      }),
    )
    expect(await rows(opened)).toMatchObject([{ subject_name: null, after: { too_long: true } }])
  })
  test('of an erased person no name and no value stays', async () => {
    const opened = await open()
    await runAs({ kind: 'user', id: 3, name: 'Li', address: '192.0.2.7' }, () =>
      opened.transaction(trx => recordAudit(trx, { ...LIMITS, before: { email: 'li@example.org' } })),
    )
    await opened.transaction(trx => forgetInAudit(trx, 3))
    expect(JSON.stringify(await rows(opened))).not.toMatch(/Li|192\.0\.2\.7|example\.org/)
  })
})

test('of two states the fields that differ are kept, a missing one as null', () => {
  const before = { asks: 5, slots: [{ a: 1 }], same: 'x' }
  expect(changedFields(before, { asks: 9, slots: [{ a: 1 }], same: 'x', later: true })).toEqual({
    before: { asks: 5, later: null },
    after: { asks: 9, later: true },
  })
  expect(changedFields(before, before)).toBe(null)
})
