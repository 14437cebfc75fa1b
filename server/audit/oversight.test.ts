import { describe, expect, test } from 'vitest'
import { WITHOUT_REASON } from '#contract/oversight.ts'
import { runAs } from '#server/foundation/actor.ts'
import { newId } from '#server/foundation/ids.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { testClock } from '#testing/clock.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { forgetInAudit } from './erasing.ts'
import { openOversightService } from './oversight.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const WHY = { reason: 'complaint', text: 'somebody complained' } as const
const REFUSED = { key: 'oversightReasonRequired' }

/** Two administrators and somebody with two conversations. */
async function aScene(open: OpenDatabase) {
  const clock = testClock()
  const settings = { reason: true, shown: true, kept_days: 90 }
  const oversight = openOversightService({
    ...{ open, clock },
    settings: () => settings,
    nicknamesOf: async ids => new Map(ids.map(id => [id, `of ${id}`])),
    titlesOf: async () => new Map(),
  })
  const administrator = async (nickname: string) => ({
    id: await storedUser(open.database, { is_superuser: true, nickname }),
    is_superuser: true,
    nickname,
  })
  const [zhou, mei] = [await administrator('Zhou'), await administrator('Mei')]
  const lin = await storedUser(open.database)
  const [one, other] = [newId(), newId()].map(conversation_id => ({ conversation_id, user_id: lin }))
  if (one === undefined || other === undefined) throw new Error('two are made')
  const rows = () => open.database.selectFrom('oversight').selectAll().orderBy('id').execute()
  const audited = () => open.database.selectFrom('audit').selectAll().orderBy('id').execute()
  return { oversight, clock, settings, zhou, mei, lin, one, other, rows, audited }
}

