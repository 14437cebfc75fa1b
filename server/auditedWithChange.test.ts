import { describe, expect, test } from 'vitest'
import type { AuditAction, AuditRow, listAudit } from '#contract/audit.ts'
import type { ResultOf } from '#contract/call.ts'
import type { ConversationRecord } from '#contract/conversations.ts'
import type { UserReadAdmin } from '#contract/users.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

type Page = ResultOf<typeof listAudit>

const rowsOf = async (admin: Person, action: AuditAction): Promise<AuditRow[]> =>
  (await admin.result<Page>('GET', `/audit?action=${action}`)).rows

/** A portal whose audit takes nothing any more, once `refuse` was called. */
async function aPortal(storage: NewStorage) {
  const portal = await startPortal({ storage: await storage() })
  const { open } = portal.app.services
  const refuse = async () => {
    await open.database.schema.alterTable('audit').renameTo('audit_aside').execute()
  }
  const takeAgain = async () => {
    await open.database.schema.alterTable('audit_aside').renameTo('audit').execute()
  }
  return { ...portal, refuse, takeAgain }
}

eachStorage((_name, storage) => {
  describe('a change that cannot be written down', () => {
    test('is not made: of people, limits, plans, settings, conversations, and no account is opened', async () => {
      const { admin, person, refuse, takeAgain } = await aPortal(storage)
      const lin = await person('lin')
      await lin.ask('one question', { new_title: 'Tea' })
      const [tea] = await lin.result<ConversationRecord[]>('GET', '/conv')
      const id = tea?.conversation_id
      const state = async () => ({
        person: await admin.result<UserReadAdmin>('GET', `/user/${lin.id}`),
        plans: await admin.result('GET', '/plan'),
        settings: await admin.result('GET', '/system/config'),
        conversations: await admin.result('GET', '/system/conversations'),
        people: (await admin.result<{ total: number }>('GET', '/system/users')).total,
        hold: await admin.result('GET', `/user/${lin.id}/hold`),
      })
      const before = await state()
      await refuse()
      const account = { username: 'mei', nickname: 'Mei', password: 'plum-blossom-9', email: 'mei@example.org' }
      const changes: [string, string, unknown?][] = [
        ['PATCH', `/user/${lin.id}`, { remark: 'changed' }],
        ['PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 60 } }],
        ['POST', '/plan', { name: 'Guests', parent_id: 1 }],
        ['PUT', '/system/config', { portal: { name: 'Family' } }],
        ['DELETE', `/conv/${id}`],
        ['PATCH', `/conv/${id}/assign/admin`],
        ['PUT', `/user/${lin.id}/hold`, { on: true, reason: 'Court order 7' }],
        ['POST', '/auth/register', account],
        ['DELETE', `/user/${lin.id}`],
        ['POST', `/conv/${id}/oversight`, { reason: 'fault', text: 'the chart was wrong' }],
      ]
      const made: string[] = []
      for (const [method, path, body] of changes)
        if ((await admin.call(method, path, body)).code === 200) made.push(`${method} ${path}`)
      await takeAgain()
      expect(made).toEqual([])
      expect(withoutTimes(await state())).toEqual(withoutTimes(before))
    })
  })

  describe('a row', () => {
    test('says from where: the address and the browser of whoever did it, and the number of the request', async () => {
      const { admin, person } = await aPortal(storage)
      const lin = await person('lin')
      await admin.call('PATCH', `/user/${lin.id}`, { remark: 'a guest' }, { 'user-agent': 'A browser' })
      expect((await rowsOf(admin, 'user.changed'))[0]).toMatchObject({
        ...{ actor: { kind: 'user', id: admin.id, name: 'admin' }, address: '127.0.0.1', user_agent: 'A browser' },
        ...{ request_id: expect.any(String), subject: { kind: 'user', id: String(lin.id), name: 'lin' } },
        ...{ before: { remark: null }, after: { remark: 'a guest' } },
      })
      const [signedIn] = await rowsOf(admin, 'sign_in')
      expect(signedIn).toMatchObject({ actor: { id: lin.id }, address: '127.0.0.1', subject: { name: 'lin' } })
    })
    test('is not written where nothing changes, or a change is refused', async () => {
      const { admin, person } = await aPortal(storage)
      const lin = await person('lin')
      const total = async () => (await admin.result<Page>('GET', '/audit')).total
      const before = await total()
      await admin.result('PATCH', `/user/${lin.id}`, { nickname: 'lin' })
      await admin.call('PATCH', `/user/${lin.id}`, { username: 'admin' })
      await admin.call('DELETE', `/user/${admin.id}`)
      await lin.call('PATCH', `/user/${admin.id}`, { remark: 'mine' })
      await lin.call('PUT', '/system/config', { portal: { name: 'Mine' } })
      expect(await total()).toBe(before)
    })
    test('is read, written out and undone by administrators alone', async () => {
      const { admin, person } = await aPortal(storage)
      const lin = await person('lin')
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 60 } })
      const [row] = await rowsOf(admin, 'user.limits')
      for (const [method, path] of [
        ['GET', '/audit'],
        ['GET', '/audit.csv'],
        ['POST', `/audit/${row?.id}/undo`],
        ['GET', '/system/oversight'],
      ] as const)
        expect(await lin.call(method, path), path).toMatchObject({ message: 'errors.authorityDeny' })
      expect((await rowsOf(admin, 'user.limits')).map(({ undo }) => undo)).toEqual(['possible'])
    })
  })

  describe('an undo', () => {
    test('that two administrators ask for at once is made once', async () => {
      const { admin, person } = await aPortal(storage)
      const lin = await person('lin')
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 60 } })
      const [row] = await rowsOf(admin, 'user.limits')
      const answers = await Promise.all([1, 2, 3].map(() => admin.call('POST', `/audit/${row?.id}/undo`)))
      expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
      const refusals = answers.filter(({ code }) => code !== 200).map(({ message }) => message)
      for (const message of refusals) expect(message).toMatch(/^errors\.(changedMeanwhile|notUndoable)$/)
      expect(await rowsOf(admin, 'user.limits')).toHaveLength(2)
    })
    test('is undone itself, which makes the change again', async () => {
      const { admin, person } = await aPortal(storage)
      const lin = await person('lin')
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 60 } })
      const [row] = await rowsOf(admin, 'user.limits')
      await admin.result('POST', `/audit/${row?.id}/undo`)
      const [undoing] = await rowsOf(admin, 'user.limits')
      await admin.result('POST', `/audit/${undoing?.id}/undo`)
      const { setting } = await admin.result<UserReadAdmin>('GET', `/user/${lin.id}`)
      expect(setting.openai_api.total_ask_count).toBe(60)
    })
    test('of an assignment is refused when somebody else has it by now, or its person is gone', async () => {
      const { admin, person } = await aPortal(storage)
      const [lin, mei, ann] = [await person('lin'), await person('mei'), await person('ann')]
      await lin.ask('one question', { new_title: 'Tea' })
      const [tea] = await lin.result<ConversationRecord[]>('GET', '/conv')
      const assign = (to: Person) => admin.result('PATCH', `/conv/${tea?.conversation_id}/assign/${to.id}`)
      await assign(mei)
      const [first] = await rowsOf(admin, 'conversation.assigned')
      await assign(ann)
      const [second] = await rowsOf(admin, 'conversation.assigned')
      expect(await admin.call('POST', `/audit/${first?.id}/undo`)).toMatchObject({ message: 'errors.changedMeanwhile' })
      await admin.result('DELETE', `/user/${mei.id}`)
      expect(await admin.call('POST', `/audit/${second?.id}/undo`)).toMatchObject({ message: 'errors.userNotFound' })
      expect(await ann.result('GET', '/conv')).toMatchObject([{ title: 'Tea' }])
    })
  })
})

/** Reading itself is seen: what a session has last done. */
const withoutTimes = (state: object): unknown =>
  JSON.parse(
    JSON.stringify(state, (name, value: unknown) =>
      /last_active|last_seen|sessions|latest/.test(name) ? null : value,
    ),
  )
