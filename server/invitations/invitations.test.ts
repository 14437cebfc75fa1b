import { describe, expect, test } from 'vitest'
import type { Invitation } from '#contract/invitations.ts'
import { eachStorage } from '#testing/database.ts'
import { callApi, signIn } from '#testing/person.ts'
import { type Portal, startPortal } from '#testing/portal.ts'

const START = 1_800_000_000_000
const DAY = 86_400_000

const wu = { username: 'wutong', nickname: '吴桐', password: 'plum-blossom-9' }
const UNKNOWN = 'x'.repeat(32)

eachStorage((_, newStorage) => {
  async function opened() {
    const clock = { time: START, now: () => clock.time, monotonic: () => clock.time }
    const portal = await startPortal({ storage: await newStorage(), clock })
    const invite = (body: object = {}) =>
      portal.admin.result<Invitation & { token: string }>('POST', '/invitation', body)
    const list = () => portal.admin.result<Invitation[]>('GET', '/invitation')
    return { ...portal, clock, invite, list, ...publicCalls(portal) }
  }

  describe('an invitation', () => {
    test('says who invites, how often it can be used and until when', async () => {
      const { invite, read } = await opened()
      const { token } = await invite({ uses: 3 })
      expect((await read(token)).result).toMatchObject({
        invited_by: 'admin',
        state: 'open',
        uses_left: 3,
        end_time: new Date(START + 7 * DAY).toISOString(),
      })
    })
    test('makes an account that is signed in at once', async () => {
      const { url, invite, accept } = await opened()
      const { token } = await invite()
      const { envelope, cookie } = await accept(token, wu)
      expect(envelope).toMatchObject({ code: 200 })
      const me = await callApi(url, cookie, 'GET', '/user/me')
      expect(me.result).toMatchObject({ username: 'wutong', nickname: '吴桐', is_superuser: false, is_active: true })
    })
    test('puts whoever comes by it into its plan, and says before what that gives', async () => {
      const { url, admin, app, invite, read, accept } = await opened()
      const week = { source: 'openai_api', unit: 'asks', window: { kind: 'week' }, amount: 60 }
      const plan = { name: '家人', limits: [week], openai_api: { available_models: ['gpt_4'] } }
      const { id } = await admin.result<{ id: number }>('POST', '/plan', plan)
      const { token } = await invite({ plan_id: id })
      expect((await read(token)).result).toMatchObject({
        plan: {
          name: '家人',
          limits: [{ source: 'openai_api', unit: 'asks', window: 'week', seconds: null, amount: 60 }],
          models: 1,
          may_upload: true,
        },
      })
      const { cookie } = await accept(token, wu)
      const me = (await callApi(url, cookie, 'GET', '/user/me')).result
      const values = await app.services.open.database.selectFrom('user_policy_values').selectAll().execute()
      expect(values).toMatchObject([{ user_id: (me as { id: number }).id, plan_id: id }])
    })
    test('keeps its plan from being removed, unless it is to lead into another one', async () => {
      const { admin, invite, accept, list } = await opened()
      const { id } = await admin.result<{ id: number }>('POST', '/plan', { name: '访客' })
      const { token } = await invite({ plan_id: id })
      const refused = await admin.call('DELETE', `/plan/${id}`)
      expect(refused).toMatchObject({ message: 'errors.planInUse', values: { people: 0, plans: 0, invitations: 1 } })
      await admin.result('DELETE', `/plan/${id}?move_to=1`)
      expect(await list()).toMatchObject([{ plan_id: 1, state: 'open' }])
      expect((await accept(token, wu)).envelope.code).toBe(200)
    })
    test('is made for no plan that is not there', async () => {
      const { admin } = await opened()
      expect((await admin.call('POST', '/invitation', { plan_id: 99 })).message).toBe('errors.planNotFound')
    })
    test('that was used as often as it can be refuses the next person, and says so', async () => {
      const { invite, accept, read, list } = await opened()
      const { token } = await invite()
      await accept(token, wu)
      expect((await accept(token, { ...wu, username: 'second' })).envelope.message).toBe('errors.invitationUsed')
      expect((await read(token)).result).toMatchObject({ state: 'used', uses_left: 0 })
      expect(await list()).toMatchObject([{ uses: 1, used: 1, state: 'used' }])
    })
    test('lets one of two in who come at once when one use is left', async () => {
      const { admin, invite, accept } = await opened()
      const { token } = await invite()
      const came = await Promise.all(['first', 'second'].map(username => accept(token, { ...wu, username })))
      expect(came.map(({ envelope }) => envelope.message).toSorted()).toEqual(['', 'errors.invitationUsed'])
      expect(await admin.result<unknown[]>('GET', '/user')).toHaveLength(2)
    })
    test('does not lose a use to a name that is taken', async () => {
      const { invite, accept, list, person } = await opened()
      await person('taken')
      const { token } = await invite()
      const { envelope } = await accept(token, { ...wu, username: 'TAKEN' })
      expect(envelope.message).toBe('errors.userAlreadyExists')
      expect(await list()).toMatchObject([{ used: 0, state: 'open' }])
    })
    test('says of a name whether it is free', async () => {
      const { invite, name, person } = await opened()
      await person('taken')
      const { token } = await invite()
      expect((await name(token, 'Taken')).result).toEqual({ is_free: false })
      expect((await name(token, 'wutong')).result).toEqual({ is_free: true })
    })
    test('that has ended refuses, and says when it ended', async () => {
      const { clock, invite, accept, read, name } = await opened()
      const { token } = await invite({ end_time: new Date(START + DAY).toISOString() })
      clock.time += DAY
      expect((await read(token)).result).toMatchObject({ state: 'expired' })
      expect((await accept(token, wu)).envelope).toMatchObject({
        message: 'errors.invitationExpired',
        values: { end_at: new Date(START + DAY).toISOString() },
      })
      expect((await name(token, 'wutong')).message).toBe('errors.invitationExpired')
    })
    test('without an end is open a year later', async () => {
      const { clock, invite, read } = await opened()
      const { token } = await invite({ end_time: null })
      clock.time += 365 * DAY
      expect((await read(token)).result).toMatchObject({ state: 'open', end_time: null })
    })
    test('cannot end before it begins', async () => {
      const { admin } = await opened()
      const answer = await admin.call('POST', '/invitation', { end_time: new Date(START).toISOString() })
      expect(answer).toMatchObject({ code: 422, detail: [{ loc: ['body', 'end_time'] }] })
    })
    test('takes no common password and no bad name', async () => {
      const { invite, accept, list } = await opened()
      const { token } = await invite()
      expect((await accept(token, { ...wu, password: 'password1' })).envelope).toMatchObject({
        detail: [{ loc: ['body', 'password'], msg: 'commonPassword' }],
      })
      expect((await accept(token, { ...wu, username: 'not a name' })).envelope.code).toBe(422)
      expect(await list()).toMatchObject([{ used: 0 }])
    })
  })

  describe('a revoked invitation', () => {
    test('is answered like one that never was, whatever is called', async () => {
      const { admin, invite, accept, read, name } = await opened()
      const { id, token } = await invite()
      await admin.result('DELETE', `/invitation/${id}`)
      for (const each of [token, UNKNOWN, '']) {
        const answers = [await read(each), (await accept(each, wu)).envelope, await name(each, 'wutong')]
        expect(answers).toEqual(answers.map(() => ({ code: 404, message: 'errors.invitationNotFound', result: null })))
      }
    })
    test('stays in the list, and whoever has come stays', async () => {
      const { admin, invite, accept, list } = await opened()
      const { id, token } = await invite({ uses: 2 })
      await accept(token, wu)
      await admin.result('DELETE', `/invitation/${id}`)
      expect(await list()).toMatchObject([{ id, used: 1, state: 'revoked' }])
      expect(await admin.result<unknown[]>('GET', '/user')).toHaveLength(2)
    })
  })

  describe('the audit', () => {
    test('has who invited, who came by it and who revoked it, and no link', async () => {
      const { app, admin, invite, accept } = await opened()
      const { id, token } = await invite({ uses: 2 })
      await accept(token, wu)
      await admin.result('DELETE', `/invitation/${id}`)
      await admin.result('DELETE', `/invitation/${id}`)
      const rows = await app.services.open.database
        .selectFrom('audit')
        .selectAll()
        .where('subject_kind', '=', 'invitation')
        .orderBy('id')
        .execute()
      expect(rows.map(({ action, actor_name, subject_id }) => [action, actor_name, subject_id])).toEqual([
        ['invitation.created', 'admin', String(id)],
        ['invitation.used', 'wutong', String(id)],
        ['invitation.revoked', 'admin', String(id)],
      ])
      expect(JSON.stringify(rows)).not.toContain(token)
    })
  })

  describe('links', () => {
    test('that nobody has may be tried ten times in a quarter of an hour from one address', async () => {
      const { clock, invite, read } = await opened()
      const { token } = await invite()
      for (let count = 0; count < 10; count++) await read(`${UNKNOWN}${count}`)
      expect((await read(token)).message).toBe('errors.tooManySignInAttempts')
      clock.time += 15 * 60_000
      expect((await read(token)).result).toMatchObject({ state: 'open' })
    })
    test('are in the database and in the list as a hash, or not at all', async () => {
      const { app, invite, list } = await opened()
      const { token } = await invite()
      expect(token).toMatch(/^[\w-]{32}$/)
      const { database } = app.services.open
      expect(JSON.stringify(await database.selectFrom('invitations').selectAll().execute())).not.toContain(token)
      expect(JSON.stringify(await list())).not.toContain(token)
    })
    test('of an administrator who is gone name nobody, and are still good', async () => {
      const { app, url, admin, read } = await opened()
      const other = await app.services.users.createAdmin('helper', 'plum-blossom-9')
      expect(other).toBe(null)
      const helper = await signIn(url, 'helper', 'plum-blossom-9')
      const { token } = await helper.result<{ token: string }>('POST', '/invitation', {})
      expect((await read(token)).result).toMatchObject({ invited_by: 'helper' })
      await admin.result('DELETE', `/user/${helper.id}`)
      expect((await read(token)).result).toMatchObject({ invited_by: null, state: 'open' })
    })
  })
})

type Account = typeof wu

/** What somebody calls who holds a link and has no session. */
function publicCalls({ url }: Portal) {
  const post = (path: string, body: object) => callApi(url, '', 'POST', path, body)
  return {
    read: (token: string) => post('/invitation/read', { token }),
    name: (token: string, username: string) => post('/invitation/name', { token, username }),
    async accept(token: string, account: Account) {
      const response = await fetch(`${url}/api/invitation/accept`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ token, ...account }),
      })
      const cookie = response.headers
        .getSetCookie()
        .map(line => line.split(';')[0])
        .join('; ')
      return { envelope: (await response.json()) as { code: number; message: string; detail?: unknown }, cookie }
    },
  }
}
