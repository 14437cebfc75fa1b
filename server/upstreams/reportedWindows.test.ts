import { describe, expect, onTestFinished, test } from 'vitest'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { aPostgresqlAddress, eachStorage } from '#testing/database.ts'
import { startPortal, type Portal } from '#testing/portal.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { until } from '#testing/until.ts'

const HOURS = { unit: 'asks', amount: 50, window: { kind: 'from_first', seconds: 18_000 }, models: null }
const KEY = 'asks from_first 18000 *'
const SECRET_KEY = { COMMONS_SECRET_KEY: 'a-secret-of-all-processes-0123456789' }
/** Milliseconds: real time passes between what the simulator says and what is read. */
const NEAR = 30_000

/** What an account says of the limit of its asks. */
const headers = (limit: number | string, remaining: number | string, reset: string) => ({
  'x-ratelimit-limit-requests': String(limit),
  'x-ratelimit-remaining-requests': String(remaining),
  'x-ratelimit-reset-requests': reset,
})

async function withWindow(options: Parameters<typeof startPortal>[0], windows: readonly object[] = [HOURS]) {
  const portal = await startPortal(options)
  const { id } = portal.app.services.upstreams.ofSettings('openai_api')
  await portal.admin.result('PATCH', `/system/upstreams/${id}`, { windows })
  return { ...portal, id, lin: await portal.person() }
}
const pooled = ({ app }: Pick<Portal, 'app'>, id: number) => app.services.upstreams.poolOf(id)?.settings.windows[0]
const read = async ({ admin }: Pick<Portal, 'admin'>, id: number) =>
  (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).find(each => each.id === id)
const isIn = (hours: number) => (time: unknown) => Math.abs(Number(time) - Date.now() - hours * 3_600_000) < NEAR

