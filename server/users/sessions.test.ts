import { describe, expect, onTestFinished, test } from 'vitest'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { openSessions, type SessionsEnded } from './sessions.ts'

const START = 1_800_000_000_000
const PROOF = { kind: 'password', password_hash: 'the hash' } as const
const HERE = { user_agent: 'A browser', address: '192.0.2.1' }

async function opened(open: OpenDatabase) {
  const clock = { time: START, now: () => clock.time, monotonic: () => clock.time }
  const failures: unknown[] = []
  const bus = await openBus(open)
  onTestFinished(() => bus.close())
  const sessions = openSessions({ open, clock, bus, onFailure: cause => failures.push(cause) })
  const id = await storedUser(open.database, { username: 'anna', password_hash: 'the hash' })
  const start = async () => {
    const token = await sessions.start(id, PROOF, 60, HERE)
    if (token === null) throw new Error('no session was started')
    return token
  }
  const rows = () => open.database.selectFrom('sessions').selectAll().orderBy('create_time').execute()
  return { sessions, clock, id, start, rows, failures, database: open.database, transaction: open.transaction }
}

describe('sessions', () => {
  eachDatabase((_, open) => {
    test('are known by their token alone', async () => {
      const { sessions, start, id } = await opened(await open())
      const token = await start()
      expect(token).toMatch(/^[\w-]{43}$/)
      const found = await sessions.find(token)
      expect(found).toMatchObject({ id, username: 'anna', is_superuser: false, session_create_time: START })
      expect(await sessions.find(found?.session ?? '')).toBe(null)
      expect(await sessions.find(`${token.slice(1)}x`)).toBe(null)
    })
    test('of somebody who is deactivated are not good, and good again afterwards', async () => {
      const { sessions, start, id, database } = await opened(await open())
      const token = await start()
      const activate = (is_active: boolean) =>
        database.updateTable('users').set({ is_active }).where('id', '=', id).execute()
      await activate(false)
      expect(await sessions.find(token)).toBe(null)
      await activate(true)
      expect(await sessions.find(token)).not.toBe(null)
    })
    test('are not started with a password that has just been changed, nor for somebody who has just gone', async () => {
      const { sessions, id, rows, database } = await opened(await open())
      expect(await sessions.start(id, { kind: 'password', password_hash: 'the hash before' }, 60, HERE)).toBe(null)
      await database.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
      expect(await sessions.start(id, PROOF, 60, HERE)).toBe(null)
      await database.deleteFrom('users').where('id', '=', id).execute()
      expect(await sessions.start(id, PROOF, 60, HERE)).toBe(null)
      expect(await rows()).toEqual([])
    })
    test('without a password say how they began, and do not begin once all sessions were ended after the proof', async () => {
      const { sessions, id, rows, clock } = await opened(await open())
      const proof = { kind: 'invitation', time: clock.now() } as const
      expect(await sessions.start(id, proof, 60, HERE)).not.toBe(null)
      expect(await rows()).toMatchObject([{ proof: 'invitation' }])
      await sessions.endAllOf(id, null)
      expect(await sessions.start(id, proof, 60, HERE)).toBe(null)
      clock.time += 1
      expect(await sessions.start(id, { ...proof, time: clock.now() }, 60, HERE)).not.toBe(null)
    })
    test('that are no longer good are told from those that are', async () => {
      const { sessions, start, id, clock, database } = await opened(await open())
      const tokens = [await start(), await start()]
      const [good = '', ended = ''] = (await Promise.all(tokens.map(token => sessions.find(token)))).map(
        user => user?.session,
      )
      await sessions.end(tokens[1] ?? '')
      expect(await sessions.endedAmong([good, ended, good, 'invented'])).toEqual(new Set([ended, 'invented']))
      const many = Array.from({ length: 1_200 }, (_, at) => `invented${at}`)
      expect((await sessions.endedAmong([...many, good])).size).toBe(1_200)
      await database.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
      expect(await sessions.endedAmong([good])).toEqual(new Set([good]))
      await database.updateTable('users').set({ is_active: true }).where('id', '=', id).execute()
      clock.time += 60_000
      expect(await sessions.endedAmong([good])).toEqual(new Set([good]))
      expect(await sessions.endedAmong([])).toEqual(new Set())
    })
    test('keep where they are from, as far as it can be kept', async () => {
      const { sessions, id, rows } = await opened(await open())
      for (const user_agent of [null, 'x'.repeat(500), 'a\0b', 'half \ud83d'])
        await sessions.start(id, PROOF, 60, { user_agent, address: null })
      const agents = (await rows()).map(row => row.user_agent)
      expect(agents.toSorted()).toEqual([null, 'x'.repeat(200), 'a\ufffdb', 'half \ufffd'].toSorted())
    })
    test('under a new token are the same to the second', async () => {
      const { sessions, start, rows, clock, transaction } = await opened(await open())
      const token = await start()
      const [before] = await rows()
      clock.time += 20_000
      const renewal = sessions.renewal(before?.token_hash ?? '')
      await transaction(trx => sessions.removeAllOf(trx, before?.user_id ?? 0, renewal))
      expect(await rows()).toEqual([{ ...before, token_hash: renewal.session }])
      expect(await sessions.find(token)).toBe(null)
      expect(await sessions.find(renewal.token)).toMatchObject({ session: renewal.session, session_create_time: START })
      expect(await sessions.secondsLeft(renewal.token)).toBe(40)
      expect(await sessions.secondsLeft(token)).toBe(0)
    })
    test('that are over are swept, and no others', async () => {
      const { sessions, start, rows, clock } = await opened(await open())
      await start()
      clock.time += 59_999
      const token = await start()
      await sessions.removeExpired()
      expect(await rows()).toHaveLength(2)
      clock.time += 1
      await sessions.removeExpired()
      expect(await rows()).toHaveLength(1)
      expect(await sessions.find(token)).not.toBe(null)
    })
    test('that end are announced: one, all of a person, or all but one', async () => {
      const { sessions, start, id } = await opened(await open())
      const ended: SessionsEnded[] = []
      const leave = sessions.onEnded(end => ended.push(end))
      const token = await start()
      const session = (await sessions.find(token))?.session
      await sessions.end(token)
      sessions.announceEndOf(id)
      sessions.announceEndOf(id, { token: 'new', session: 'its hash', former: 'old' })
      leave()
      sessions.announceEndOf(id)
      expect(ended).toEqual([{ session }, { user_id: id }, { user_id: id, except: 'its hash' }])
    })
  })
})

