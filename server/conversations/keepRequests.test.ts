import { describe, expect, test } from 'vitest'
import type { listAudit } from '#contract/audit.ts'
import type { ResultOf } from '#contract/call.ts'
import type { KeepRequest } from '#contract/keeping.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { aPortal, asked, DAY, lastOf, listOf } from './administration/keeping.testing.ts'

const requestsOf = (admin: Person) => admin.result<KeepRequest[]>('GET', '/system/keep-requests')
const answer = (admin: Person, id: string, keep: boolean) =>
  admin.result('PATCH', `/system/keep-requests/${id}`, { keep })

eachStorage((_name, storage) => {
  /** A conversation of a guest that has been announced and ends in a week. */
  async function anAnnounced() {
    const portal = await aPortal(storage)
    const { person, admin, clock, clean } = portal
    const lin = await person('lin')
    const plan = { name: 'Guests', parent_id: 1, retention_days: 90 }
    const { id: plan_id } = await admin.result<{ id: number }>('POST', '/plan', plan)
    await admin.result('PUT', `/user/${lin.id}/plan`, { plan_id })
    const id = await asked(lin, 'Tea')
    clock.pass(83 * DAY)
    expect(await clean()).toMatchObject({ announced: 1 })
    const actionsOf = async (action: string) =>
      (await admin.result<ResultOf<typeof listAudit>>('GET', `/audit?action=${action}`)).rows
    return { ...portal, lin, id, actionsOf }
  }

  describe('a conversation that goes for its age', () => {
    test('says whose number of days it is', async () => {
      const { lin, id } = await anAnnounced()
      const ends_by = { plan: 'Guests', days: 90 }
      expect(await listOf(lin)).toMatchObject([{ conversation_id: id, ends_by }])
      expect(await lin.result('GET', `/conv/${id}`)).toMatchObject({ ends_by })
    })

    test('waits for the administrators when its person wants it to stay, and stays when they say so', async () => {
      const { lin, id, admin, clock, clean, rows, actionsOf } = await anAnnounced()
      await lin.result('POST', `/conv/${id}/keep`)
      await lin.result('POST', `/conv/${id}/keep`) // a second press
      const [request, ...others] = await requestsOf(admin)
      expect(others).toEqual([])
      expect(request).toMatchObject({ conversation_id: id, title: 'Tea', owner: { id: lin.id } })
      expect(request).toMatchObject({ ends_by: { plan: 'Guests', days: 90 } })
      const [record] = await listOf(lin)
      expect(record).toMatchObject({ keep: 'asked' })
      expect(record).not.toHaveProperty('ends')
      clock.pass(60 * DAY)
      expect(await clean()).toMatchObject({ aged: 0 })
      await answer(admin, id, true)
      clock.pass(900 * DAY)
      expect(await clean()).toMatchObject({ aged: 0, announced: 0 })
      expect(await rows()).toEqual(['Tea'])
      expect(await listOf(lin)).toMatchObject([{ keep: 'kept' }])
      expect(await requestsOf(admin)).toEqual([])
      expect(await actionsOf('conversation.keep_asked')).toMatchObject([{ actor: { id: lin.id }, subject: { id } }])
      expect(await actionsOf('conversation.kept')).toMatchObject([{ actor: { id: admin.id }, subject: { id } }])
    })

    test('goes seven days after the administrators said no, and is not asked for again', async () => {
      const { lin, id, admin, clock, clean, rows } = await anAnnounced()
      await lin.result('POST', `/conv/${id}/keep`)
      clock.pass(30 * DAY)
      await answer(admin, id, false)
      expect(await listOf(lin)).toMatchObject([{ keep: 'declined', ends: expect.any(String) }])
      expect(await lin.call('POST', `/conv/${id}/keep`)).toMatchObject({ message: 'errors.nothingToKeep' })
      clock.pass(6 * DAY)
      expect(await clean()).toMatchObject({ aged: 0 })
      clock.pass(2 * DAY)
      expect(await clean()).toMatchObject({ aged: 1 })
      expect(await rows()).toEqual([])
    })

    test('of which the answer is changed follows the last one', async () => {
      const { lin, id, admin, clock, clean } = await anAnnounced()
      await lin.result('POST', `/conv/${id}/keep`)
      await answer(admin, id, true)
      await answer(admin, id, false)
      clock.pass(8 * DAY)
      expect(await clean()).toMatchObject({ aged: 1 })
    })

    test('is asked for no more once its person went on with it', async () => {
      const { lin, id, admin, clock, clean } = await anAnnounced()
      await lin.result('POST', `/conv/${id}/keep`)
      await lin.ask('and then?', { new_conversation: false, conversation_id: id, parent: await lastOf(lin, id) })
      expect(await clean()).toMatchObject({ aged: 0 })
      expect(await requestsOf(admin)).toEqual([])
      expect((await listOf(lin))[0]).not.toHaveProperty('keep')
      clock.pass(84 * DAY)
      expect(await clean()).toMatchObject({ announced: 1 })
      await lin.result('POST', `/conv/${id}/keep`)
      expect(await requestsOf(admin)).toHaveLength(1)
    })

    test('that was deleted and brought back waits for its answer all the same', async () => {
      const { lin, id, admin, clock, clean } = await anAnnounced()
      await lin.result('POST', `/conv/${id}/keep`)
      await lin.result('DELETE', `/conv/${id}`)
      expect(await requestsOf(admin)).toEqual([])
      await lin.result('POST', `/conv/${id}/restore`)
      expect(await requestsOf(admin)).toHaveLength(1)
      await answer(admin, id, false)
      clock.pass(8 * DAY)
      expect(await clean()).toMatchObject({ aged: 1 })
    })
  })

  test('nobody asks for what does not end, for somebody else’s, or answers but administrators', async () => {
    const { person, admin } = await aPortal(storage)
    const [lin, mei] = [await person(), await person()]
    const id = await asked(lin, 'Tea')
    expect(await lin.call('POST', `/conv/${id}/keep`)).toMatchObject({ message: 'errors.nothingToKeep' })
    for (const other of [mei, admin])
      expect(await other.call('POST', `/conv/${id}/keep`)).toMatchObject({ message: 'errors.conversationNotFound' })
    expect(await lin.call('GET', '/system/keep-requests')).toMatchObject({ code: 10403 })
    expect(await lin.call('PATCH', `/system/keep-requests/${id}`, { keep: true })).toMatchObject({ code: 10403 })
    const unasked = await admin.call('PATCH', `/system/keep-requests/${id}`, { keep: true })
    expect(unasked).toMatchObject({ message: 'errors.nothingToKeep' })
    expect(await admin.call('PATCH', `/system/keep-requests/${id}`, {})).toMatchObject({ code: 422 })
  })
})
