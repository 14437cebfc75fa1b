import { describe, expect, test } from 'vitest'
import type { UsageRequest } from '#contract/usage.ts'
import { eachStorage } from '#testing/database.ts'
import { testClock } from '#testing/clock.ts'
import { startPortal } from '#testing/portal.ts'

const NOW = Date.parse('2026-11-20T05:00:00Z')
const HOUR = 3_600_000
const ASKED = { source: 'openai_api', unit: 'asks', amount: 10, reason: 'The thesis is due on Sunday' }
const END_OF_MONTH = '2026-11-30T16:00:00.000Z'

eachStorage((_name, storage) => {
  async function open() {
    const clock = testClock(NOW)
    const portal = await startPortal({
      storage: await storage(),
      clock,
      environment: { COMMONS_PORTAL_TIME_ZONE: 'Asia/Shanghai' },
    })
    return { ...portal, clock }
  }

  describe('asking for more', () => {
    test('is open until an administrator answers, and until the end of the month unless it says otherwise', async () => {
      const { person, admin } = await open()
      const lin = await person('lin')
      const asked = await lin.result<UsageRequest>('POST', '/usage/request', ASKED)
      expect(asked).toMatchObject({ ...ASKED, nickname: 'lin', until: END_OF_MONTH, decision: null })
      expect(await admin.result('GET', '/usage/requests?open=true')).toMatchObject([{ id: asked.id }])
      expect(await lin.result('GET', '/usage/me')).toMatchObject({ requests: [{ id: asked.id }] })
    })
    test('is of one source and unit at a time, also when it is sent twice at once', async () => {
      const { person, admin } = await open()
      const lin = await person('lin')
      const answers = await Promise.all([1, 2, 3].map(() => lin.call('POST', '/usage/request', ASKED)))
      expect(answers.map(({ message }) => message).toSorted()).toEqual([
        'errors.usageRequestOpen',
        'errors.usageRequestOpen',
        'tips.requestSuccess',
      ])
      await lin.result('POST', '/usage/request', { ...ASKED, unit: 'tokens' })
      await lin.result('POST', '/usage/request', { ...ASKED, source: 'openai_web' })
      expect(await admin.result<UsageRequest[]>('GET', '/usage/requests')).toHaveLength(3)
    })
    test.each([
      { amount: 0 },
      { amount: -1 },
      { amount: 1.5 },
      { unit: 'money', amount: 0.000_000_1 },
      { unit: 'money', source: 'openai_web' },
      { unit: 'hours' },
      { until: new Date(NOW - 1).toISOString() },
      { until: '2028-01-01T00:00:00Z' },
      { reason: 'x'.repeat(501) },
    ])('is refused for %j', async wrong => {
      const { person } = await open()
      const lin = await person('lin')
      expect(await lin.call('POST', '/usage/request', { ...ASKED, ...wrong })).toMatchObject({ code: 422 })
    })
    test('is seen by oneself and administrators, and withdrawn by oneself', async () => {
      const { person } = await open()
      const [lin, mei] = [await person('lin'), await person('mei')]
      const { id } = await lin.result<UsageRequest>('POST', '/usage/request', ASKED)
      expect(await mei.result('GET', '/usage/requests')).toEqual([])
      expect(await mei.call('DELETE', `/usage/requests/${id}`)).toMatchObject({ code: 404 })
      expect(await mei.call('PATCH', `/usage/requests/${id}`, { decision: 'granted' })).toMatchObject({ code: 404 })
      await lin.result('DELETE', `/usage/requests/${id}`)
      expect(await lin.result('GET', '/usage/requests')).toEqual([])
      await lin.result('POST', '/usage/request', ASKED)
    })
  })

  describe('an answer', () => {
    test('grants what was asked for, or another amount until another time, with a word, once', async () => {
      const { person, admin, clock } = await open()
      const lin = await person('lin')
      const { id } = await lin.result<UsageRequest>('POST', '/usage/request', ASKED)
      const until = new Date(NOW + HOUR).toISOString()
      const answers = await Promise.all(
        [5, 6].map(amount =>
          admin.call('PATCH', `/usage/requests/${id}`, { decision: 'granted', amount, until, word: 'Good luck' }),
        ),
      )
      expect(answers.map(({ message }) => message).toSorted()).toEqual([
        'errors.usageRequestAnswered',
        'tips.requestSuccess',
      ])
      const granted = { decision: 'granted', granted_until: until, word: 'Good luck', decided_by: 'admin' }
      expect(await lin.result('GET', '/usage/requests')).toMatchObject([granted])
      const notices = () => lin.result('POST', '/usage/me/notices')
      expect(await notices()).toMatchObject({ notices: [{ kind: 'request', request: granted }], open_requests: 0 })
      expect(await notices()).toMatchObject({ notices: [] })
      clock.pass(HOUR)
      expect(await admin.call('PATCH', '/usage/requests/999', { decision: 'declined' })).toMatchObject({ code: 404 })
    })
    test('declines with a word, after which one may ask again', async () => {
      const { person, admin } = await open()
      const lin = await person('lin')
      const { id } = await lin.result<UsageRequest>('POST', '/usage/request', ASKED)
      await admin.result('PATCH', `/usage/requests/${id}`, { decision: 'declined', word: 'Not this week' })
      expect(await lin.result('POST', '/usage/me/notices')).toMatchObject({
        notices: [{ kind: 'request', request: { decision: 'declined', word: 'Not this week', granted_amount: null } }],
      })
      await lin.result('POST', '/usage/request', ASKED)
    })
    test('is not granted for a time that is over', async () => {
      const { person, admin, clock } = await open()
      const lin = await person('lin')
      const until = new Date(NOW + HOUR).toISOString()
      const { id } = await lin.result<UsageRequest>('POST', '/usage/request', { ...ASKED, until })
      clock.pass(HOUR)
      expect(await admin.call('PATCH', `/usage/requests/${id}`, { decision: 'granted' })).toMatchObject({ code: 422 })
    })
  })
})
