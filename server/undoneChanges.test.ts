import { describe, expect, test } from 'vitest'
import type { AuditAction, AuditRow, listAudit } from '#contract/audit.ts'
import type { ResultOf } from '#contract/call.ts'
import type { ConversationRecord } from '#contract/conversations.ts'
import type { UserReadAdmin } from '#contract/users.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

type Page = ResultOf<typeof listAudit>

const latest = async (admin: Person, action: AuditAction): Promise<AuditRow> => {
  const [row] = (await admin.result<Page>('GET', `/audit?action=${action}`)).rows
  return row ?? expect.unreachable(`no row of ${action}`)
}
const undo = (admin: Person, { id }: AuditRow) => admin.call('POST', `/audit/${id}/undo`)
const settingOf = async (admin: Person, { id }: Person) =>
  (await admin.result<UserReadAdmin>('GET', `/user/${id}`)).setting.openai_api
const portalName = async (admin: Person) =>
  (await admin.result<{ portal: { name: string | null } }>('GET', '/system/config')).portal.name

eachStorage((_, storage) => {
  describe('the limits of a person', () => {
    test('become what they were, inherited again where they were, as a change of its own', async () => {
      const { admin, person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const before = await settingOf(admin, lin)
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        openai_api: {
          total_ask_count: 60,
          per_model_ask_count: { gpt_4: 5 },
          rate_limits: [{ window_seconds: 60, max_requests: 2 }],
          valid_until: '2030-01-01T00:00:00Z',
        },
      })
      const row = await latest(admin, 'user.limits')
      expect(row).toMatchObject({
        actor: { kind: 'user', name: 'admin' },
        subject: { kind: 'user', id: String(lin.id), name: 'person1' },
        before: { 'openai_api.total_ask_allowed': null, 'openai_api.models.gpt_4': null },
        after: { 'openai_api.total_ask_allowed': 60, 'openai_api.models.gpt_4': 5 },
        undo: 'possible',
      })
      expect(await undo(admin, row)).toMatchObject({ code: 200, result: { undo: 'undone' } })
      expect(await settingOf(admin, lin)).toEqual(before)
      const undoing = await latest(admin, 'user.limits')
      expect(undoing).toMatchObject({ undoes: row.id, after: { 'openai_api.total_ask_allowed': null } })
      expect(await undo(admin, row)).toMatchObject({ message: 'errors.notUndoable' })
    })
    test('are left alone where somebody has changed the same since', async () => {
      const { admin, person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const set = (total_ask_count: number) =>
        admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count } })
      await set(60)
      const first = await latest(admin, 'user.limits')
      await set(70)
      expect((await admin.result<Page>('GET', '/audit?action=user.limits')).rows.map(row => row.undo)).toEqual([
        'possible',
        'changed',
      ])
      expect(await undo(admin, first)).toMatchObject({
        message: 'errors.changedMeanwhile',
        detail: [{ loc: ['body', 'openai_api', 'total_ask_allowed'], msg: '70' }],
      })
      expect((await settingOf(admin, lin)).total_ask_count).toBe(70)
      // What else was changed since does not count.
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { max_conv_count: 3 } })
      const second = await latest(admin, 'user.limits')
      expect(await undo(admin, second)).toMatchObject({ code: 200 })
      expect(await settingOf(admin, lin)).toMatchObject({ total_ask_count: 70, max_conv_count: -1 })
    })
  })

  describe('a setting', () => {
    test('that was not stored before is not stored again', async () => {
      const { admin } = await startPortal({ storage: await storage() })
      await admin.result('PUT', '/system/config', { portal: { name: 'Family' } })
      await admin.result('PUT', '/system/config', { portal: { name: 'Friends' } })
      expect(await undo(admin, await latest(admin, 'setting.changed'))).toMatchObject({ code: 200 })
      expect(await portalName(admin)).toBe('Family')
      const { rows } = await admin.result<Page>('GET', '/audit?action=setting.changed')
      const first = rows.at(-1) ?? expect.unreachable('no first change')
      expect(await undo(admin, first)).toMatchObject({ code: 200 })
      const read = await admin.result<{ _stored: object }>('GET', '/system/config')
      expect(Object.keys(read._stored)).not.toContain('portal.name')
    })
    test('that somebody has changed since stays', async () => {
      const { admin } = await startPortal({ storage: await storage() })
      await admin.result('PUT', '/system/config', { portal: { name: 'Family' } })
      const first = await latest(admin, 'setting.changed')
      await admin.result('PUT', '/system/config', { portal: { name: 'Friends' } })
      expect(await undo(admin, first)).toMatchObject({ message: 'errors.changedMeanwhile' })
      expect(await portalName(admin)).toBe('Friends')
    })
  })

  test('a conversation goes back to whom it was taken from', async () => {
    const { admin, person } = await startPortal({ storage: await storage() })
    const [lin, mei] = [await person('lin'), await person('mei')]
    await lin.ask('one question')
    const [conversation] = await lin.result<ConversationRecord[]>('GET', '/conv')
    await admin.result('PATCH', `/conv/${conversation?.conversation_id}/assign/${mei.id}`)
    const assigned = await latest(admin, 'conversation.assigned')
    expect(assigned).toMatchObject({ before: { owner_name: 'lin' }, after: { owner: mei.id, owner_name: 'mei' } })
    expect(await undo(admin, assigned)).toMatchObject({ code: 200 })
    expect(await lin.result('GET', '/conv')).toHaveLength(1)
    expect(await mei.result('GET', '/conv')).toEqual([])
  })
  test('a password, a deletion and whatever is not there are never undone', async () => {
    const { admin, person } = await startPortal({ storage: await storage() })
    const lin = await person()
    await admin.result('POST', `/user/${lin.id}/password`, { password: 'another-horse-7' })
    expect(await undo(admin, await latest(admin, 'user.password'))).toMatchObject({ message: 'errors.notUndoable' })
    await admin.result('DELETE', `/user/${lin.id}`)
    expect(await undo(admin, await latest(admin, 'user.deleted'))).toMatchObject({ message: 'errors.notUndoable' })
    expect(await admin.call('POST', '/audit/999999/undo')).toMatchObject({ code: 404 })
  })
  test('rows are found by who, what, words and time, and are written as CSV', async () => {
    const { admin, person } = await startPortal({ storage: await storage() })
    const lin = await person('lin')
    const list = (query: string) => admin.result<Page>('GET', `/audit?${query}`)
    expect((await list(`actor=${lin.id}`)).rows.map(({ action }) => action)).toEqual(['sign_in'])
    expect((await list('action=user.created&words=LIN')).total).toBe(1)
    expect((await list('action=user.created&words=nobody')).total).toBe(0)
    expect((await list(`subject=user&subject_id=${lin.id}`)).total).toBe(2)
    expect((await list('to=2001-01-01T00:00:00Z')).total).toBe(0)
    expect(await list('size=20')).toMatchObject({ kept_days: 365 })
    const { result } = await admin.call('GET', '/audit.csv?action=user.created')
    expect(String(result)).toMatch(/user\.created,lin/)
  })
  test('failures to sign in as somebody are one row, without what was typed', async () => {
    const { admin, person, url } = await startPortal({ storage: await storage() })
    await person('lin')
    for (const password of ['wrong-canary-1', 'wrong-canary-2'])
      await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        body: new URLSearchParams({ username: 'lin', password }),
        headers: { origin: url },
      })
    await until(async () => expect((await latest(admin, 'sign_in.failed')).subject.name).toBe('lin'))
    const { rows, total } = await admin.result<Page>('GET', '/audit?action=sign_in.failed')
    expect(total).toBe(1)
    expect(JSON.stringify(rows)).not.toContain('canary')
  })
})
