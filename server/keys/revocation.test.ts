import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'
import { askWith, ended, LONG, portalWithKeys, START } from './keys.testing.ts'

const HOUR = 3_600_000

eachStorage((name, newStorage) => {
  async function running(fields: { expires_at?: string } = {}) {
    const storage = await newStorage()
    const portal = await portalWithKeys(storage)
    const { id, key } = await portal.make(fields)
    const reply = await portal.begin(key, { text: LONG })
    await until(() => expect(reply.hasText).toBe(true))
    return { ...portal, storage, id, key, reply }
  }

  describe('what a key asks at the moment', () => {
    test('ends when its owner revokes it, charged for what has come', async () => {
      const { lin, id, reply, key, ask } = await running()
      await lin.result('DELETE', `/user/me/keys/${id}`)
      expect(await ended(reply)).toMatchObject({ outcome: 'stopped', charged: true })
      await expect(ask(key)).rejects.toMatchObject({ key: 'keyRevoked' })
    })
    test('ends when its owner rotates it', async () => {
      const { lin, id, reply, key, ask } = await running()
      await lin.result('PATCH', `/user/me/keys/${id}`, { rotate: true })
      expect(await ended(reply)).toMatchObject({ outcome: 'stopped' })
      await expect(ask(key)).rejects.toMatchObject({ key: 'keyInvalid' })
    })
    test('ends when a superuser revokes it', async () => {
      const { admin, id, reply } = await running()
      await admin.result('DELETE', `/keys/${id}`)
      expect(await ended(reply)).toMatchObject({ outcome: 'stopped' })
    })
    test('ends when the key expires', async () => {
      const { clock, reply } = await running({ expires_at: new Date(START + HOUR).toISOString() })
      clock.set(START + HOUR)
      expect(await ended(reply)).toMatchObject({ outcome: 'stopped' })
    })
    test('ends when its owner is deactivated', async () => {
      const { admin, lin, reply } = await running()
      await admin.result('PATCH', `/user/${lin.id}`, { is_active: false })
      expect(await ended(reply)).toMatchObject({ outcome: 'stopped' })
    })
    test('ends when its owner is deleted', async () => {
      const { admin, lin, reply } = await running()
      await admin.result('DELETE', `/user/${lin.id}`)
      expect(await ended(reply)).toMatchObject({ outcome: 'stopped' })
    })
    test('ends when the plan of its owner has no keys any more', async () => {
      const { admin, lin, reply } = await running()
      const { id } = await admin.result<{ id: number }>('POST', '/plan', { name: 'Without', max_keys: 0 })
      await admin.result('PUT', `/user/${lin.id}/plan`, { plan_id: id })
      expect(await ended(reply)).toMatchObject({ outcome: 'stopped' })
    })
    test('goes on when another key is revoked', async () => {
      const { lin, make, reply, app } = await running()
      const other = await make()
      await lin.result('DELETE', `/user/me/keys/${other.id}`)
      expect(reply.phase.at).toBe('replying')
      await app.services.asking.stop(reply.ask_id)
      expect(await ended(reply)).toMatchObject({ outcome: 'stopped' })
    })
  })

  describe('an admission', () => {
    test('sees that the key was revoked since it was found', async () => {
      const { make, find, lin, app } = await portalWithKeys(await newStorage())
      const { id, key } = await make()
      const { caller } = await find(key)
      await lin.result('DELETE', `/user/me/keys/${id}`)
      expect(await app.services.open.transaction(trx => caller.stillValid(trx))).toBe(false)
    })
    test('sees that the key was rotated since it was found', async () => {
      const { make, find, lin, app } = await portalWithKeys(await newStorage())
      const { id, key } = await make()
      const { caller } = await find(key)
      expect(await app.services.open.transaction(trx => caller.stillValid(trx))).toBe(true)
      await lin.result('PATCH', `/user/me/keys/${id}`, { rotate: true })
      expect(await app.services.open.transaction(trx => caller.stillValid(trx))).toBe(false)
    })
  })

  describe.runIf(name === 'PostgreSQL')('what a key asks in another process', () => {
    type Here = Pick<Awaited<ReturnType<typeof portalWithKeys>>, 'admin' | 'lin' | 'clock'> & { id: number }
    const CAUSES: Record<string, (here: Here) => unknown> = {
      'its owner revokes it': ({ lin, id }) => lin.result('DELETE', `/user/me/keys/${id}`),
      'its owner rotates it': ({ lin, id }) => lin.result('PATCH', `/user/me/keys/${id}`, { rotate: true }),
      'it expires': ({ clock }) => clock.set(START + HOUR),
      'its owner is deactivated': ({ admin, lin }) => admin.result('PATCH', `/user/${lin.id}`, { is_active: false }),
      'its owner is deleted': ({ admin, lin }) => admin.result('DELETE', `/user/${lin.id}`),
      'the plan of its owner has no keys any more': ({ admin }) => admin.result('PATCH', '/plan/1', { max_keys: 0 }),
    }

    test.each(Object.entries(CAUSES))('ends when %s', async (_, happen) => {
      const storage = await newStorage()
      const { admin, clock, simulator, lin, make } = await portalWithKeys(storage)
      const other = await startPortal({ storage, clock, simulator })
      const { id, key } = await make({ expires_at: new Date(START + HOUR).toISOString() })
      const reply = await askWith(other, key, { text: LONG })
      await until(() => expect(reply.hasText).toBe(true))
      await happen({ admin, lin, clock, id })
      expect(await ended(reply)).toMatchObject({ outcome: 'stopped' })
    })
  })
})
