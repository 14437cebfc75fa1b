import { describe, expect, test } from 'vitest'
import type { ShareLedger } from '#contract/shareLedger.ts'
import type { UsageRequest } from '#contract/usage.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { aSharedAccount } from './shared.testing.ts'

eachStorage((_name, storage) => {
  /** An account that keeps a quarter of its twelve asks for its owner, who is no administrator. */
  async function start() {
    const account = await aSharedAccount({ storage: await storage() })
    const [zhou, lin] = [await account.member('zhou'), await account.member('lin')]
    await account.change({ owner_id: zhou.id, reserve_percent: 25 })
    const { upstream_id, inAnHour } = account
    const ask = (more: object = {}, by = lin) =>
      by.result<UsageRequest>('POST', '/usage/request', { upstream_id, amount: 2, until: inAnHour, ...more })
    const decide = (by: Person, id: number, more: object = {}) =>
      by.call('PATCH', `/usage/requests/${id}`, { decision: 'granted', ...more })
    const share = async (of: Person) => {
      const { share, lines } = await of.result<ShareLedger>('GET', `/shares/${upstream_id}/ledger`)
      return { share, latest: lines[0] }
    }
    return { ...account, zhou, lin, ask, decide, share }
  }

  describe('asking for more of an account', () => {
    test('goes to its owner and the administrators, who see what was used and whose part it would be', async () => {
      const { ask, lin, zhou, admin, member, upstream_id } = await start()
      const { id } = await ask({ reason: 'The thesis' })
      const part = { share: 4.5, used: 1, borrowed: 0, reserve: { owner: 'zhou', amount: 3, left: 3 } }
      const open = '/usage/requests?open=true'
      expect(await zhou.result('GET', open)).toMatchObject([
        {
          ...{ id, nickname: 'lin', unit: 'asks', amount: 2, reason: 'The thesis', upstream: { id: upstream_id } },
          part: { ...part, reserve: { ...part.reserve, is_mine: true } },
        },
      ])
      expect(await admin.result('GET', open)).toMatchObject([{ id, part: { reserve: { is_mine: false } } }])
      expect(await lin.result('GET', open)).toMatchObject([{ id, part: null }])
      expect(await (await member('mei')).result('GET', open)).toEqual([])
    })

    test('is one request of a person and account at a time, besides those beyond limits', async () => {
      const { ask, lin, upstream_id } = await start()
      const answers = await Promise.all(
        [1, 2].map(() => lin.call('POST', '/usage/request', { upstream_id, amount: 2 })),
      )
      expect(answers.map(({ message }) => message).toSorted()).toEqual([
        'errors.usageRequestOpen',
        'tips.requestSuccess',
      ])
      await ask({ upstream_id: null, source: 'openai_api', unit: 'asks' })
    })

    test('is refused for what nobody has a share of, another unit, and without either', async () => {
      const { lin, upstream_id } = await start()
      const refused = (body: object) => lin.call('POST', '/usage/request', { amount: 2, ...body })
      expect(await refused({ upstream_id: 999_999 })).toMatchObject({ message: 'errors.shareNotFound' })
      expect(await refused({ upstream_id, unit: 'tokens' })).toMatchObject({ code: 422 })
      expect(await refused({ upstream_id, amount: 0.5 })).toMatchObject({ code: 422 })
      expect(await refused({})).toMatchObject({ code: 422 })
    })
  })

  describe('a request of an account', () => {
    test('is granted by its owner from the reserve, which has less then: a line of both', async () => {
      const { ask, decide, share, zhou, lin } = await start()
      const { id } = await ask()
      const { result } = await decide(zhou, id, { word: 'Good luck' })
      expect(result).toMatchObject({ decision: 'granted', granted_amount: 2, decided_by: 'zhou', word: 'Good luck' })
      expect(await share(lin)).toMatchObject({ share: 6.5, latest: { kind: 'granted', name: 'zhou', change: 2 } })
      expect(await share(zhou)).toMatchObject({ share: 5.5, latest: { kind: 'given', name: 'lin', change: -2 } })
      expect(await lin.result('POST', '/usage/me/notices')).toMatchObject({ notices: [{ kind: 'request' }] })
      const next = await ask()
      expect(await decide(zhou, next.id)).toMatchObject({ message: 'errors.reserveTooSmall', values: { left: 1 } })
      expect(await decide(zhou, next.id, { amount: 1 })).toMatchObject({ result: { granted_amount: 1 } })
    })

    test('granted twice at once takes from the reserve once', async () => {
      const { ask, decide, zhou, admin, member } = await start()
      const mei = await member('mei')
      const ids = [(await ask()).id, (await ask({}, mei)).id]
      const answers = await Promise.all([decide(zhou, ids[0] ?? 0), decide(admin, ids[1] ?? 0)])
      expect(answers.map(({ message }) => message).toSorted()).toEqual([
        'errors.reserveTooSmall',
        'tips.requestSuccess',
      ])
    })

    test('gives no more beyond one’s limits', async () => {
      const { ask, decide, zhou, lin, admin } = await start()
      const limits = [{ source: 'openai_api', unit: 'asks', amount: 5, window: { kind: 'day' } }]
      await admin.result('PUT', `/user/${lin.id}/policy`, { limits })
      await decide(zhou, (await ask()).id)
      expect(await lin.result('GET', '/usage/me')).toMatchObject({ limits: [{ amount: 5 }] })
    })

    test('is decided by nobody else, and of other requests the owner sees and decides none', async () => {
      const { ask, decide, zhou, lin, member, change } = await start()
      const mei = await member('mei')
      const { id } = await ask()
      const beyond = await ask({ upstream_id: null, source: 'openai_api', unit: 'asks' })
      expect(await decide(mei, id)).toMatchObject({ code: 404 })
      expect(await decide(lin, id)).toMatchObject({ code: 404 })
      expect(await decide(zhou, beyond.id)).toMatchObject({ code: 404 })
      expect(await zhou.result<UsageRequest[]>('GET', '/usage/requests')).toHaveLength(1)
      await change({ owner_id: mei.id })
      expect(await decide(zhou, id)).toMatchObject({ code: 404 })
      expect(await decide(mei, id, { decision: 'declined' })).toMatchObject({ result: { decision: 'declined' } })
    })

    test('is granted by an administrator from everybody’s where there is no owner any more', async () => {
      const { ask, decide, share, zhou, lin, admin } = await start()
      const { id } = await ask()
      await admin.result('DELETE', `/user/${zhou.id}`)
      expect(await admin.result('GET', '/usage/requests?open=true')).toMatchObject([{ part: { reserve: null } }])
      expect(await decide(admin, id)).toMatchObject({ result: { decision: 'granted' } })
      expect(await share(lin)).toMatchObject({ latest: { kind: 'granted', name: null, change: 2 } })
    })

    test('is in the audit with the account', async () => {
      const { ask, decide, zhou, admin, upstream_id } = await start()
      await decide(zhou, (await ask()).id, { amount: 1 })
      const { rows } = await admin.result<{ rows: unknown[] }>('GET', '/audit?action=usage.granted')
      expect(rows).toMatchObject([
        { actor: { name: 'zhou' }, before: { upstream_id, amount: 2 }, after: { upstream_id, amount: 1 } },
      ])
    })
  })
})
