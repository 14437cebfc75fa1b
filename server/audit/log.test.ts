import { describe, expect, test } from 'vitest'
import type { AuditQuery } from '#contract/audit.ts'
import { runAs } from '#server/foundation/actor.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { HttpAnswer } from '#server/foundation/http/route.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { testClock } from '#testing/clock.ts'
import { eachDatabase } from '#testing/database.ts'
import { type AuditEntry, continueAudit, recordAudit, recordOnceIn } from './audit.ts'
import { type Dependencies, openAudit, type UndoneChange } from './log.ts'

const DAY = 86_400_000
const NAMES = new Map([
  [1, 'Zhou'],
  [2, 'Mei'],
  [3, 'Lin'],
])
const LIMITS = {
  action: 'user.limits',
  subject: { kind: 'user', id: 3, name: 'Lin' },
  before: { asks: 5 },
  after: { asks: 9 },
} as const satisfies AuditEntry

function anAudit(open: OpenDatabase, given: Partial<Dependencies> = {}) {
  const clock = testClock()
  const undone: UndoneChange[] = []
  const audit = openAudit({
    ...{ open, clock },
    settings: () => ({ time_zone: 'Asia/Kathmandu', kept_days: 90 }),
    undo: {
      'user.limits': async change => {
        undone.push(change)
        await open.transaction(trx => recordAudit(trx, { ...LIMITS, before: change.after, after: change.before }))
      },
    },
    nicknamesOf: async ids => new Map([...NAMES].filter(([id]) => ids.includes(id))),
    titlesOf: async () => new Map([['there', 'A boat']]),
    ...given,
  })
  /** As this person, or as the program. Gives the number of the row. */
  const record = (entry: AuditEntry, id: number | null = 1) =>
    runAs(id === null ? { kind: 'system' } : { kind: 'user', id, name: NAMES.get(id) ?? null }, () =>
      open.transaction(trx => recordAudit(trx, entry)),
    )
  const actions = async (query: AuditQuery) => (await audit.list(query)).rows.map(({ action }) => action)
  const setTime = (id: number, time: number) =>
    open.database.updateTable('audit').set({ time }).where('id', '=', id).execute()
  return { audit, clock, undone, record, actions, setTime }
}

async function textOf({ body }: HttpAnswer): Promise<string> {
  let text = ''
  for await (const part of body) text += String(part)
  return text
}

