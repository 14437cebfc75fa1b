import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { MyUsage as Usage, UsageLine } from '#contract/usage.ts'
import { answerCalls, aPortal, success } from '#web/foundation/api.testing.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { openScreen } from '#web/kit/openScreen.testing.tsx'
import { aLimitUse, aRequest, aUsedRow, someUsage } from './builders.testing.ts'
import { FurtherLimits } from './FurtherLimits.tsx'
import { MyUsage } from './MyUsage.tsx'

beforeEach(() => loadTexts('usage'))

const LINE: UsageLine = {
  id: 3,
  time: '2026-11-20T05:00:00.000Z',
  ask_time: '2026-11-20T05:00:00.000Z',
  source: 'openai_api',
  model: 'gpt_4',
  upstream_label: '',
  ask_id: null,
  reason: 'settled',
  asks: 1,
  input_tokens: 1_000,
  cached_tokens: 0,
  output_tokens: 200,
  tokens: 1_200,
  money: 0.02,
  estimated: false,
}

async function open(usage: Partial<Usage>, Screen = MyUsage) {
  const { screen } = await openScreen(Screen, '/')
  const made = answerCalls({
    'GET /status/portal': success(aPortal()),
    'GET /usage/me': success(someUsage(usage)),
    'GET /usage/me/ledger': success({
      rows: [LINE, { ...LINE, id: 2, reason: 'granted', model: '', asks: 10, tokens: 0, money: 0 }],
      total: 2,
    }),
    'POST /usage/request': success(aRequest()),
    'DELETE /usage/requests/7': success(null),
    'POST /usage/me/notices': success({ notices: [], currency: 'CNY', open_requests: 0 }),
  })
  return { screen, made }
}

describe('my usage', () => {
  test('has this month by model, with sums; estimates are marked, and what cost nothing is a dash', async () => {
    await open({
      rows: [
        aUsedRow({ source: 'openai_web', asks: 118, tokens: 192_000, estimated: true }),
        aUsedRow({ asks: 46, tokens: 94_000, money: 31.6 }),
      ],
    })
    const table = page.getByRole('table')
    await expect
      .element(table)
      .toMatchTextContent(/GPT-4 网页账号118≈ 19.2万–GPT-4 API469.4万¥31.60合计16428.6万¥31.60/)
  })
  test('shows each line of the ledger in words, when it is unfolded', async () => {
    const { made } = await open({})
    await page.getByRole('button', { name: '账', exact: true }).click()
    const ledger = page.getByTestId('usage-ledger')
    await expect.element(ledger).toMatchTextContent(/提问，GPT-4（API）1,200 token，¥0.02/)
    await expect.element(ledger).toMatchTextContent(/管理员多给了，API10 次/)
    expect(made.filter(({ call }) => call === 'GET /usage/me/ledger')).toHaveLength(1)
  })
  test('asks for more of what has a limit, until a day of the portal', async () => {
    const { made } = await open({ limits: [aLimitUse({ unit: 'money' }), aLimitUse({ unit: 'tokens' })] })
    await page.getByTestId('ask-for-more').click()
    await page.getByRole('button', { name: '金额', exact: true }).click()
    await page.getByLabelText('要多少').fill('0')
    await page.getByRole('button', { name: '去要' }).click()
    await expect.element(page.getByText('要大于 0 的数')).toBeVisible()
    await page.getByLabelText('要多少').fill('2,5')
    await page.getByRole('button', { name: '周日' }).click()
    await page.getByLabelText('为什么，可不填').fill('论文')
    await page.getByRole('button', { name: '去要' }).click()
    await expect.element(page.getByText('已经向管理员要了', { exact: true })).toBeVisible()
    expect(made.find(({ call }) => call === 'POST /usage/request')?.body).toEqual({
      source: 'openai_api',
      unit: 'money',
      amount: 2.5,
      until: '2026-11-22T16:00:00.000Z',
      reason: '论文',
    })
  })
  test('has no button for more where nothing is limited, and withdraws what is open', async () => {
    const { made } = await open({ requests: [aRequest()] })
    await expect.element(page.getByTestId('usage-request')).toHaveTextContent('向管理员要了 10 次（API），还没答复撤回')
    expect(page.getByTestId('ask-for-more').elements()).toEqual([])
    await page.getByRole('button', { name: '撤回' }).click()
    await expect.element(page.getByText('已撤回')).toBeVisible()
    expect(made.some(({ call }) => call === 'DELETE /usage/requests/7')).toBe(true)
  })
})

describe('limits that the setting does not list', () => {
  const Limits = () => (
    <dl>
      <FurtherLimits source="openai_api" />
    </dl>
  )
  test('say what is left and when it comes back', async () => {
    await open(
      {
        limits: [
          aLimitUse({
            unit: 'money',
            amount: 20,
            used: 1.6,
            left: 18.4,
            window: { kind: 'month' },
            opens_at: '2026-11-30T16:00:00.000Z',
          }),
          aLimitUse({ unit: 'tokens', models: ['gpt_4'], window: { kind: 'from_first', seconds: 18_000 } }),
          aLimitUse({ source: 'openai_web' }),
          aLimitUse({ window: { kind: 'rolling', seconds: 60 } }),
        ],
      },
      Limits,
    )
    const limits = page.getByTestId('usage-limit')
    await expect.element(limits.first()).toMatchTextContent(/每月还有 ¥18.40.*恢复/)
    await expect.element(limits.last()).toHaveTextContent('5小时，从第一次问算，GPT-4已用完已用 10 token / 10 token')
    expect(limits.elements()).toHaveLength(2)
  })
})
