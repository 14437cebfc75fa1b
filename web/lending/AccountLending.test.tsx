import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Lending, LendingReport, Replay } from '#contract/lending.ts'
import { answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadAdminTexts, loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { AccountLending } from './AccountLending.tsx'
import type { OtherRules } from './SharingReplay.tsx'

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  await Promise.all([loadAdminTexts(), loadTexts('lending')])
})

const lending = (more: Partial<Lending> = {}): Lending => ({ used: 0, lent: 0, borrowed: 0, refused: 0, ...more })
const sumOf = (weeks: readonly Lending[]): Lending =>
  weeks.reduce((sum, week) => ({
    used: sum.used + week.used,
    lent: sum.lent + week.lent,
    borrowed: sum.borrowed + week.borrowed,
    refused: sum.refused + week.refused,
  }))
const person = (id: number, nickname: string, by_week: Lending[]) => ({
  user: { id, username: `user${id}`, nickname },
  by_week,
  total: sumOf(by_week),
})
const report = (people = PEOPLE): LendingReport => ({
  weeks: ['02', '09', '16', '23'].map(day => `2026-11-${day}T00:00:00Z`),
  people,
  total: people.map(({ total }) => total).reduce((sum, each) => sumOf([sum, each]), lending()),
})
const PEOPLE = [
  person(2, '周婷', [lending({ used: 4, lent: 9 }), lending(), lending({ lent: 3 }), lending({ used: 1, lent: 2 })]),
  person(3, '陈建国', [
    lending({ used: 40, borrowed: 9 }),
    lending({ used: 30 }),
    lending({ used: 33, borrowed: 3 }),
    lending({ used: 31, borrowed: 2, refused: 6 }),
  ]),
]

const tally = (answered: number, borrowed: number, refused: number) => ({ answered, borrowed, refused })
const replay = (fields: Partial<Replay> = {}): Replay => ({
  from: '2026-11-01T00:00:00Z',
  until: new Date().toISOString(),
  asks: 412,
  met: 17,
  before: tally(392, 31, 20),
  after: tally(406, 52, 6),
  people: [
    { user: { id: 2, username: 'lin', nickname: '林' }, before: tally(10, 0, 9), after: tally(13, 0, 6) },
    { user: { id: 3, username: 'kim', nickname: '金' }, before: tally(50, 0, 0), after: tally(48, 0, 2) },
  ],
  ...fields,
})

async function open({
  rules = {},
  lent = report(),
  replayed = replay(),
}: {
  rules?: OtherRules
  lent?: LendingReport
  replayed?: Replay | null
} = {}) {
  const made = answerCalls({
    'GET /system/upstreams/3/lending': success(lent),
    'POST /system/upstreams/3/replay': success(replayed),
  })
  await render(
    <Kit>
      <QueryClientProvider client={queryClient}>
        <AccountLending upstream_id={3} rules={rules} />
      </QueryClientProvider>
    </Kit>,
  )
  return made
}

const rows = page.getByTestId('lending-row')
const table = page.getByTestId('lending-table')
const preview = page.getByTestId('sharing-replay')

describe('who lends and borrows', () => {
  test('is seen of all weeks, who lent most first, with the sum', async () => {
    await open()
    await expect.element(rows.first()).toMatchTextContent(/周婷514––/)
    await expect.element(rows.last()).toMatchTextContent(/陈建国134–146/)
    await expect.element(table).toMatchTextContent(/一共13914146/)
  })
  test('is seen of one week', async () => {
    await open()
    await page.getByLabelText('哪一周').selectOptions('3')
    await expect.element(rows.first()).toMatchTextContent(/周婷12––/)
    await expect.element(rows.last()).toMatchTextContent(/陈建国31–26/)
    await expect.element(table).toMatchTextContent(/一共32226/)
  })
  test('is asked over more weeks, of all of them at first', async () => {
    const made = await open()
    await page.getByLabelText('哪一周').selectOptions('3')
    await page.getByText('12 周', { exact: true }).click()
    await expect.element(page.getByLabelText('哪一周')).toHaveValue('')
    expect(made.map(({ query }) => query.get('weeks'))).toEqual(['4', '12'])
  })
  test('folds those who lent least, and says so where nobody asked', async () => {
    const many = Array.from({ length: 12 }, (_, at) => person(at + 2, `人${at}`, [lending({ used: 1, lent: at })]))
    await open({ lent: report(many) })
    await expect.poll(() => rows.elements().length).toBe(9)
    await expect.element(rows.first()).toMatchTextContent(/人11/)
    await page.getByRole('button', { name: '另外 3 人' }).click()
    await expect.poll(() => rows.elements().length).toBe(12)
  })
  test('is nothing where nobody asked', async () => {
    await open({ lent: report([]) })
    await expect.element(page.getByTestId('lending')).toMatchTextContent(/这些周没有人问过/)
    await expect.element(table).not.toBeInTheDocument()
  })
})

describe('what other rules would have been', () => {
  test('is asked when rules are changed, not before', async () => {
    const made = await open()
    await expect.element(preview).toMatchTextContent(/在上面换一种分法/)
    await expect.element(rows.first()).toBeVisible()
    expect(made.map(({ call }) => call)).toEqual(['GET /system/upstreams/3/lending'])
  })
  test('is said in refusals, by people, and beside the rules as they are', async () => {
    const made = await open({ rules: { keep: 'nothing', reserve_percent: 10 } })
    await expect.element(preview).toMatchTextContent(/少拒绝 14 次林 \+3 次，金 −2 次共 412 次提问/)
    await expect.element(preview).toMatchTextContent(/现在的3923120改过的406526/)
    await expect.element(preview).toMatchTextContent(/拒绝过 17 次.*不是预测/)
    expect(made.filter(({ call }) => call.startsWith('POST'))).toMatchObject([
      { body: { keep: 'nothing', reserve_percent: 10 } },
    ])
  })
  test('says where it ended, if there was too much for one time', async () => {
    await open({ rules: { keep: 'share' }, replayed: replay({ until: '2026-11-12T12:00:00Z' }) })
    await expect.element(preview).toMatchTextContent(/只试到 2026年11月12日：提问太多/)
  })
  test('is nothing without stored windows', async () => {
    await open({ rules: { keep: 'share' }, replayed: null })
    await expect.element(preview).toMatchTextContent(/还没有窗口/)
  })
})
