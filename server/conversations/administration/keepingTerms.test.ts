import { describe, expect, test } from 'vitest'
import type { KeepingPreview } from '#contract/keeping.ts'
import { eachStorage } from '#testing/database.ts'
import { keepingFiles } from '#testing/keptFiles.ts'
import { aPortal, asked, DAY, deletedOf, NEXT_CLEANING } from './keeping.testing.ts'

eachStorage((_name, storage) => {
  test('administrators see what goes at the next 04:00, with other days too', async () => {
    const { person, clock, admin } = await aPortal(storage)
    const lin = await person('lin')
    for (const title of ['Tea', 'Boat']) await lin.result('DELETE', `/conv/${await asked(lin, title)}`)
    const preview = (query = '') => admin.result<KeepingPreview>('GET', `/system/keeping${query}`)
    const nothing = { conversations: 0, people: 0, of: [] }
    expect(await preview()).toMatchObject({ time: NEXT_CLEANING, deleted: nothing, aged: nothing, audit_days: 365 })
    const owner = { id: lin.id, username: 'lin', nickname: 'lin' }
    const two = { conversations: 2, people: 1, of: [{ owner, conversations: 2 }] }
    expect(await preview('?deleted_days=0')).toMatchObject({ deleted: two })
    clock.pass(30 * DAY)
    expect(await preview()).toMatchObject({ deleted: two })
    clock.pass(100 * DAY)
    const late = (await deletedOf(lin)).conversations.map(({ ends }) => Date.parse(String(ends)) - clock.now())
    expect(late.every(left => left > 0 && left < DAY)).toBe(true)
    clock.pass(-100 * DAY)
    expect(await lin.call('GET', '/system/keeping')).toMatchObject({ code: 10403 })
  })

  test('a plan says otherwise for its people, and administrators see for how many', async () => {
    const { person, clock, clean, rows, admin } = await aPortal(storage)
    const [lin, mei] = [await person(), await person()]
    const plan = { name: 'Guests', parent_id: 1, retention_days: 90, deleted_retention_days: 5 }
    const { id } = await admin.result<{ id: number }>('POST', '/plan', plan)
    await admin.result('PUT', `/user/${lin.id}/plan`, { plan_id: id })
    for (const each of [lin, mei]) await each.result('DELETE', `/conv/${await asked(each, `Of ${each.id}`)}`)
    expect(await deletedOf(lin)).toMatchObject({ days: 5, conversations: [{ ends: '2026-11-25T22:15:00.000Z' }] })
    expect((await deletedOf(mei)).days).toBe(30)
    clock.pass(6 * DAY)
    expect(await admin.result('GET', '/system/keeping?deleted_days=300')).toMatchObject({
      deleted: { conversations: 1, people: 1 },
      apart: { aged: [{ plan: 'Guests', days: 90, people: 1 }], deleted: [{ plan: 'Guests', days: 5, people: 1 }] },
    })
    expect(await clean()).toMatchObject({ deleted: 1 })
    expect(await rows()).toEqual([`Of ${mei.id}`])
  })

  describe('a person of whom everything is kept', () => {
    test('loses nothing: no conversation, file or account is removed until the hold is taken back', async () => {
      const { person, clock, clean, rows, admin, app } = await aPortal(storage)
      const lin = await person()
      const id = await asked(lin, 'Tea')
      const file = await keepingFiles(app, lin).picture()
      expect(await admin.call('PUT', `/user/${lin.id}/hold`, { on: true, reason: ' ' })).toMatchObject({
        message: 'errors.holdNeedsReason',
      })
      const held = await admin.result('PUT', `/user/${lin.id}/hold`, { on: true, reason: 'Court order 7' })
      expect(held).toEqual({ on: true, reason: 'Court order 7', since: new Date(clock.now()).toISOString() })
      await lin.result('DELETE', `/conv/${id}`)
      expect((await deletedOf(lin)).conversations).toMatchObject([{ ends: null }])
      clock.pass(365 * DAY)
      expect(await clean()).toMatchObject({ deleted: 0, refused: 0 })
      const refused = { message: 'errors.userOnHold' }
      expect(await admin.call('DELETE', `/conv/${id}/vanish`)).toMatchObject(refused)
      expect(await admin.call('DELETE', `/user/${lin.id}`)).toMatchObject(refused)
      expect(await rows()).toEqual(['Tea'])
      await admin.result('PUT', `/user/${lin.id}/hold`, { on: false, reason: null })
      expect(await clean()).toMatchObject({ deleted: 1 })
      expect(await rows()).toEqual([])
      expect(file).toBeTruthy()
    })
  })
})