eachDatabase((_, open) => {
  describe('a conversation that is opened with a reason', () => {
    test('is open for thirty minutes, to the one who gave it and in that conversation alone', async () => {
      const { oversight, clock, zhou, mei, one, other } = await aScene(await open())
      const { until } = await oversight.open(zhou, one, WHY)
      expect(Date.parse(until)).toBe(clock.now() + 30 * MINUTE)
      await expect(oversight.requireOpen(zhou, one, true)).resolves.toBe(undefined)
      await expect(oversight.requireOpen(zhou, other, true)).rejects.toMatchObject(REFUSED)
      await expect(oversight.requireOpen(mei, one, true)).rejects.toMatchObject(REFUSED)
      clock.pass(30 * MINUTE - 1)
      await expect(oversight.requireOpen(zhou, one, true)).resolves.toBe(undefined)
      clock.pass(1)
      await expect(oversight.requireOpen(zhou, one, true)).rejects.toMatchObject(REFUSED)
    })
    test('is not open any longer for being read, but for a new reason, which is another row', async () => {
      const { oversight, clock, zhou, one, rows } = await aScene(await open())
      await oversight.open(zhou, one, WHY)
      clock.pass(29 * MINUTE)
      await oversight.goOn(zhou, one.conversation_id)
      clock.pass(MINUTE)
      await expect(oversight.requireOpen(zhou, one, true)).rejects.toMatchObject(REFUSED)
      await oversight.open(zhou, one, { reason: 'other', text: 'another look' })
      await oversight.requireOpen(zhou, one, true)
      expect((await rows()).map(row => row.sentence)).toEqual(['somebody complained', 'another look'])
    })
    test('is written down with its reason and who it was, however often it is read then', async () => {
      const { oversight, zhou, lin, one, rows, audited } = await aScene(await open())
      await runAs({ kind: 'user', id: zhou.id, name: 'Zhou', address: '192.0.2.7' }, async () => {
        await oversight.open(zhou, one, WHY)
        for (let time = 0; time < 3; time++) await oversight.requireOpen(zhou, one, true)
      })
      expect(await rows()).toMatchObject([{ viewer_id: zhou.id, viewer_name: 'Zhou', oversight_reason: 'complaint' }])
      expect(await audited()).toMatchObject([
        {
          ...{ action: 'conversation.read', actor_id: zhou.id, address: '192.0.2.7', undone_by: null },
          ...{ subject_kind: 'conversation', subject_id: one.conversation_id, subject_name: null },
          after: { owner: lin, reason: 'complaint', text: 'somebody complained', minutes: 30 },
        },
      ])
    })
    test('is said to be read for two minutes after the last reading', async () => {
      const { oversight, clock, zhou, one, lin } = await aScene(await open())
      const isRead = async () => (await oversight.listOwn(lin)).rows.map(({ is_reading }) => is_reading)
      await oversight.open(zhou, one, WHY)
      expect(await isRead()).toEqual([false])
      await oversight.requireOpen(zhou, one, true)
      clock.pass(2 * MINUTE - 1)
      expect(await isRead()).toEqual([true])
      clock.pass(1)
      expect(await isRead()).toEqual([false])
      await oversight.goOn(zhou, one.conversation_id)
      expect(await isRead()).toEqual([true])
    })
  })

  describe('nothing is asked and nothing written down', () => {
    test('of one’s own conversation, of nobody’s, and of one’s own file', async () => {
      const { oversight, zhou, one, rows, audited } = await aScene(await open())
      await oversight.requireOpen(zhou, { ...one, user_id: zhou.id }, true)
      await oversight.requireOpen(zhou, { ...one, user_id: null }, true)
      await oversight.requireFileOpen(zhou, { owner_id: zhou.id, conversation_id: one.conversation_id })
      expect([await rows(), await audited()]).toEqual([[], []])
    })
    test('when a reading goes on that was never begun', async () => {
      const { oversight, zhou, one, rows } = await aScene(await open())
      await oversight.goOn(zhou, one.conversation_id)
      expect(await rows()).toEqual([])
    })
  })

  describe('a file', () => {
    test('is open with any conversation of its owner, to that administrator, for as long', async () => {
      const { oversight, clock, zhou, mei, lin, one, other } = await aScene(await open())
      const file = { owner_id: lin, conversation_id: other.conversation_id }
      await expect(oversight.requireFileOpen(zhou, file)).rejects.toMatchObject(REFUSED)
      await oversight.open(zhou, one, WHY)
      await oversight.requireFileOpen(zhou, file)
      await oversight.requireFileOpen(zhou, { ...file, conversation_id: null })
      await expect(oversight.requireFileOpen(mei, file)).rejects.toMatchObject(REFUSED)
      await expect(oversight.requireFileOpen(zhou, { ...file, owner_id: mei.id })).rejects.toMatchObject(REFUSED)
      clock.pass(30 * MINUTE)
      await expect(oversight.requireFileOpen(zhou, file)).rejects.toMatchObject(REFUSED)
    })
    test('that a model has made is open with the conversation that it stands in, and no other', async () => {
      const { oversight, zhou, one, other } = await aScene(await open())
      await oversight.open(zhou, one, WHY)
      await oversight.requireFileOpen(zhou, { owner_id: null, conversation_id: one.conversation_id })
      const inAnother = { owner_id: null, conversation_id: other.conversation_id }
      await expect(oversight.requireFileOpen(zhou, inAnother)).rejects.toMatchObject(REFUSED)
    })
    test('is written down with its conversation where no reason is required', async () => {
      const { oversight, settings, zhou, lin, one, rows } = await aScene(await open())
      settings.reason = false
      const file = { owner_id: lin, conversation_id: one.conversation_id }
      for (let time = 0; time < 2; time++) await oversight.requireFileOpen(zhou, file)
      expect(await rows()).toMatchObject([{ owner_id: lin, oversight_reason: WITHOUT_REASON }])
    })
    test('that no question names is written down as well where no reason is required', async () => {
      const { oversight, settings, zhou, lin, audited } = await aScene(await open())
      settings.reason = false
      const read = () => oversight.requireFileOpen(zhou, { owner_id: lin, conversation_id: null })
      for (let time = 0; time < 2; time++) await runAs({ kind: 'user', id: zhou.id }, read)
      expect(await audited()).toMatchObject([
        { action: 'conversation.read', subject_kind: 'user', subject_id: String(lin), after: { files: true } },
      ])
    })
  })

  describe('the list of a person', () => {
    test('is of their own conversations alone, the latest first, and new until they have seen it', async () => {
      const { oversight, clock, zhou, mei, lin, one, other } = await aScene(await open())
      await oversight.open(zhou, one, WHY)
      clock.pass(MINUTE)
      await oversight.open(mei, other, WHY)
      await oversight.open(zhou, { conversation_id: newId(), user_id: mei.id }, WHY)
      const { rows, unnoticed } = await oversight.listOwn(lin)
      expect(rows.map(({ viewer, conversation_id }) => [viewer.name, conversation_id])).toEqual([
        ['Mei', other.conversation_id],
        ['Zhou', one.conversation_id],
      ])
      expect(unnoticed).toBe(2)
      await oversight.notice(lin)
      expect((await oversight.listOwn(lin)).unnoticed).toBe(0)
      expect((await oversight.listOwn(mei.id)).unnoticed).toBe(1)
    })
    test('is empty while the portal does not show it, and whole when it does again', async () => {
      const { oversight, settings, zhou, lin, one } = await aScene(await open())
      settings.shown = false
      await oversight.open(zhou, one, WHY)
      expect(await oversight.listOwn(lin)).toMatchObject({ rows: [], unnoticed: 0 })
      expect(await oversight.list({})).toMatchObject({ total: 1 })
      settings.shown = true
      expect(await oversight.listOwn(lin)).toMatchObject({ rows: [{ reason: 'complaint' }], unnoticed: 1 })
    })
    test('keeps the name of an administrator whose account is gone, and not of one who was erased', async () => {
      const opened = await open()
      const { oversight, zhou, mei, lin, one, audited } = await aScene(opened)
      await oversight.open(zhou, one, WHY)
      await oversight.open(mei, one, WHY)
      await opened.transaction(trx => forgetInAudit(trx, mei.id))
      for (const { id } of [zhou, mei]) await opened.database.deleteFrom('users').where('id', '=', id).execute()
      expect((await oversight.listOwn(lin)).rows.map(({ viewer }) => viewer)).toEqual([
        { id: null, name: '' },
        { id: null, name: 'Zhou' },
      ])
      expect(await audited()).toHaveLength(2)
    })
    test('goes with the person, and what was said of them in the reasons goes too', async () => {
      const opened = await open()
      const { oversight, zhou, lin, one, rows, audited } = await aScene(opened)
      await oversight.open(zhou, one, { reason: 'complaint', text: 'Li Xiaolin is said to be ill' })
      await opened.transaction(trx => forgetInAudit(trx, lin))
      expect(await rows()).toEqual([])
      expect(await audited()).toMatchObject([{ action: 'conversation.read', subject_id: one.conversation_id }])
      expect(JSON.stringify(await audited())).not.toContain('Xiaolin')
    })
    test('is kept as long as the audit', async () => {
      const { oversight, clock, zhou, one, rows } = await aScene(await open())
      await oversight.open(zhou, one, WHY)
      clock.pass(90 * DAY)
      await oversight.removeOld()
      expect(await rows()).toHaveLength(1)
      clock.pass(1)
      expect(await oversight.removeOld()).toBe(1)
      expect(await rows()).toEqual([])
    })
  })

  test('pages of all that was opened do not overlap', async () => {
    const { oversight, zhou, one } = await aScene(await open())
    for (let at = 0; at < 45; at++) await oversight.open(zhou, one, WHY)
    const pages = await Promise.all(['1', '2', '3'].map(page => oversight.list({ page, size: '20' })))
    expect(pages.map(({ rows, total }) => [rows.length, total])).toEqual([
      [20, 45],
      [20, 45],
      [5, 45],
    ])
    expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(45)
  })
})
