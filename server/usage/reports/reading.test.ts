import { describe, expect, test } from 'vitest'
import type { MyUsage, Statement, UsageRequest, UsageTable } from '#contract/usage.ts'
import { firstUpstream } from '#testing/asks.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'

const NOW = Date.parse('2026-02-28T18:00:00Z') // 23:30 in Kolkata
const HALF_HOUR = 1_800_000

eachStorage((_name, storage) => {
  async function start() {
    const clock = testClock(NOW)
    const portal = await startPortal({
      ...{ storage: await storage(), clock },
      environment: { COMMONS_PORTAL_TIME_ZONE: 'Asia/Kolkata', COMMONS_MONEY_CURRENCY: 'EUR' },
    })
    const upstream = await firstUpstream(portal.app.services.open.database)
    await portal.admin.result('PUT', `/system/upstreams/${upstream}/prices`, {
      prices: [{ model: 'gpt_4', input: 0, output: 10 }],
    })
    return { ...portal, clock, lin: await portal.person('lin'), mei: await portal.person('mei') }
  }

  describe('what everybody used', () => {
    test('is read by administrators, and by nobody else in any form', async () => {
      const { lin, admin, url } = await start()
      const paths = ['/usage', '/usage.csv', `/usage/statement?user_id=${lin.id}&month=2026-02`]
      for (const path of paths) {
        expect(await lin.call('GET', path), path).toMatchObject({ code: 10403 })
        expect(await admin.call('GET', path), path).toMatchObject({ code: 200 })
        const signedOut = await fetch(`${url}/api${path}`)
        expect(await signedOut.json(), path).toMatchObject({ code: 10401 })
      }
      expect(await admin.call('GET', '/usage/statement?user_id=9999&month=2026-02')).toMatchObject({
        message: 'errors.userNotExist',
      })
    })

    test.each(['month=2026-13', 'month=2026-2', 'month=1999-12', 'sort=password', 'from=yesterday', 'person=-1'])(
      'is not read for %s',
      async query => {
        const { admin } = await startPortal({ storage: await storage() })
        expect(await admin.call('GET', `/usage?${query}`)).toMatchObject({ code: 422 })
        expect(await admin.call('GET', `/usage.csv?${query}`)).toMatchObject({ code: 422 })
      },
    )
  })

  describe('what one used oneself', () => {
    test('is of oneself alone, and the same as what administrators see of it', async () => {
      const { lin, mei, admin, clock } = await start()
      await lin.ask('/simulate tokens=40\nhi', { new_title: 'one' })
      await mei.ask('/simulate tokens=7\nhi', { new_title: 'two' })
      clock.pass(1)
      const own = await lin.result<MyUsage>('GET', '/usage/me')
      expect(own).toMatchObject({
        ...{ time_zone: 'Asia/Kolkata', currency: 'EUR', sum: { asks: 1, output_tokens: 40, money: 0.0004 } },
        rows: [{ day: '2026-02-28', source: 'openai_api', model: 'gpt_4', asks: 1 }],
      })
      // A filter of administrators names nobody else here.
      expect(await lin.result<MyUsage>('GET', `/usage/me?person=${mei.id}`)).toMatchObject({
        sum: { asks: 1, output_tokens: 40 },
      })
      const table = await admin.result<UsageTable>('GET', `/usage?person=${lin.id}`)
      expect(table.sum).toEqual(own.sum)
      expect(await lin.result('GET', '/usage/me/ledger')).toMatchObject({ rows: [{ output_tokens: 40 }], total: 1 })
      expect((await mei.call('GET', '/usage/me/ledger.csv')).result).not.toContain(',40,')
    })

    test('is of the day and the month of the zone in which it was asked', async () => {
      const { lin, clock, admin } = await start()
      clock.set(NOW + HALF_HOUR - 1_000)
      await lin.ask('/simulate tokens=3\nhi', { new_title: 'the last second of February' })
      clock.set(NOW + HALF_HOUR + 1_000)
      await lin.ask('/simulate tokens=5\nhi', { new_title: 'the first second of March' })
      const days = async (month: string) =>
        (await lin.result<MyUsage>('GET', `/usage/me?month=${month}`)).rows.map(row => [row.day, row.output_tokens])
      expect([await days('2026-02'), await days('2026-03')]).toEqual([[['2026-02-28', 3]], [['2026-03-01', 5]]])
      const statement = (month: string) =>
        admin.result<Statement>('GET', `/usage/statement?user_id=${lin.id}&month=${month}`)
      const [february, march] = [await statement('2026-02'), await statement('2026-03')]
      expect(february).toMatchObject({
        ...{ from: '2026-01-31T18:30:00.000Z', to: '2026-02-28T18:30:00.000Z', nickname: 'lin', currency: 'EUR' },
        ...{
          sum: { asks: 1, output_tokens: 3, money: 0.00003 },
          ledger: { lines: 1, output_tokens: 3, money: 0.00003 },
        },
      })
      expect(march).toMatchObject({ days: [{ day: '2026-03-01' }], ledger: { lines: 1, output_tokens: 5 } })
    })

    test('is a file that names the zone and the currency, with no cell that is a formula', async () => {
      const { lin, admin, clock } = await start()
      await admin.result('PATCH', `/user/${lin.id}`, { nickname: '=HYPERLINK("x")' })
      await lin.ask('/simulate tokens=4\nhi', { new_title: 'one' })
      clock.pass(1)
      const own = String((await lin.call('GET', '/usage/me.csv')).result)
      expect(own).toContain('day (Asia/Kolkata),')
      expect(own).toContain('money (EUR)')
      expect(own).toContain('2026-02-28,openai_api,gpt_4,1,')
      const all = String((await admin.call('GET', '/usage.csv')).result)
      expect(all).toContain(`,"'=HYPERLINK(""x"")",`)
      const lines = String((await lin.call('GET', '/usage/me/ledger.csv')).result)
      expect(lines).toContain('2026-02-28 23:30:00,2026-02-28 23:30:00,settled,openai_api,gpt_4,')
    })
  })

  describe('what was granted', () => {
    test('is a line of the ledger in its unit, and in no sum and no statement', async () => {
      const { lin, admin } = await start()
      for (const [unit, amount] of [
        ['asks', 5],
        ['tokens', 900],
        ['money', 1.5],
      ] as const) {
        const { id } = await lin.result<UsageRequest>('POST', '/usage/request', { source: 'openai_api', unit, amount })
        await admin.result('PATCH', `/usage/requests/${id}`, { decision: 'granted' })
      }
      expect(await lin.result('GET', '/usage/me/ledger')).toMatchObject({
        rows: [
          { reason: 'granted', asks: 0, tokens: 0, money: 1.5, model: '' },
          { reason: 'granted', asks: 0, tokens: 900, money: 0 },
          { reason: 'granted', asks: 5, tokens: 0, money: 0 },
        ],
      })
      const statement = await admin.result<Statement>('GET', `/usage/statement?user_id=${lin.id}&month=2026-02`)
      expect(statement).toMatchObject({
        rows: [],
        days: [],
        sum: { asks: 0, money: 0 },
        ledger: { lines: 0, money: 0 },
      })
    })

    test('of somebody else is not found, whatever is tried with it', async () => {
      const { lin, mei } = await start()
      const { id } = await lin.result<UsageRequest>('POST', '/usage/request', {
        ...{ source: 'openai_api', unit: 'asks', amount: 5, reason: 'A secret of Lin' },
      })
      const [theirs, nobodys] = [
        await mei.call('DELETE', `/usage/requests/${id}`),
        await mei.call('DELETE', '/usage/requests/99999'),
      ]
      expect(theirs).toEqual(nobodys)
      expect(JSON.stringify(await mei.call('GET', '/usage/requests?open=true'))).not.toContain('secret')
      expect(await mei.result('POST', '/usage/me/notices')).toMatchObject({ notices: [], open_requests: 0 })
      expect(await lin.result('POST', '/usage/me/notices')).toMatchObject({ open_requests: 1 })
    })
  })
})
