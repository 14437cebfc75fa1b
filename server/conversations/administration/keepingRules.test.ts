import { describe, expect, test } from 'vitest'
import type { listAudit } from '#contract/audit.ts'
import type { ResultOf } from '#contract/call.ts'
import type { KeepingPreview } from '#contract/keeping.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { aPortal, asked, DAY, deletedOf, lastOf, listOf, NOON } from './keeping.testing.ts'

type Page = ResultOf<typeof listAudit>
const auditOf = async (admin: Person, action: string) =>
  (await admin.result<Page>('GET', `/audit?action=${action}`)).rows

eachStorage((_name, storage) => {
  describe('a deletion', () => {
    test('is counted from when it was made, again after it was taken back and made again', async () => {
      const { person, clock, clean, rows } = await aPortal(storage)
      const lin = await person()
      const id = await asked(lin, 'Tea')
      await lin.result('DELETE', `/conv/${id}`)
      clock.pass(20 * DAY)
      await lin.result('POST', `/conv/${id}/restore`)
      await lin.result('DELETE', `/conv/${id}`)
      clock.pass(29 * DAY)
      expect(await clean()).toMatchObject({ deleted: 0 })
      clock.pass(2 * DAY)
      expect(await clean()).toMatchObject({ deleted: 1 })
      expect(await rows()).toEqual([])
    })

    test('of before the upgrade is counted from the upgrade, however long ago it was', async () => {
      const { person, clock, clean, database } = await aPortal(storage)
      const lin = await person()
      const id = await asked(lin, 'Tea')
      await lin.result('DELETE', `/conv/${id}`)
      const longAgo = { hide_time: NOON - 900 * DAY, ends_from: NOON }
      await database.updateTable('conversations').set(longAgo).execute()
      const [listed] = (await deletedOf(lin)).conversations
      expect(listed).toMatchObject({ deleted: '2024-06-03T06:15:00.000Z', ends: '2026-12-20T22:15:00.000Z' })
      clock.set(NOON + 30 * DAY - 1)
      expect(await clean()).toMatchObject({ deleted: 0 })
      clock.pass(1)
      expect(await clean()).toMatchObject({ deleted: 1 })
    })

    test('by an administrator is in its owner’s list too, and written down with who made it', async () => {
      const { person, admin } = await aPortal(storage)
      const lin = await person('lin')
      const id = await asked(lin, 'Tea')
      await admin.result('DELETE', `/conv/${id}`)
      expect((await deletedOf(lin)).conversations).toMatchObject([{ conversation_id: id }])
      const [row] = await auditOf(admin, 'conversation.deleted')
      expect(row).toMatchObject({ actor: { id: admin.id }, subject: { id, name: 'Tea' }, undo: 'never' })
      await lin.result('POST', `/conv/${id}/restore`)
      expect((await auditOf(admin, 'conversation.restored'))[0]).toMatchObject({
        actor: { id: lin.id },
        subject: { id },
      })
    })

    test('of everything is taken back one by one by its person, and of others nothing is in it', async () => {
      const { person, rows, clock, clean } = await aPortal(storage)
      const [lin, mei] = [await person(), await person()]
      const [tea] = [await asked(lin, 'Tea'), await asked(lin, 'Boat'), await asked(mei, 'Of Mei')]
      await lin.result('DELETE', '/conv')
      expect(await listOf(lin)).toEqual([])
      expect((await deletedOf(lin)).conversations.map(({ title }) => title).toSorted()).toEqual(['Boat', 'Tea'])
      await lin.result('POST', `/conv/${tea}/restore`)
      clock.pass(31 * DAY)
      expect(await clean()).toMatchObject({ deleted: 1, people: 1 })
      expect((await rows()).toSorted()).toEqual(['Of Mei', 'Tea'])
    })

    test('is not brought back beyond the conversations that a person may have', async () => {
      const { person, admin } = await aPortal(storage)
      const lin = await person()
      const tea = await asked(lin, 'Tea')
      await lin.result('DELETE', `/conv/${tea}`)
      await asked(lin, 'Boat')
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { max_conv_count: 1 } })
      expect((await lin.call('POST', `/conv/${tea}/restore`)).code).not.toBe(200)
      expect((await deletedOf(lin)).conversations).toMatchObject([{ conversation_id: tea }])
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { max_conv_count: 2 } })
      await lin.result('POST', `/conv/${tea}/restore`)
    })

    test('that is being removed is brought back by nobody and listed to nobody', async () => {
      const { person, admin, database } = await aPortal(storage)
      const lin = await person()
      const id = await asked(lin, 'Tea')
      await lin.result('DELETE', `/conv/${id}`)
      await database.updateTable('conversations').set({ vanish_time: NOON }).execute()
      expect((await deletedOf(lin)).conversations).toEqual([])
      for (const each of [lin, admin])
        expect(await each.call('POST', `/conv/${id}/restore`)).toMatchObject({ message: 'errors.conversationNotFound' })
    })
  })

  describe('what an administrator is told before everybody’s conversations are deleted', () => {
    test('is the day on which they go: other days are previewed, and change nothing', async () => {
      const { person, admin, clean, rows } = await aPortal(storage, {}, true)
      const lin = await person()
      await asked(lin, 'Tea')
      await admin.result('DELETE', '/conv')
      const read = (days: number) => admin.result<KeepingPreview>('GET', `/system/keeping?deleted_days=${days}`)
      expect((await read(0)).deleted).toMatchObject({ conversations: 1, people: 1 })
      expect((await read(30)).deleted.conversations).toBe(0)
      expect(await deletedOf(lin)).toMatchObject({ days: 30, conversations: [{ ends: '2026-12-20T22:15:00.000Z' }] })
      expect(await clean()).toMatchObject({ deleted: 0 })
      expect(await rows()).toEqual(['Tea'])
    })
  })

  describe('the days of a setting', () => {
    test('are whole numbers within their bounds', async () => {
      const { admin } = await aPortal(storage)
      for (const keeping of [
        { deleted_days: -1 },
        { deleted_days: 1.5 },
        { conversation_days: -2 },
        { audit_days: 89 },
        { audit_days: 3_651 },
      ])
        expect((await admin.call('PUT', '/system/config', { keeping })).code, JSON.stringify(keeping)).not.toBe(200)
    })
    test('may be the least and the most, and hold from then on for what was deleted before', async () => {
      const { admin, person, clean, clock } = await aPortal(storage)
      const lin = await person()
      await lin.result('DELETE', `/conv/${await asked(lin, 'Tea')}`)
      for (const audit_days of [90, 3_650]) await admin.result('PUT', '/system/config', { keeping: { audit_days } })
      await admin.result('PUT', '/system/config', { keeping: { deleted_days: 2 } })
      clock.pass(2 * DAY)
      expect(await clean()).toMatchObject({ deleted: 1 })
    })
  })

  describe('a conversation that is old', () => {
    test('stays where nothing says an end, and is announced to nobody', async () => {
      const { person, clock, clean, rows } = await aPortal(storage)
      await asked(await person(), 'Tea')
      clock.pass(2_000 * DAY)
      expect(await clean()).toMatchObject({ announced: 0, aged: 0 })
      expect(await rows()).toEqual(['Tea'])
    })

    test('goes by the plan of its person, and stays by a plan that keeps everything, whatever the setting says', async () => {
      const { person, admin, clock, clean, rows } = await aPortal(storage, { COMMONS_KEEPING_CONVERSATION_DAYS: '100' })
      const people = { short: 20, forever: -1, other: null }
      for (const [title, retention_days] of Object.entries(people)) {
        const each = await person(title)
        const plan = { name: title, parent_id: 1, retention_days }
        const { id } = await admin.result<{ id: number }>('POST', '/plan', plan)
        await admin.result('PUT', `/user/${each.id}/plan`, { plan_id: id })
        await asked(each, title)
      }
      clock.pass(13 * DAY)
      expect(await clean()).toMatchObject({ announced: 1, aged: 0 })
      clock.pass(7 * DAY)
      expect(await clean()).toMatchObject({ announced: 0, aged: 1 })
      expect((await rows()).toSorted()).toEqual(['forever', 'other'])
      clock.pass(73 * DAY)
      expect(await clean()).toMatchObject({ announced: 1, aged: 0 })
      clock.pass(7 * DAY)
      expect(await clean()).toMatchObject({ aged: 1 })
      expect(await rows()).toEqual(['forever'])
    })

    test('is announced anew for seven days when the setting is taken back and comes again', async () => {
      const { person, admin, clock, clean, rows } = await aPortal(storage, { COMMONS_KEEPING_CONVERSATION_DAYS: '' })
      const lin = await person()
      await asked(lin, 'Tea')
      const keep = (conversation_days: number) =>
        admin.result('PUT', '/system/config', { keeping: { conversation_days } })
      await keep(30)
      clock.pass(40 * DAY)
      expect(await clean()).toMatchObject({ announced: 1 })
      await keep(-1)
      clock.pass(DAY)
      expect(await clean()).toMatchObject({ announced: 0, aged: 0 })
      expect((await listOf(lin))[0]).not.toHaveProperty('ends')
      clock.pass(30 * DAY)
      await keep(30)
      expect(await clean()).toMatchObject({ announced: 1, aged: 0 })
      expect(await rows()).toEqual(['Tea'])
    })

    test('that is held is neither announced nor removed, and is told its seven days when the hold is taken back', async () => {
      const { person, admin, clock, clean, rows } = await aPortal(storage, { COMMONS_KEEPING_CONVERSATION_DAYS: '30' })
      const lin = await person('lin')
      await asked(lin, 'Tea')
      await admin.result('PUT', `/user/${lin.id}/hold`, { on: true, reason: 'Court order 7' })
      const [row] = await auditOf(admin, 'user.legal_hold')
      expect(row).toMatchObject({
        ...{ actor: { id: admin.id }, subject: { kind: 'user', id: String(lin.id) }, undo: 'never' },
        ...{ before: { on: false }, after: { on: true, reason: 'Court order 7' } },
      })
      clock.pass(365 * DAY)
      expect(await clean()).toMatchObject({ announced: 0, aged: 0, refused: 0 })
      await admin.result('PUT', `/user/${lin.id}/hold`, { on: false, reason: null })
      expect(await clean()).toMatchObject({ announced: 1, aged: 0 })
      expect(await rows()).toEqual(['Tea'])
      clock.pass(7 * DAY)
      expect(await clean()).toMatchObject({ aged: 1 })
    })

    test('in which somebody asks stays, and its answer is stored', async () => {
      const { person, clock, clean, rows, database } = await aPortal(storage, {
        COMMONS_KEEPING_CONVERSATION_DAYS: '30',
      })
      const lin = await person()
      const id = await asked(lin, 'Tea')
      clock.pass(30 * DAY)
      await clean()
      clock.pass(8 * DAY)
      await database.updateTable('asks').set({ end_time: null }).where('conversation_id', '=', id).execute()
      expect(await clean()).toMatchObject({ aged: 0 })
      await database.updateTable('asks').set({ end_time: 1 }).where('conversation_id', '=', id).execute()
      await lin.ask('again', { new_conversation: false, conversation_id: id, parent: await lastOf(lin, id) })
      expect(await clean()).toMatchObject({ aged: 0 })
      expect(await rows()).toEqual(['Tea'])
    })
  })

  test('what goes is written down as numbers alone, and nothing where nothing goes', async () => {
    const { person, admin, clock, clean } = await aPortal(storage)
    const lin = await person()
    expect(await clean()).toMatchObject({ deleted: 0 })
    expect(await auditOf(admin, 'conversations.purged')).toEqual([])
    for (const title of ['Tea', 'Boat']) await lin.result('DELETE', `/conv/${await asked(lin, title)}`)
    clock.pass(31 * DAY)
    await clean()
    expect(await auditOf(admin, 'conversations.purged')).toMatchObject([
      { actor: { kind: 'system' }, after: { deleted: 2, aged: 0, withdrawn: 0, files: 0, people: 1 }, undo: 'never' },
    ])
  })
})
