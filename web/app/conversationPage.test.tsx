import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { anAccount } from '#web/conversations/sharedMeter/builders.testing.ts'
import { answerCalls, aPortal, aUser, freshDevice, leaveMarker, refusal, success } from '#web/foundation/api.testing.ts'
import { useLoginExpired } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { mayHaveSession } from '#web/foundation/session.ts'
import { toast } from '#web/foundation/toasts.ts'
import { openPage } from './openPage.testing.tsx'

const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'
const portal = aPortal({
  sources: [{ source: 'openai_api', enabled: true }],
  models: [{ source: 'openai_api', code: 'gpt_3_5', label: null, ...UNKNOWN_CAPABILITIES }],
})
const history = {
  _id: ID,
  source: 'openai_api',
  title: '热水器换热泵',
  create_time: '2026-11-20T06:00:00.000Z',
  update_time: '2026-11-20T06:00:00.000Z',
  mapping: {},
  current_node: null,
  current_model: 'gpt_3_5',
  metadata: null,
}

/** A server that knows nobody after the logout, as ours does. */
function answerWhileSignedIn() {
  const whileSignedIn = (result: unknown) => () => (mayHaveSession() ? success(result) : refusal('loginExpired'))
  leaveMarker()
  return answerCalls({
    'GET /user/me': whileSignedIn(aUser()),
    'GET /status/portal': whileSignedIn(portal),
    'GET /conv': whileSignedIn([]),
    'GET /status/meter': whileSignedIn({ now: new Date().toISOString(), accounts: [anAccount({ used: 38 })] }),
    [`GET /conv/${ID}`]: whileSignedIn(history),
    [`GET /conv/${ID}/cache`]: whileSignedIn(history),
    'POST /auth/logout': success(),
  })
}

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  await page.viewport(1280, 800)
})

describe('signing out while a conversation is open', () => {
  test.each(['/conversation', `/conversation?id=${ID}`])(
    'from %s asks nothing more but the ways to sign in, and says nothing of an expired login',
    async address => {
      const made = answerWhileSignedIn()
      const router = await openPage(address)
      await expect.element(page.getByTestId('composer')).toBeVisible()
      await page.getByTestId('user-menu').click()
      await page.getByRole('menuitem', { name: '退出登录' }).click()
      await page.getByRole('dialog').getByRole('button', { name: '退出登录' }).click()
      await expect.element(page.getByRole('status').getByText('已退出登录')).toBeVisible()
      expect(router.state.location.pathname).toBe('/login')
      expect(made.map(({ call }) => call).slice(made.findIndex(({ call }) => call === 'POST /auth/logout'))).toEqual([
        'POST /auth/logout',
        'GET /auth/provider',
      ])
      expect(useLoginExpired.getState().open).toBe(false)
      await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    },
  )
})

describe('a toast beside an open conversation', () => {
  test.each([1440, 1024, 820])('is above the composer at %i px, however high that grows', async width => {
    await page.viewport(width, 700)
    answerWhileSignedIn()
    await openPage('/conversation')
    await expect.element(page.getByTestId('composer')).toBeVisible()
    toast.undoable('已删除“热水器换热泵”', () => {})
    await page.getByTestId('composer').fill('一行\n'.repeat(8))
    await until(() =>
      expect(edgesOf(page.getByRole('status').getByText('已删除', { exact: false }).element()).bottom).toBeLessThan(
        edgesOf(page.getByTestId('composer').element().closest('form')!).top,
      ),
    )
  })
  test('is at the lower edge again on a page without a composer', async () => {
    answerWhileSignedIn()
    const router = await openPage('/conversation')
    await expect.element(page.getByTestId('composer')).toBeVisible()
    await router.navigate({ to: '/home' })
    toast.undoable('已删除“热水器换热泵”', () => {})
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await until(() =>
      expect(edgesOf(page.getByText('已删除', { exact: false }).element()).bottom).toBeGreaterThan(
        window.innerHeight - 60,
      ),
    )
  })
})

describe('the title of the page', () => {
  test.each([`/conversation?id=${ID}`, `/conv/${ID}`])(
    'is that of the conversation at %s, so that tabs and the history tell them apart',
    async address => {
      answerWhileSignedIn()
      const router = await openPage(address)
      await until(() => expect(document.title).toBe('热水器换热泵 · Chat Commons'))
      await router.navigate({ to: '/conversation', search: {} })
      await until(() => expect(document.title).toBe('对话 · Chat Commons'))
    },
  )
})

const edgesOf = (element: Element) => element.getBoundingClientRect()
