import { describe, expect, test } from 'vitest'
import type { AccountWindow, Share } from '#contract/shares.ts'
import { firstUpstream } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { type Portal, startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'
import { changeUpstream } from '#testing/upstreams.ts'

const FIVE_HOURS: AccountWindow = {
  unit: 'asks',
  window: { kind: 'rolling', seconds: 18_000 },
  models: null,
  amount: 10,
}
const WEEK: AccountWindow = { unit: 'asks', window: { kind: 'week' }, models: null, amount: 100 }

type Settings = Parameters<typeof changeUpstream>[2]

/** A portal whose account has ten asks in five hours and a hundred a week, in shares. */
async function aSharedAccount(options: Parameters<typeof startPortal>[0], settings: Settings = {}) {
  const portal = await startPortal(options)
  const { services } = portal.app
  const upstream_id = await firstUpstream(services.open.database)
  const of = { windows: [WEEK, FIVE_HOURS], sharing: 'shares' as const, label: 'Main', ...settings }
  await changeUpstream(portal.app, upstream_id, of)
  await until(() => expect(services.upstreams.poolOf(upstream_id)).not.toBe(null))
  return { ...portal, upstream_id }
}

const read = (person: Person) => person.result<Share[]>('GET', '/shares')
const askOnce = (person: Person) => person.ask('hello', { new_title: 'x' })

/** Lin asks once and Kim twice. */
async function twoWhoAsked({ person }: Pick<Portal, 'person'>) {
  const [lin, kim] = [await person('lin'), await person('kim')]
  await askOnce(lin)
  await askOnce(kim)
  await askOnce(kim)
  return { lin, kim }
}

eachStorage((_name, storage) => {
  describe('the accounts that people share', () => {
    test('have each window, the shortest first, with what is one’s own and everybody’s part of it', async () => {
      const portal = await aSharedAccount({ storage: await storage() })
      const { lin, kim } = await twoWhoAsked(portal)
      const [share, ...others] = await read(lin)
      expect(others).toEqual([])
      const { upstream_id } = portal
      expect(share).toMatchObject({ upstream_id, upstream_ids: [upstream_id], source: 'openai_api', label: 'Main' })
      expect(share).toMatchObject({ sharing: 'shares', names: 'full', is_owner: false })
      expect(share?.windows.map(({ window, capacity, used }) => [window.kind, capacity, used])).toEqual([
        ['rolling', 10, 3],
        ['week', 100, 3],
      ])
      const [short] = share?.windows ?? []
      expect(short?.mine).toMatchObject({ share: 5, used: 1, borrowed: 0, next_own_at: null, received: 0, given: 0 })
      expect(
        short?.people.map(({ name, user_id, is_me, share: part, used }) => [name, user_id, is_me, part, used]),
      ).toEqual([
        ['lin', lin.id, true, 5, 1],
        ['kim', kim.id, false, 5, 2],
      ])
    })

    test('say what is mine to whoever has not asked yet as if they asked now', async () => {
      const portal = await aSharedAccount({ storage: await storage() })
      await twoWhoAsked(portal)
      const new_one = await portal.person('new')
      const [share] = await read(new_one)
      expect(share?.windows[1]?.mine).toMatchObject({ used: 0, borrowed: 0 })
      expect(share?.windows[1]?.mine?.share).toBeCloseTo(33.333)
      expect(share?.windows[1]?.people.map(({ name }) => name)).toEqual(['new', 'kim', 'lin'])
    })

    test('are none of those that somebody may not ask; superusers see all, without a part', async () => {
      const portal = await aSharedAccount({ storage: await storage() })
      const { lin } = await twoWhoAsked(portal)
      await portal.admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { allow_to_use: false } })
      expect(await read(lin)).toEqual([])
      await portal.admin.result('PATCH', `/user/${portal.admin.id}/setting`, { openai_api: { allow_to_use: false } })
      const [share] = await read(portal.admin)
      expect(share?.windows[0]).toMatchObject({ capacity: 10, used: 3, mine: null })
      expect(share?.windows[0]?.people.map(({ name }) => name)).toEqual(['kim'])
    })

    test('are none where there are no windows', async () => {
      const { person } = await startPortal({ storage: await storage() })
      expect(await read(await person())).toEqual([])
    })

    test('that are first come, first served, are nobody’s part', async () => {
      const portal = await aSharedAccount({ storage: await storage() }, { sharing: 'first_come' })
      const { lin } = await twoWhoAsked(portal)
      const [share] = await read(lin)
      expect(share).toMatchObject({ sharing: 'first_come' })
      expect(share?.windows[0]).toMatchObject({ capacity: 10, used: 3, mine: null, people: [] })
    })
  })

  describe('the names of others', () => {
    test('are their first letters where the account shows those, and no id', async () => {
      const portal = await aSharedAccount({ storage: await storage() }, { member_names: 'initials' })
      const { lin, kim } = await twoWhoAsked(portal)
      const shown = (await read(lin))[0]?.windows[0]?.people
      expect(shown).toMatchObject([
        { name: 'lin', user_id: lin.id, is_me: true },
        { name: 'K', user_id: null, is_me: false },
      ])
      expect(JSON.stringify(await read(portal.admin))).not.toMatch(
        new RegExp(`"user_id":(${kim.id}|${lin.id})\\b|"kim"|"lin"`),
      )
    })
    test('are nobody’s where the account shows none', async () => {
      const portal = await aSharedAccount({ storage: await storage() }, { member_names: 'none' })
      const { lin, kim } = await twoWhoAsked(portal)
      const text = JSON.stringify(await read(lin))
      expect(text).not.toMatch(new RegExp(`"user_id":${kim.id}\\b|kim|"K"`))
      expect((await read(lin))[0]?.windows[0]?.people[1]).toMatchObject({ name: null, user_id: null, used: 2 })
    })
  })

  test('the meter names the pool of accounts that are shared by shares, and no other', async () => {
    const portal = await aSharedAccount({ storage: await storage() })
    const pool = async () => {
      const { accounts } = await portal.admin.result<{ accounts: { pool: number | null }[] }>('GET', '/status/meter')
      return accounts.map(account => account.pool)
    }
    expect(await pool()).toEqual([portal.upstream_id])
    await changeUpstream(portal.app, portal.upstream_id, { sharing: 'first_come' })
    await expect.poll(pool).toEqual([null])
  })
})
