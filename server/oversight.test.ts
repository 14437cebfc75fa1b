import { describe, expect, test } from 'vitest'
import type { AuditRow, listAudit } from '#contract/audit.ts'
import type { ResultOf } from '#contract/call.ts'
import type { listOversight, listOwnOversight } from '#contract/oversight.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

type Own = ResultOf<typeof listOwnOversight>
type Seen = ResultOf<typeof listOversight>

const REQUIRED = { code: 10403, message: 'errors.oversightReasonRequired' }

async function portalWithConversation(storage: NewStorage) {
  const clock = testClock()
  const portal = await startPortal({ storage: await storage(), clock })
  const lin = await portal.person('lin')
  const asked = await lin.ask('what may I eat?', { new_title: 'my illness' })
  const id = String(asked[0]?.['conversation_id'])
  const read = (person: Person) => person.call('GET', `/conv/${id}/cache?thoughts=true`)
  const open = (person: Person) =>
    person.call('POST', `/conv/${id}/oversight`, { reason: 'asked', text: 'you asked me to look' })
  return { ...portal, clock, lin, id, read, open }
}

const own = (person: Person) => person.result<Own>('GET', '/user/me/oversight')

eachStorage((_, storage) => {
  describe('somebody else’s conversation', () => {
    test('is read by an administrator with a reason, for half an hour', async () => {
      const { admin, clock, read, open } = await portalWithConversation(storage)
      expect(await read(admin)).toMatchObject(REQUIRED)
      expect(await open(admin)).toMatchObject({ code: 200 })
      expect(await read(admin)).toMatchObject({ code: 200, result: { title: 'my illness' } })
      clock.pass(31 * 60_000)
      expect(await read(admin)).toMatchObject(REQUIRED)
    })
    test('is opened by nobody else, and without a sentence by nobody', async () => {
      const { admin, person, id, open } = await portalWithConversation(storage)
      expect(await open(await person('mei'))).toMatchObject({ message: 'errors.authorityDeny' })
      const without = await admin.call('POST', `/conv/${id}/oversight`, { reason: 'fault', text: '   ' })
      expect(without).toMatchObject({ code: 422 })
    })
    test('is one’s own without a reason, and nobody hears of it', async () => {
      const { lin, read } = await portalWithConversation(storage)
      expect(await read(lin)).toMatchObject({ code: 200 })
      expect(await own(lin)).toMatchObject({ rows: [], unnoticed: 0 })
    })
    test('shows its owner who read it, when, for how long and why, and says so once', async () => {
      const { admin, clock, lin, id, read, open } = await portalWithConversation(storage)
      await open(admin)
      await read(admin)
      clock.pass(4 * 60_000)
      await admin.result('POST', `/conv/${id}/oversight/reading`)
      const { rows, unnoticed } = await own(lin)
      expect(unnoticed).toBe(1)
      expect(rows).toMatchObject([
        { conversation_id: id, title: 'my illness', viewer: { name: 'admin' }, reason: 'asked', is_reading: true },
      ])
      expect(rows[0]?.text).toBe('you asked me to look')
      expect(Date.parse(rows[0]?.latest_time ?? '') - Date.parse(rows[0]?.time ?? '')).toBe(4 * 60_000)
      await lin.result('POST', '/user/me/oversight/noticed')
      clock.pass(3 * 60_000)
      expect(await own(lin)).toMatchObject({ unnoticed: 0, rows: [{ is_reading: false }] })
      const seen = await admin.result<Seen>('GET', '/system/oversight')
      expect(seen).toMatchObject({ total: 1, rows: [{ owner: { id: lin.id, name: 'lin' }, viewer: { id: admin.id } }] })
    })
    test('is read by clients that know of no reasons as before, and that is written down', async () => {
      const { admin, lin, id } = await portalWithConversation(storage)
      expect(await admin.call('GET', `/conv/${id}`)).toMatchObject({ code: 200 })
      await admin.call('GET', `/conv/${id}`)
      expect((await own(lin)).rows).toMatchObject([{ reason: 'none', text: '', viewer: { name: 'admin' } }])
    })
    test('is in the audit by its number, its title only as long as there is one', async () => {
      const { admin, id, open } = await portalWithConversation(storage)
      await open(admin)
      const read = async (): Promise<AuditRow | undefined> =>
        (await admin.result<ResultOf<typeof listAudit>>('GET', '/audit?action=conversation.read')).rows[0]
      expect(await read()).toMatchObject({ subject: { id, name: 'my illness' }, undo: 'never' })
      await admin.result('DELETE', `/conv/${id}/vanish`)
      expect(await read()).toMatchObject({ subject: { id, name: null } })
    })
  })

  describe('the settings', () => {
    test('let administrators read without a reason, which is written down all the same', async () => {
      const { admin, lin, read } = await portalWithConversation(storage)
      await admin.result('PUT', '/system/config', { portal: { oversight_reason: false } })
      expect(await read(admin)).toMatchObject({ code: 200 })
      expect((await own(lin)).rows).toHaveLength(1)
    })
    test('keep from people who read what', async () => {
      const { admin, lin, open } = await portalWithConversation(storage)
      await open(admin)
      await admin.result('PUT', '/system/config', { portal: { show_oversight: false } })
      expect(await own(lin)).toMatchObject({ rows: [], unnoticed: 0 })
    })
  })

  test('a file is read once a conversation of its owner is open', async () => {
    const { admin, lin, open, url } = await portalWithConversation(storage)
    const body = new FormData()
    body.set('text', 'a secret of lin')
    body.set('file', new File(['a secret of lin'], 'a.txt'))
    const response = await fetch(`${url}/api/files`, {
      method: 'POST',
      body,
      headers: { cookie: lin.cookie, origin: url },
    })
    const { result } = (await response.json()) as { result: { id: string } }
    const download = (person: Person) => person.call('GET', `/files/${result.id}/content`)
    expect(await download(admin)).toMatchObject(REQUIRED)
    await open(admin)
    expect(await download(admin)).toMatchObject({ code: 200, result: 'a secret of lin' })
  })
})