describe('who was here', () => {
  eachDatabase((_, open) => {
    test('is written together, for each session and once for each person', async () => {
      const { sessions, start, rows, clock, id, database } = await opened(await open())
      const tokens = [await start(), await start()]
      const untouched = await start()
      clock.time += 60_000 - 1
      for (const token of tokens) await sessions.find(token)
      await sessions.close()
      expect((await rows()).map(row => row.last_seen_time)).toEqual([START, START, START])
      await database
        .updateTable('sessions')
        .set({ expire_time: START + 3_600_000 })
        .execute()
      clock.time += 1
      for (const token of [...tokens, ...tokens]) await sessions.find(token)
      await sessions.close()
      expect((await rows()).map(row => row.last_seen_time - START).toSorted((a, b) => a - b)).toEqual([
        0, 60_000, 60_000,
      ])
      const user = await database.selectFrom('users').select('last_active_time').where('id', '=', id).executeTakeFirst()
      expect(user).toEqual({ last_active_time: START + 60_000 })
      expect(await sessions.find(untouched)).not.toBe(null)
      await sessions.close() // or it would be written when the database is closed
    })
    test('and cannot be written disturbs nobody', async () => {
      const database = await open()
      const { sessions, start, clock, failures } = await opened(database)
      const token = await start()
      await database.database
        .updateTable('sessions')
        .set({ expire_time: START + 3_600_000 })
        .execute()
      clock.time += 60_000
      expect(await sessions.find(token)).not.toBe(null)
      clock.time = Number.NaN // no time that could be stored
      await sessions.close()
      expect(failures).toHaveLength(1)
    })
  })
})
