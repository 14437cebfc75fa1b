import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { SourceAllowance } from '#contract/allowance.ts'
import type { AccountMeter } from '#contract/status.ts'
import { until } from '#testing/until.ts'
import { aModel, anAllowance, refusedBy } from '#web/users/allowance.testing.ts'
import { aQueue, anAccount } from '#web/conversations/sharedMeter/builders.testing.ts'
import { aRecord, ID, openTestPortal, TEST_USER, userWith } from './portal.testing.tsx'

const WITHOUT_SOURCE = userWith({ openai_api: { allow_to_use: false } })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the empty conversation', () => {
  test('greets by name', async () => {
    const { screen } = await openTestPortal()
    await expect
      .element(screen.getByRole('heading', { level: 1 }))
      .toMatchTextContent(/^小雨，(早上|中午|下午|晚上)好$/)
  })

  test('puts a suggestion into the composer', async () => {
    const { screen } = await openTestPortal()
    await screen.getByRole('button', { name: '帮我改一封信' }).click()
    await expect.element(screen.getByTestId('composer')).toHaveValue('请帮我改下面这封信，语气客气一些：\n\n')
    await expect.element(screen.getByTestId('composer')).toHaveFocus()
  })

  test('says that it is a demonstration and how to connect a real model', async () => {
    const { screen } = await openTestPortal()
    await expect.element(screen.getByText(/回答由内置模拟器生成，不连接任何模型/)).toBeVisible()
    await expect.element(screen.getByText(/OPENAI_API_KEY/)).toBeVisible()
    await screen.getByRole('button', { name: '先随便看看' }).click()
    await expect.element(screen.getByText(/OPENAI_API_KEY/)).not.toBeInTheDocument()
    await expect.element(screen.getByText('演示：回答由内置模拟器生成')).toBeVisible()
  })

  test('links only administrators to the page for the key', async () => {
    const { screen } = await openTestPortal()
    await expect.element(screen.getByText('这是演示')).toBeVisible()
    await expect.element(screen.getByRole('link', { name: '去填密钥' })).not.toBeInTheDocument()
    await screen.unmount()
    const admin = await openTestPortal({}, '/conversation', { ...TEST_USER, is_superuser: true })
    await expect.element(admin.screen.getByRole('link', { name: '去填密钥' })).toHaveAttribute('href', '/admin/system')
  })

  test('says so when the user has no source', async () => {
    const { screen } = await openTestPortal({}, '/conversation', WITHOUT_SOURCE)
    await screen.getByTestId('composer').fill('几点了')
    await expect.element(screen.getByText('你还没有可用的来源，请联系管理员开通')).toBeVisible()
    await expect.element(screen.getByTestId('send')).toBeDisabled()
  })

  test('refuses a question above the maximum length, and gives its length', async () => {
    const { screen } = await openTestPortal()
    await screen.getByTestId('composer').fill('字'.repeat(2001))
    await expect.element(screen.getByText('太长了：2,001 字，最多 2,000 字')).toBeVisible()
    await expect.element(screen.getByTestId('send')).toBeDisabled()
  })
})

describe('a small screen', () => {
  test('has the list in a drawer that closes when a conversation is opened', async () => {
    const { screen, router } = await openTestPortal({ 'GET /conv': [aRecord(ID, '时间')] })
    await page.viewport(390, 780)
    await expect.element(screen.getByTestId('conversation-list')).not.toBeInTheDocument()
    await screen.getByRole('button', { name: '打开对话列表' }).click()
    await page.getByRole('link', { name: '时间' }).click()
    await until(() => expect(router.state.location.href).toBe(`/conversation?id=${ID}`))
    await expect.element(page.getByTestId('conversation-list')).not.toBeInTheDocument()
  })

  test('opens the drawer for a search by the keyboard', async () => {
    await openTestPortal({ 'GET /conv': [aRecord(ID, '时间')] })
    await page.viewport(390, 780)
    await userEvent.keyboard('{Control>}k{/Control}')
    await expect.element(page.getByTestId('search')).toHaveFocus()
  })

  test('does not scroll sideways', async () => {
    const { screen } = await openTestPortal()
    await page.viewport(360, 780)
    await expect.element(screen.getByTestId('composer')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  })
})

/** The empty conversation of a user with this allowance and this shared account. */
async function openEmpty(
  meter: Partial<AccountMeter> | AccountMeter[],
  allowance: Partial<SourceAllowance> = {},
  user = TEST_USER,
) {
  const { screen } = await openTestPortal(
    {
      'GET /user/me/allowance': anAllowance(allowance),
      'GET /status/meter': {
        now: new Date().toISOString(),
        accounts: Array.isArray(meter) ? meter : [anAccount({ source: 'openai_api', ...meter })],
      },
    },
    '/conversation',
    user,
  )
  await expect.element(screen.getByTestId('shared-meter').first()).toBeVisible()
  return { screen, seats: screen.getByTestId('seats') }
}

describe('the line about the seats', () => {
  test('says that seats are free', async () => {
    const { seats } = await openEmpty({})
    await expect.element(seats).toHaveTextContent('位子空着，现在问不用排队')
  })
  test('says how many wait', async () => {
    const { seats } = await openEmpty(aQueue(1, 2))
    await expect.element(seats).toHaveTextContent('现在有 2 人在等')
  })
  test('describes the account that is asked next', async () => {
    const busy = anAccount({ source: 'openai_api', ...aQueue(1, 2) })
    const { seats } = await openEmpty([busy, anAccount({ source: 'openai_api', upstream_id: 3 })])
    await expect.element(seats).toHaveTextContent('位子空着，现在问不用排队')
  })
  test('is silent while the account is paused', async () => {
    const { seats } = await openEmpty({ paused: true })
    await expect.element(seats).toBeEmptyDOMElement()
  })
  test('is silent while the shared account is full', async () => {
    const { seats } = await openEmpty({ used: 57 })
    await expect.element(seats).toBeEmptyDOMElement()
  })
  test('is silent under a limit of the user', async () => {
    const used = refusedBy('noAvailableTotalAskCount')
    const { screen, seats } = await openEmpty(
      {},
      { new_conversation: used, models: ['gpt_3_5', 'gpt_4', 'llama'].map(model => aModel(model, used)) },
    )
    await expect.element(screen.getByTestId('limit-head')).toBeVisible()
    await expect.element(seats).toBeEmptyDOMElement()
  })
  test('is silent without a network', async () => {
    const { seats } = await openEmpty({})
    await expect.element(seats).toHaveTextContent('位子空着，现在问不用排队')
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    window.dispatchEvent(new Event('offline'))
    await expect.element(seats).toBeEmptyDOMElement()
    vi.restoreAllMocks()
    window.dispatchEvent(new Event('online'))
    await expect.element(seats).toHaveTextContent('位子空着，现在问不用排队')
  })
  test('is silent for a user without a source', async () => {
    const { seats } = await openEmpty({}, {}, WITHOUT_SOURCE)
    await expect.element(seats).toBeEmptyDOMElement()
  })
})
