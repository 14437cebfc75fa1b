import { describe, expect, test } from 'vitest'
import type { AuditRow } from '#contract/audit.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

const HOURS = { unit: 'asks', amount: 50, window: { kind: 'rolling', seconds: 18_000 }, models: null }
const WEEK = { unit: 'asks', amount: 600, window: { kind: 'week' }, models: null }
const MONEY = { unit: 'money', amount: 20, window: { kind: 'month' }, models: null }
const KEY = { source: 'openai_api', label: 'Lab', enabled: true, secret: 'sk-of-the-lab' }

const list = (admin: Person) => admin.result<UpstreamRead[]>('GET', '/system/upstreams')
const change = (admin: Person, id: number, body: object) => admin.call('PATCH', `/system/upstreams/${id}`, body)
async function started(storage: Parameters<typeof startPortal>[0]) {
  const portal = await startPortal(storage)
  const { admin, simulator } = portal
  const add = (body: object) => admin.call('POST', '/system/upstreams', { ...KEY, base_url: simulator.url, ...body })
  const added = async (body: object) => (await add(body)).result as UpstreamRead // of an account that was added
  const [web, api] = await list(admin)
  return { ...portal, add, added, web: web?.id ?? 0, api: api?.id ?? 0 }
}

eachStorage((_, storage) => {
  describe('the windows of an account', () => {
    test('are none before somebody sets them; with the first ones it is shared by shares unless that is said', async () => {
      const { admin, added, api, app } = await started({ storage: await storage() })
      const [, first] = await list(admin)
      expect(first).toMatchObject({ windows: [], sharing: 'first_come', keep: 'usual', names: 'full', pool: null })
      expect(app.services.upstreams.poolOf(api)).toBe(null)
      expect(await added({ windows: [HOURS, WEEK] })).toMatchObject({ windows: [HOURS, WEEK], sharing: 'shares' })
      expect(await added({ windows: [HOURS], sharing: 'first_come' })).toMatchObject({ sharing: 'first_come' })
      expect(await added({ windows: [] })).toMatchObject({ windows: [], sharing: 'first_come' })
      expect((await change(admin, api, { windows: [HOURS] })).result).toMatchObject({ sharing: 'shares' })
      expect(app.services.upstreams.poolOf(api)?.settings.windows).toMatchObject([{ amount: 50_000 }])
      await change(admin, api, { sharing: 'first_come' })
      expect((await change(admin, api, { windows: [WEEK] })).result).toMatchObject({ sharing: 'first_come' })
    })
    test('are at most four, each once, whole asks, with an end; shares have one at least', async () => {
      const { admin, add, added, web } = await started({ storage: await storage() })
      const amounts = (amount: number) => ({ windows: [{ ...HOURS, amount }] })
      for (const [body, loc] of [
        [{ windows: [HOURS, { ...HOURS, amount: 7 }] }, ['windows']],
        [
          { windows: [1, 2, 3, 4, 5].map(hours => ({ ...HOURS, window: { kind: 'rolling', seconds: hours } })) },
          ['windows'],
        ],
        [{ windows: [{ ...HOURS, window: { kind: 'ever' } }] }, ['windows', 0, 'window']],
        [amounts(-1), ['windows', 0, 'amount']],
        [amounts(0.5), ['windows', 0, 'amount']],
        [amounts(1e30), ['windows', 0, 'amount']],
        [
          { windows: [{ ...HOURS, window: { kind: 'rolling', seconds: 40_000_000 } }] },
          ['windows', 0, 'window', 'seconds'],
        ],
        [{ sharing: 'shares' }, ['sharing']],
        [{ reserve_percent: 101 }, ['reserve_percent']],
        [{ owner_id: 4711 }, ['owner_id']],
      ] as const)
        expect(await add(body)).toMatchObject({ detail: [{ loc: ['body', ...loc] }] })
      expect(await list(admin)).toHaveLength(2)
      for (const amount of [0, 1]) expect(await added(amounts(amount))).toMatchObject(amounts(amount))
      const { id } = await added({ windows: [MONEY] })
      expect(await change(admin, id, { windows: [] })).toMatchObject({ detail: [{ loc: ['body', 'windows'] }] })
      expect((await change(admin, id, { windows: null, sharing: 'first_come' })).result).toMatchObject({ windows: [] })
      // A web account tells no tokens that are paid for.
      expect(await change(admin, web, { windows: [MONEY] })).toMatchObject({
        detail: [{ loc: ['body', 'windows', 0, 'unit'] }],
      })
      for (const seconds of [60, 31_536_000])
        expect(
          (await change(admin, web, { windows: [{ ...HOURS, window: { kind: 'rolling', seconds } }] })).result,
        ).toMatchObject({ windows: [{ window: { seconds } }], sharing: 'shares' })
    })
  })
  describe('how an account is shared', () => {
    test('is set with what else is set of it, written down, and never by two who do not know of each other', async () => {
      const { admin, person, added, app } = await started({ storage: await storage() })
      const lin = await person('lin')
      const { id: owner_id } = await lin.result<{ id: number }>('GET', '/user/me')
      const { id } = await added({ windows: [HOURS] })
      const set = { keep: 'share', reserve_percent: 12, names: 'initials', owner_id, pool: ' lab ' }
      const { result } = await change(admin, id, set)
      expect(result).toMatchObject({ ...set, pool: 'lab', owner_name: 'lin' })
      expect(app.services.upstreams.poolOf(id)?.settings).toMatchObject({ owner_id, reserve_percent: 12 })
      const { rows } = await admin.result<{ rows: AuditRow[] }>('GET', '/audit?action=upstream.changed')
      expect(rows[0]).toMatchObject({
        action: 'upstream.changed',
        before: { keep: 'usual', reserve_percent: 0, names: 'full', owner_id: null, pool: null },
        after: { ...set, pool: 'lab' },
      })
      const late = { windows: [WEEK], expected: { windows: [] } }
      expect(await change(admin, id, late)).toMatchObject({
        message: 'errors.changedMeanwhile',
        detail: [{ loc: ['body', 'windows'] }],
      })
      expect((await change(admin, id, { ...late, expected: { windows: [HOURS] } })).result).toMatchObject({
        windows: [WEEK],
      })
      expect((await change(admin, id, { pool: ' ' })).result).toMatchObject({ pool: null })
      await admin.call('DELETE', `/user/${owner_id}`)
      await until(() =>
        expect(app.services.upstreams.poolOf(id)?.settings).toMatchObject({ owner_id: null, reserve_percent: 0 }),
      )
    })
  })
})
