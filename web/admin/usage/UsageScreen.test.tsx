import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Statement, UsageTable } from '#contract/usage.ts'
import { answerCalls, aPortal, aUser, success } from '#web/foundation/api.testing.ts'
import { useSession } from '#web/foundation/session.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { aRequest } from '#web/usage/builders.testing.ts'
import { openAdminScreen } from '../openAdminScreen.testing.tsx'
import { UsageScreen } from './UsageScreen.tsx'

const USED = {
  asks: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  tokens: 0,
  money: 0,
  seconds: 0,
  estimated: false,
}
const HEAD = {
  from: '2026-10-31T16:00:00.000Z',
  to: '2026-11-20T05:10:00.000Z',
  time_zone: 'Asia/Shanghai',
  currency: 'CNY',
}
const web = { source: 'openai_web', model: 'gpt_4', upstream_id: 1, upstream_label: '' } as const
const api = { source: 'openai_api', model: 'gpt_4', upstream_id: 2, upstream_label: '' } as const
const LIN = { user_id: 2, nickname: '林小雨' }

const TABLE: UsageTable = {
  ...HEAD,
  rows: [
    { ...LIN, ...web, ...USED, asks: 118, tokens: 192_000, estimated: true },
    { ...LIN, ...api, ...USED, asks: 40, tokens: 60_000, money: 20.5 },
    { ...LIN, ...api, ...USED, upstream_id: 3, asks: 6, tokens: 34_000, money: 11.1 },
    { user_id: null, nickname: null, ...web, ...USED, asks: 1 },
  ],
  total: 4,
  people: 24,
  models: [
    { ...web, ...USED, asks: 150, tokens: 200_000, estimated: true },
    { ...api, ...USED, asks: 50, tokens: 100_000, money: 32 },
  ],
  sum: { ...USED, asks: 200, tokens: 300_000, money: 32 },
  before: { ...USED, asks: 190 },
}