eachStorage((_, storage) => {
  describe('a window of an account', () => {
    test('is as the account says from the ask on that said it: how much, how much is used, when it ends', async () => {
      const portal = await withWindow({ storage: await storage() })
      const { id, lin, simulator, app } = portal
      simulator.setHeaders(headers(60, 40, '4h'))
      await lin.ask('hello')
      expect(pooled(portal, id)).toMatchObject({ amount: 50_000, reported: null })
      simulator.setHeaders(headers(50, 30, '4h'))
      await lin.ask('hello')
      expect(pooled(portal, id)).toMatchObject({ amount: 50_000, reported: { used: 20_000 } })
      expect(pooled(portal, id)?.reported?.ends_at).toSatisfy(isIn(4))
      expect(app.services.upstreams.poolOf(id)?.reported).toEqual(new Set([KEY]))
      expect((await read(portal, id))?.reported_windows).toMatchObject([
        { unit: 'asks', window: HOURS.window, capacity: 50, used: 20, pending_capacity: null },
      ])
    })
    test('that resets early or late is followed within one ask', async () => {
      const portal = await withWindow({ storage: await storage() })
      const { id, lin, simulator } = portal
      const say = async (remaining: number, reset: string) => {
        simulator.setHeaders(headers(50, remaining, reset))
        await lin.ask('hello')
        return pooled(portal, id)?.reported
      }
      expect((await say(3, '4h'))?.used).toBe(47_000)
      // Early: everything is back, and the window begins anew.
      const early = await say(49, '5h')
      expect([early?.used, isIn(5)(early?.ends_at)]).toEqual([1_000, true])
      expect((await say(2, '10m'))?.used).toBe(48_000)
      // Late: it should have been back by now.
      const late = await say(1, '2h')
      expect([late?.used, isIn(2)(late?.ends_at)]).toEqual([49_000, true])
    })
    test('is full until the moment that a refusal says', async () => {
      const portal = await withWindow({ storage: await storage() })
      const { id, lin, simulator } = portal
      simulator.nextFault({ kind: 'status', status: 429, retry_after_seconds: 7_200 })
      await lin.ask('hello')
      expect(pooled(portal, id)?.reported?.used).toBe(50_000)
      expect(pooled(portal, id)?.reported?.ends_at).toSatisfy(isIn(2))
    })
    test('that doubles or vanishes stays as it was until an administrator says yes to what was seen', async () => {
      const portal = await withWindow({ storage: await storage() })
      const { id, lin, admin, simulator } = portal
      const accept = (amount: number) =>
        admin.call('POST', `/system/upstreams/${id}/windows/accept`, { ...HOURS, amount })
      simulator.setHeaders(headers(50, 30, '4h'))
      await lin.ask('hello')
      simulator.setHeaders(headers(200, 180, '4h'))
      await lin.ask('hello')
      expect(pooled(portal, id)?.amount).toBe(50_000)
      await until(async () =>
        expect((await read(portal, id))?.reported_windows).toMatchObject([{ capacity: 50, pending_capacity: 200 }]),
      )
      expect((await accept(300)).message).toBe('errors.changedMeanwhile')
      expect((await lin.call('POST', `/system/upstreams/${id}/windows/accept`, HOURS)).message).toBe(
        'errors.authorityDeny',
      )
      expect((await accept(200)).result).toMatchObject({
        reported_windows: [{ capacity: 200, pending_capacity: null }],
      })
      expect(pooled(portal, id)?.amount).toBe(200_000)
      const { rows } = await admin.result<{ rows: unknown[] }>('GET', '/audit?action=upstream.changed')
      expect(rows[0]).toMatchObject({
        before: { believed: { [KEY]: 50_000 } },
        after: { believed: { [KEY]: 200_000 } },
      })
      simulator.setHeaders(headers(0, 0, '4h'))
      await lin.ask('hello')
      expect(pooled(portal, id)?.amount).toBe(200_000)
      await until(async () =>
        expect((await read(portal, id))?.reported_windows).toMatchObject([{ pending_capacity: 0 }]),
      )
    })
    test('says nothing where the account says nonsense, or speaks of a minute', async () => {
      const portal = await withWindow({ storage: await storage() })
      const { id, lin, simulator } = portal
      for (const said of [
        headers(-50, 12, '4h'),
        headers('NaN', 'NaN', '4h'),
        headers('1e30', 12, '4h'),
        headers(50, 12, '2020-01-01T00:00:00Z'),
        headers(50, 12, '-4h'),
        headers(50, 49, '1s'),
      ]) {
        simulator.setHeaders(said)
        await lin.ask('hello')
        expect([said, pooled(portal, id)]).toMatchObject([said, { amount: 50_000, reported: null }])
      }
    })
    test('is known no more when the account is reached with another key, or has another window', async () => {
      const portal = await withWindow({ storage: await storage() })
      const { id, lin, admin, simulator, app } = portal
      simulator.setHeaders(headers(50, 30, '4h'))
      await lin.ask('hello')
      await until(async () => expect((await read(portal, id))?.reported_windows).toHaveLength(1))
      const week = { ...HOURS, window: { kind: 'week' } }
      await admin.result('PATCH', `/system/upstreams/${id}`, { windows: [week] })
      await admin.result('PATCH', `/system/upstreams/${id}`, { windows: [HOURS] })
      expect(app.services.upstreams.poolOf(id)).toMatchObject({ settings: { windows: [{ reported: null }] } })
    })
  })
})

test('what a person’s own endpoint says is heard by nobody', async () => {
  const own = await startSimulator({ tokens_per_second: 0 })
  onTestFinished(() => own.close())
  const portal = await withWindow({ environment: { COMMONS_AUTH_ALLOW_PRIVATE_CUSTOM_URLS: '["127.0.0.1"]' } })
  const { id, lin, admin, app } = portal
  const custom_openai_api_settings = { url: own.url, key: 'own-key' }
  await admin.result('PATCH', `/user/${lin.id}/setting`, {
    openai_api: { allow_custom_openai_api: true, custom_openai_api_settings },
  })
  own.setHeaders(headers(50, 0, '4h'))
  await lin.ask('hello')
  expect(own.journal.length).toBeGreaterThan(0)
  expect(pooled(portal, id)?.reported).toBe(null)
  expect(await app.services.open.database.selectFrom('reported_windows').selectAll().execute()).toEqual([])
})

test('what one process hears reaches the others, and ten asks that say nothing new are written once', async () => {
  const where = { storage: { database_url: await aPostgresqlAddress() }, environment: SECRET_KEY }
  const one = await withWindow(where)
  const other = await startPortal(where)
  const written: number[] = []
  const reports = async () =>
    (await one.app.services.open.database.selectFrom('reported_windows').selectAll().execute())[0]
  for (let used = 1; used <= 10; used++) {
    one.simulator.setHeaders(headers(50, 50 - used, '4h'))
    await one.lin.ask('hello')
    await until(async () => expect(await reports()).toBeDefined())
    written.push((await reports())?.reported_at ?? 0)
  }
  expect(new Set(written).size).toBe(1)
  await until(() => expect(pooled(other, one.id)?.reported?.used).toBe(1_000))
})
