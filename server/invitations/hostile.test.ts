import { describe, expect, test } from 'vitest'
import type { Invitation } from '#contract/invitations.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { callApi } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const START = 1_800_000_000_000
const MINUTE = 60_000
const account = (username: string) => ({ username, nickname: username, password: 'plum-blossom-9' })
const UNKNOWN = 'x'.repeat(32)

eachStorage((name, newStorage) => {
  async function opened() {
    const clock = testClock(START)
    const storage = await newStorage()
    const portal = await startPortal({ storage, clock })
    const other = () => startPortal({ storage, clock, simulator: portal.simulator })
    const invite = (body: object = {}) =>
      portal.admin.result<Invitation & { token: string }>('POST', '/invitation', body)
    const list = () => portal.admin.result<Invitation[]>('GET', '/invitation')
    const users = async () => (await portal.admin.result<unknown[]>('GET', '/user')).length
    const at = (url: string) => {
      const post = (path: string, body: object) => callApi(url, '', 'POST', `/invitation/${path}`, body)
      return {
        read: (token: unknown) => post('read', { token }),
        isFree: (token: unknown, username: string) => post('name', { token, username }),
        accept: (token: unknown, fields: object) => post('accept', { token, ...fields }),
      }
    }
    return { ...portal, clock, other, invite, list, users, at, ...at(portal.url) }
  }

  describe('an invitation of three uses', () => {
    test('lets three in of eight who come at once, each with an account of their own', async () => {
      const { invite, list, users, accept } = await opened()
      const { token } = await invite({ uses: 3 })
      const came = await Promise.all(Array.from({ length: 8 }, (_, at) => accept(token, account(`guest${at}`))))
      const refused = came.filter(({ code }) => code !== 200)
      expect(refused.map(({ message }) => message)).toEqual(Array.from({ length: 5 }, () => 'errors.invitationUsed'))
      expect(await users()).toBe(1 + 3)
      expect(await list()).toMatchObject([{ uses: 3, used: 3, state: 'used' }])
    })
    test('loses no use to two who want the same name at once', async () => {
      const { invite, list, users, accept } = await opened()
      const { token } = await invite({ uses: 3 })
      const came = await Promise.all([accept(token, account('lin')), accept(token, account('LIN'))])
      expect(came.map(({ message, code }) => (code === 200 ? '' : message)).toSorted()).toEqual([
        '',
        'errors.userAlreadyExists',
      ])
      expect(await users()).toBe(2)
      expect(await list()).toMatchObject([{ used: 1, state: 'open' }])
    })
    test('lets nobody in who comes while it is revoked, or leaves them in: one of both', async () => {
      const { admin, invite, list, users, accept } = await opened()
      const { id, token } = await invite({ uses: 3 })
      const [came] = await Promise.all([accept(token, account('lin')), admin.call('DELETE', `/invitation/${id}`)])
      const isIn = came.code === 200
      if (!isIn) expect(came.message).toBe('errors.invitationNotFound')
      expect(await users()).toBe(isIn ? 2 : 1)
      expect(await list()).toMatchObject([{ used: isIn ? 1 : 0, state: 'revoked' }])
      expect((await accept(token, account('mei'))).message).toBe('errors.invitationNotFound')
    })
  })

  test.runIf(name === 'PostgreSQL')('the last use of an invitation is one, whichever process is asked', async () => {
    const { invite, users, accept, at, other } = await opened()
    const there = at((await other()).url)
    const { token } = await invite()
    const came = await Promise.all([accept(token, account('here')), there.accept(token, account('there'))])
    expect(came.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(await users()).toBe(2)
  })

  describe('whoever holds no link', () => {
    test('is answered the same of a revoked, an unknown and a malformed one, by every call, whoever has the name', async () => {
      const { admin, invite, read, isFree, accept, person, list } = await opened()
      await person('taken')
      const { id, token } = await invite()
      await admin.result('DELETE', `/invitation/${id}`)
      const answers = []
      for (const each of [token, UNKNOWN, ' ']) {
        answers.push(await read(each), await isFree(each, 'taken'), await accept(each, account('taken')))
      }
      expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
      expect(answers[0]).toMatchObject({ code: 404, message: 'errors.invitationNotFound', result: null })
      expect(await list()).toMatchObject([{ used: 0 }])
    })
    test('may guess ten times in a quarter of an hour, by all calls together, and makes no account after it', async () => {
      const { clock, invite, users, read, isFree, accept } = await opened()
      const { token } = await invite({ uses: 5 })
      for (let at = 0; at < 4; at++) await read(`${UNKNOWN}${at}`)
      for (let at = 0; at < 3; at++) await isFree(`${UNKNOWN}${at}`, 'lin')
      for (let at = 0; at < 2; at++) await accept(`${UNKNOWN}${at}`, account('lin'))
      // Good ones are not counted.
      for (let at = 0; at < 5; at++) expect((await read(token)).code).toBe(200)
      expect((await read(UNKNOWN)).message).toBe('errors.invitationNotFound')
      for (const answer of [await read(token), await isFree(token, 'lin'), await accept(token, account('lin'))])
        expect(answer.message).toBe('errors.tooManySignInAttempts')
      expect(await users()).toBe(1)
      clock.pass(15 * MINUTE)
      expect((await accept(token, account('lin'))).code).toBe(200)
    })
    test('locks nobody out who signs in with a password', async () => {
      const { app, read, url } = await opened()
      for (let at = 0; at < 12; at++) await read(`${UNKNOWN}${at}`)
      expect(await app.services.users.createAdmin('second', 'plum-blossom-9')).toBe(null)
      const form = new URLSearchParams({ username: 'second', password: 'plum-blossom-9' })
      const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', body: form, headers: { origin: url } })
      expect(await answer.json()).toMatchObject({ code: 200 })
    })
    test('sends what is no token, and is refused in the form', async () => {
      const { read, accept, users } = await opened()
      for (const token of [null, 5, {}, ['x'], 'x'.repeat(201)]) expect(await read(token)).toMatchObject({ code: 422 })
      for (const fields of [{}, { ...account('lin'), is_superuser: true, plan_id: 1, password: 'x' }])
        expect(await accept(UNKNOWN, fields)).toMatchObject({ code: 422 })
      expect(await users()).toBe(1)
    })
  })

  describe('whoever comes by an invitation', () => {
    test('is never more than anybody else, whatever they send along', async () => {
      const { admin, invite, accept } = await opened()
      const { token } = await invite()
      await accept(token, { ...account('lin'), is_superuser: true, is_active: false, plan_id: 5, credits: 99 })
      const users = await admin.result<{ username: string }[]>('GET', '/user')
      expect(users.find(({ username }) => username === 'lin')).toMatchObject({ is_superuser: false, is_active: true })
    })
    test('is in the plan that its own plan gave its people to, and in none that is gone', async () => {
      const { admin, invite, read, accept, list } = await opened()
      const { id } = await admin.result<{ id: number }>('POST', '/plan', { name: 'Guests' })
      const { token } = await invite({ plan_id: id })
      expect((await read(token)).result).toMatchObject({ plan: { name: 'Guests' } })
      await admin.result('DELETE', `/plan/${id}?move_to=1`)
      expect((await read(token)).result).toMatchObject({ plan: { name: null } })
      expect((await accept(token, account('lin'))).code).toBe(200)
      expect(await list()).toMatchObject([{ used: 1, plan_id: 1 }])
    })
  })

  describe('invitations', () => {
    test('end at the moment that they name, and not before', async () => {
      const { clock, invite, read, accept } = await opened()
      const { token } = await invite({ uses: 2, end_time: new Date(START + 5 * MINUTE).toISOString() })
      clock.set(START + 5 * MINUTE - 1)
      expect((await accept(token, account('lin'))).code).toBe(200)
      clock.set(START + 5 * MINUTE)
      expect((await read(token)).result).toMatchObject({ state: 'expired', uses_left: 1 })
      expect((await accept(token, account('mei'))).message).toBe('errors.invitationExpired')
    })
    test('are made, listed and revoked by administrators alone', async () => {
      const { invite, person, list } = await opened()
      const { id } = await invite()
      const lin = await person()
      for (const [method, path, body] of [
        ['GET', '/invitation', undefined],
        ['POST', '/invitation', {}],
        ['DELETE', `/invitation/${id}`, undefined],
      ] as const)
        expect((await lin.call(method, path, body)).message).toBe('errors.authorityDeny')
      expect(await list()).toMatchObject([{ id, state: 'open' }])
    })
    test('have uses and an end within their bounds', async () => {
      const { admin } = await opened()
      const code = async (body: object) => (await admin.call('POST', '/invitation', body)).code
      for (const uses of [1, 1_000]) expect(await code({ uses })).toBe(200)
      for (const uses of [0, -1, 1.5, 1_001, '2', null]) expect(await code({ uses }), String(uses)).toBe(422)
      for (const end_time of ['soon', 5, new Date(START - 1).toISOString()]) expect(await code({ end_time })).toBe(422)
      expect((await admin.call('DELETE', '/invitation/999')).message).toBe('errors.invitationNotFound')
    })
  })
})