const STATEMENT: Statement = {
  ...HEAD,
  ...LIN,
  username: 'lin',
  month: '2026-11',
  rows: [{ ...api, ...USED, asks: 46, tokens: 94_001, money: 31.600_001 }],
  days: [{ day: '2026-11-20', ...USED, asks: 46, tokens: 94_001, money: 31.600_001 }],
  sum: { ...USED, asks: 46, tokens: 94_001, money: 31.600_001 },
  ledger: {
    lines: 46,
    asks: 46,
    input_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    tokens: 94_001,
    money: 31.600_001,
  },
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T05:10:00Z') }))

async function open(address = '/admin/usage', answers: Parameters<typeof answerCalls>[0] = {}) {
  const made = answerCalls({
    'GET /status/portal': success(aPortal({ time_zone: 'Asia/Shanghai' })),
    'GET /usage': success(TABLE),
    'GET /usage/requests': success([]),
    'GET /usage/statement': success(STATEMENT),
    'GET /plan': success([{ id: 1, name: '默认' }]),
    ...answers,
  })
  await loadTexts('usage')
  const { router } = await openAdminScreen(UsageScreen, address)
  useSession.setState({ user: aUser({ is_superuser: true }) })
  return { made, router }
}

const cells = (row: number) =>
  [...(page.getByTestId('usage-table').element().querySelectorAll('tbody tr')[row]?.children ?? [])].map(
    cell => cell.textContent,
  )

describe('the usage of everybody', () => {
  test('is person by model, whichever account answered, with those who are not on the page in one row', async () => {
    await open()
    await expect.element(page.getByTestId('usage-table')).toBeVisible()
    expect(cells(0)).toEqual(['林林小雨', '118≈ 19.2万', '469.4万', '164', '28.6万', '¥31.60'])
    expect(cells(1)).toEqual(['已删除的人', '10', '–', '1', '0', '–'])
    expect(cells(2)).toEqual(['看另外 2 人', '31≈ 8000', '46000', '35', '1.4万', '¥0.40'])
    await expect.element(page.getByText('上月同期 190')).toBeVisible()
    await expect.element(page.getByText('11月1日 00:00 到 11月20日 13:10，按门户时区 Asia/Shanghai 计')).toBeVisible()
  })
  test('is of another month, sorted and filtered, as the address says', async () => {
    const { made, router } = await open()
    await page.getByRole('button', { name: '上个月' }).click()
    await expect.element(page.getByText('2026年10月')).toBeVisible()
    await page.getByRole('button', { name: '金额' }).click()
    await page.getByRole('button', { name: '来源' }).click()
    await page.getByRole('menuitemradio', { name: 'API' }).click()
    await vi.waitFor(() =>
      expect(router.state.location.search).toEqual({
        month: '2026-10',
        sort: 'money',
        order: 'desc',
        source: 'openai_api',
      }),
    )
    const query = Object.fromEntries(made.findLast(({ call }) => call === 'GET /usage')?.query ?? [])
    expect(query).toEqual({ month: '2026-10', sort: 'money', order: 'desc', source: 'openai_api', size: '20' })
    const file = page.getByRole('link', { name: '导出 CSV' }).element().getAttribute('href')
    expect(file).toBe('/api/usage.csv?month=2026-10&source=openai_api&sort=money&order=desc')
  })
  test('opens the statement of a person, which names the sums of the ledger to the last unit', async () => {
    await open()
    await page.getByRole('button', { name: '林小雨' }).click()
    await expect.element(page.getByRole('heading', { name: '林小雨，2026年11月的用量' })).toBeVisible()
    const proof = page.getByTestId('statement-proof')
    await expect.element(proof).toHaveTextContent('与账一致：46 行，46 次，94,001 token，¥31.600001')
    await page.getByRole('button', { name: '回到所有人' }).click()
    await expect.element(page.getByTestId('usage-table')).toBeVisible()
  })
  test('says so when a statement and the ledger differ', async () => {
    const ledger = { ...STATEMENT.ledger, asks: 45 }
    await open('/admin/usage?open=2', { 'GET /usage/statement': success({ ...STATEMENT, ledger }) })
    await expect.element(page.getByTestId('statement-proof')).toMatchTextContent(/与账不一致：账上是 45 次/)
  })
})

describe('requests for more', () => {
  const asked = aRequest({ nickname: '梅', reason: '论文' })
  const answers = {
    'GET /usage/requests': success([asked]),
    'PATCH /usage/requests/7': success({ ...asked, decision: 'granted', granted_amount: 10 }),
  }
  const sent = ({ made }: Awaited<ReturnType<typeof open>>) =>
    made.filter(({ call }) => call === 'PATCH /usage/requests/7').map(({ body }) => body)

  test('are granted as they were asked for, with a word', async () => {
    const opened = await open('/admin/usage', answers)
    await expect.element(page.getByTestId('usage-request')).toMatchTextContent(/梅 要 10 次.*论文/)
    await page.getByLabelText('带一句话，可不填').fill('加油')
    await page.getByTestId('grant').click()
    await expect.element(page.getByText('已给 梅 10 次')).toBeVisible()
    expect(sent(opened)).toEqual([{ decision: 'granted', word: '加油' }])
  })
  test('are changed, which is checked first, or declined', async () => {
    const opened = await open('/admin/usage', answers)
    await page.getByRole('button', { name: '改', exact: true }).click()
    await page.getByLabelText('给多少').fill('1.5')
    await page.getByTestId('grant').click()
    await expect.element(page.getByText('数或日期不对')).toBeVisible()
    await page.getByLabelText('给多少').fill('5')
    await page.getByTestId('grant').click()
    await page.getByTestId('decline').click()
    await vi.waitFor(() =>
      expect(sent(opened)).toMatchObject([
        { decision: 'granted', amount: 5, until: expect.any(String) },
        { decision: 'declined', word: '' },
      ]),
    )
  })
})