eachDatabase((_, open) => {
  describe('the audit', () => {
    test('is read latest first, by pages that do not overlap, with how many there are', async () => {
      const { audit, record } = anAudit(await open())
      const ids: number[] = []
      for (let at = 0; at < 45; at++) ids.push(await record(LIMITS))
      const pages = [await audit.list({ page: '1', size: '20' }), await audit.list({ page: '3', size: '20' })]
      expect(pages.map(({ total }) => total)).toEqual([45, 45])
      const shown = pages.map(({ rows }) => rows.map(({ id }) => id))
      expect(shown).toEqual([ids.toReversed().slice(0, 20), ids.toReversed().slice(40)])
      expect((await audit.list({ page: '4', size: '20' })).rows).toEqual([])
    })
    test('is filtered by actor, their kind, action and subject, each alone and together', async () => {
      const { actions, record } = anAudit(await open())
      await record(LIMITS, 1)
      await record({ action: 'plan.changed', subject: { kind: 'plan', id: 3, name: 'Guests' } }, 2)
      await record({ action: 'audit.removed', subject: { kind: 'audit', id: null } }, null)
      expect(await actions({ actor: '2' })).toEqual(['plan.changed'])
      expect(await actions({ kind: 'system' })).toEqual(['audit.removed'])
      expect(await actions({ action: 'user.limits' })).toEqual(['user.limits'])
      // A plan and a person of the same number are two subjects.
      expect(await actions({ subject: 'plan', subject_id: '3' })).toEqual(['plan.changed'])
      expect(await actions({ subject_id: '3' })).toEqual(['plan.changed', 'user.limits'])
      expect(await actions({ subject: 'plan', actor: '1' })).toEqual([])
    })
    test('finds words in the names of who did it and of what it was done to, in any case, and takes no pattern', async () => {
      const { actions, record } = anAudit(await open())
      await record({ action: 'plan.changed', subject: { kind: 'plan', id: 2, name: '100% Guests' } }, 2)
      await record(LIMITS, 1)
      expect(await actions({ words: 'MEI' })).toEqual(['plan.changed'])
      expect(await actions({ words: 'guests mei' })).toEqual(['plan.changed'])
      expect(await actions({ words: '0% g' })).toEqual(['plan.changed'])
      expect(await actions({ words: 'L%n' })).toEqual([])
      expect(await actions({ words: 'guests zhou' })).toEqual([])
    })
    test('of a span has its first moment and not its last', async () => {
      const { actions, record, setTime } = anAudit(await open())
      const [first, second] = [await record(LIMITS), await record({ ...LIMITS, action: 'user.plan' })]
      const noon = Date.parse('2026-03-29T12:00:00Z')
      await setTime(first, noon)
      await setTime(second, noon + 1_000)
      expect(await actions({ from: '2026-03-29T12:00:00Z', to: '2026-03-29T12:00:01Z' })).toEqual(['user.limits'])
      // The same moment, said in another zone.
      expect(await actions({ from: '2026-03-29T17:45:01+05:45' })).toEqual(['user.plan'])
    })
    test('offers whoever made changes in the span, the most first, by the names they have now', async () => {
      const { audit, record } = anAudit(await open(), { nicknamesOf: async () => new Map([[2, 'Mei Lan']]) })
      await record(LIMITS, 1)
      for (const id of [2, 2]) await record(LIMITS, id)
      await record(LIMITS, null)
      expect((await audit.list({})).actors).toEqual([
        { id: 2, name: 'Mei Lan' },
        { id: 1, name: 'Zhou' },
      ])
      expect((await audit.list({ to: '2001-01-01T00:00:00Z' })).actors).toEqual([])
    })
    test('names a conversation by its title as long as there is one, and never stores it', async () => {
      const opened = await open()
      const { audit, record } = anAudit(opened)
      for (const id of ['there', 'gone'])
        await record({ action: 'conversation.deleted', subject: { kind: 'conversation', id, name: 'A boat' } })
      expect((await audit.list({})).rows.map(({ subject }) => subject.name)).toEqual([null, 'A boat'])
      expect(JSON.stringify(await opened.database.selectFrom('audit').selectAll().execute())).not.toContain('A boat')
    })
    test('is written as CSV oldest first, in the portal’s time, what looks like a formula as text', async () => {
      const { audit, record, setTime } = anAudit(await open())
      const id = await record({ ...LIMITS, subject: { kind: 'user', id: 3, name: '=cmd()' } })
      await setTime(id, Date.parse('2026-03-29T12:00:00Z'))
      await record({ action: 'plan.created', subject: { kind: 'plan', id: 2, name: 'Family, "old"' } }, 2)
      const lines = (await textOf(audit.export({}))).trim().split('\r\n')
      expect(lines).toHaveLength(3)
      expect(lines[0]).toContain('time (Asia/Kathmandu)')
      expect(lines[1]).toMatch(/2026-03-29.17:45:00.*,Zhou,1,user,.*user\.limits,'=cmd\(\),/)
      expect(lines[1]).toContain('{""asks"":5}')
      expect(lines[2]).toContain('"Family, ""old"""')
      expect((await textOf(audit.export({ actor: '2' }))).trim().split('\r\n')).toHaveLength(2)
    })
    test('is written as CSV whole, however many rows there are', async () => {
      const opened = await open()
      const { audit } = anAudit(opened)
      await opened.transaction(async trx => {
        for (let at = 0; at < 1_001; at++) await recordAudit(trx, LIMITS)
      })
      expect((await textOf(audit.export({}))).trim().split('\r\n')).toHaveLength(1_002)
    })
    test('is kept for its days, and says of itself how much went', async () => {
      const opened = await open()
      const { audit, clock, record, setTime, actions } = anAudit(opened)
      const [old, young] = [await record(LIMITS), await record({ ...LIMITS, action: 'user.plan' })]
      await setTime(old, clock.now() - 90 * DAY - 1)
      await setTime(young, clock.now() - 90 * DAY)
      expect(await audit.removeOld()).toBe(1)
      expect((await audit.list({})).rows[0]).toMatchObject({ action: 'audit.removed', after: { rows: 1 } })
      expect(await audit.removeOld()).toBe(0)
      expect(await actions({})).toEqual(['audit.removed', 'user.plan'])
    })
  })

  describe('a change', () => {
    test('that can be undone is undone once, by a row of its own, and names who did it', async () => {
      const { audit, record, undone } = anAudit(await open())
      const id = await record(LIMITS, 2)
      expect((await audit.list({})).rows).toMatchObject([{ id, undo: 'possible', undone_by: null }])
      const row = await runAs({ kind: 'user', id: 1, name: 'Zhou' }, () => audit.undo(id, 1))
      expect(undone).toEqual([{ subject_id: '3', before: { asks: 5 }, after: { asks: 9 } }])
      expect(row).toMatchObject({ id, undo: 'undone', undone_by: { name: 'Zhou' } })
      const [undoing] = (await audit.list({})).rows
      expect(undoing).toMatchObject({ id: row.undone_by?.id, undoes: id, actor: { id: 1 }, after: { asks: 5 } })
      await expect(audit.undo(id, 1)).rejects.toThrow(new Refusal('notUndoable'))
      expect(undone).toHaveLength(1)
      // What was undone may be done again.
      expect(undoing?.undo).toBe('possible')
    })
    test('whose opposite is refused stays as it is, and may be tried again', async () => {
      const refuse = async () => {
        throw new Refusal('changedMeanwhile')
      }
      const { audit, record } = anAudit(await open(), { undo: { 'user.limits': refuse } })
      const id = await record(LIMITS)
      await expect(audit.undo(id, 1)).rejects.toThrow(new Refusal('changedMeanwhile'))
      expect(await audit.list({})).toMatchObject({ total: 1, rows: [{ undo: 'possible', undone_by: null }] })
    })
    test.each([
      ['a secret', { action: 'secret.changed', subject: { kind: 'secret', id: 'key' }, before: {}, after: {} }],
      ['a deletion', { action: 'user.deleted', subject: { kind: 'user', id: 3 }, before: { a: 1 }, after: { a: 2 } }],
      ['what has no opposite state', { ...LIMITS, before: null }],
      ['what is nothing’s', { ...LIMITS, subject: { kind: 'user', id: null } }],
      ['what was too long to keep', { ...LIMITS, after: { text: 'x'.repeat(70_000) } }],
      ['what held a secret', { ...LIMITS, after: { key: 'sk-0123456789abcdef' } }],
    ] satisfies [string, AuditEntry][])('of %s is never undone', async (_what, entry) => {
      const { audit, record, undone } = anAudit(await open())
      const id = await record(entry)
      expect((await audit.list({})).rows[0]?.undo).toBe('never')
      await expect(audit.undo(id, 1)).rejects.toThrow(new Refusal('notUndoable'))
      expect(undone).toEqual([])
    })
    test('is said to be changed since where the same field of the same thing was, and only there', async () => {
      const { audit, record } = anAudit(await open())
      const first = await record(LIMITS)
      await record({ ...LIMITS, before: { conversations: 1 }, after: { conversations: 2 } })
      await record({ ...LIMITS, subject: { kind: 'user', id: 2 } })
      const undoOf = async () => (await audit.list({})).rows.find(({ id }) => id === first)?.undo
      expect(await undoOf()).toBe('possible')
      await record({ ...LIMITS, before: { asks: 9 }, after: { asks: 12 } })
      expect(await undoOf()).toBe('changed')
    })
  })

  describe('what is written down', () => {
    test('of work in several transactions is one row that says what is so by now', async () => {
      const opened = await open()
      const { audit, record } = anAudit(opened)
      const id = await record({ action: 'conversations.changed', subject: { kind: 'conversations', id: 1 } })
      const failing = opened.transaction(async trx => {
        await continueAudit(trx, id, { conversations: 50 })
        throw new Error('after it')
      })
      await expect(failing).rejects.toThrow('after it')
      expect((await audit.list({})).rows[0]?.after).toBe(null)
      await opened.transaction(trx => continueAudit(trx, id, { conversations: 100 }))
      expect(await audit.list({})).toMatchObject({ total: 1, rows: [{ after: { conversations: 100 } }] })
    })
    test('of what anybody can repeat is one row in a while for each subject and whoever does it', async () => {
      const opened = await open()
      const { audit } = anAudit(opened)
      const once = (subject: number, by: number | null = null) => {
        const entry = { action: 'sign_in.failed', subject: { kind: 'user', id: subject } } as const
        return runAs({ kind: 'user', id: by }, () => opened.transaction(trx => recordOnceIn(trx, 60_000, entry)))
      }
      for (const id of [1, 1, 2, 1]) await once(id)
      for (const by of [2, 3, 2]) await once(1, by)
      const { rows } = await audit.list({})
      expect(rows.map(({ subject, actor }) => [subject.id, actor.id])).toEqual([
        ['1', 3],
        ['1', 2],
        ['2', null],
        ['1', null],
      ])
    })
    test('has neither what is in an address to sign in with nor a key, wherever it stands', async () => {
      const opened = await open()
      const { audit, record } = anAudit(opened)
      await record({
        ...LIMITS,
        before: { proxy: 'http://user:canary@192.0.2.1:1', list: [{ url: 'https://a.example/v1?key=canary&b=1' }] },
        after: { said: 'it was sk-canary-0123456789 once' },
      })
      const [row] = (await audit.list({})).rows
      expect(JSON.stringify(row)).not.toContain('canary')
      expect(row).toMatchObject({
        before: { proxy: 'http://***@192.0.2.1:1', list: [{ url: 'https://a.example/v1?***' }] },
      })
    })
    test('is by whoever did it: a person, a command, the program, or somebody signing in', async () => {
      const opened = await open()
      const { audit } = anAudit(opened)
      const address = '192.0.2.7'
      for (const actor of [
        { kind: 'user', id: 1, address },
        { kind: 'command', name: 'reset-password' },
        { kind: 'sign_in', address },
      ] as const)
        await runAs(actor, () => opened.transaction(trx => recordAudit(trx, LIMITS)))
      await opened.transaction(trx => recordAudit(trx, LIMITS))
      const { rows } = await audit.list({})
      expect(rows.map(({ actor, address: from }) => [actor.kind, actor.name, from])).toEqual([
        ['system', null, null],
        ['sign_in', null, address],
        ['command', 'reset-password', null],
        ['user', 'Zhou', address],
      ])
    })
  })
})
