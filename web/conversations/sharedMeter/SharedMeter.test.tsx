import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { AccountMeter } from '#contract/status.ts'
import { until } from '#testing/until.ts'
import { answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { aQueue, anAccount } from './builders.testing.ts'
import { MeterPill, SharedMeter } from './SharedMeter.tsx'
import { refreshMeter } from './useSharedMeter.ts'

const meter = page.getByTestId('shared-meter')

beforeEach(() => {
  freshDevice()
  queryClient.clear()
})

/** The server has these accounts until `change` is called. */
async function aMeter(...accounts: AccountMeter[]) {
  let current = accounts
  answerCalls({ 'GET /status/meter': () => success({ now: new Date().toISOString(), accounts: current }) })
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <SharedMeter />
        <MeterPill />
      </Kit>
    </QueryClientProvider>,
  )
  await expect.element(meter.first()).toBeVisible()
  return {
    change(...next: AccountMeter[]) {
      current = next
      refreshMeter(queryClient)
    },
  }
}

const at = (hours: number, minutes: number) => new Date(2026, 10, 20, hours, minutes).toISOString()
/** Today, so that the day is not said. */
const today = (hours: number, minutes: number) => new Date(new Date().setHours(hours, minutes, 0, 0)).toISOString()

describe('the shared meter', () => {
  test('says what is used of the limit, when it returns, and who is there', async () => {
    await aMeter(
      anAccount({ used: 38, returns: [{ at: at(14, 20), count: 3 }], ...aQueue(1, 2), seconds_per_answer: 38 }),
    )
    await expect
      .element(meter)
      .toHaveTextContent('共享账号3小时内已用 38 / 50，14:20 起陆续恢复1 人在回复，2 人在等，约 40秒一位')
    const element = meter.element()
    expect(element.getAttribute('role')).toBe('meter')
    expect(['aria-valuenow', 'aria-valuemax'].map(name => element.getAttribute(name))).toEqual(['38', '50'])
    expect(element.getAttribute('aria-valuetext')).toBe(
      '3小时内已用 38 / 50，14:20 起陆续恢复，1 人在回复，2 人在等，约 40秒一位',
    )
  })

  test('has a word for each colour of the meter', async () => {
    const { change } = await aMeter(anAccount({ used: 39 }))
    expect(meter.element().textContent).not.toMatch(/快满了|已满/)
    change(anAccount({ used: 40 }))
    await expect.element(meter).toMatchTextContent(/快满了/)
    change(anAccount({ used: 50 }))
    await expect.element(meter).toMatchTextContent(/已满/)
  })

  test('without a limit has no meter, and says what was asked', async () => {
    await aMeter(anAccount({ used: 12, allowed: null }))
    await expect.element(meter).toHaveTextContent('共享账号3小时内问了 12 次位子空着')
    expect(page.getByRole('meter').elements()).toHaveLength(1)
  })

  test('has the number of questions in bold, and no other number', async () => {
    const { change } = await aMeter(anAccount({ source: 'openai_api', used: 3, allowed: null }))
    const sentence = () => meter.element().querySelector('p')?.innerHTML
    expect(sentence()).toBe('3小时内问了 <b>3</b> 次')
    change(anAccount({ used: 3, allowed: 3 }))
    await expect.poll(sentence).toBe('3小时内已用 <b>3</b> / 3')
  })

  test('has at most five seats, and a number for the rest', async () => {
    await aMeter(anAccount(aQueue(1, 7)))
    await expect.element(meter).toMatchTextContent(/\+3/)
  })

  test('says so when an estimate has grown', async () => {
    const { change } = await aMeter(anAccount({ ...aQueue(1, 2), seconds_per_answer: 38 }))
    change(anAccount({ ...aQueue(1, 2), seconds_per_answer: 95 }))
    await expect.element(meter).toMatchTextContent(/慢了些，约 100秒一位/)
    change(anAccount({ ...aQueue(1, 2), seconds_per_answer: 60 }))
    await expect.element(meter).toMatchTextContent(/2 人在等，约 60秒一位/)
  })

  test('names two accounts by their sources', async () => {
    await aMeter(anAccount({ used: 1 }), anAccount({ source: 'openai_api', upstream_id: 2, allowed: null }))
    expect(meter.elements().map(element => element.getAttribute('aria-label'))).toEqual(['网页账号', 'API'])
  })

  test('names several of a source as an administrator did, and says which is paused', async () => {
    const second = { upstream_id: 2, label: '备用', paused: true }
    await aMeter(anAccount({ source: 'openai_api' }), anAccount({ source: 'openai_api', ...second }))
    expect(meter.elements().map(element => element.getAttribute('aria-label'))).toEqual(['API', '备用'])
    await expect.element(meter.last()).toMatchTextContent(/管理员已暂停/)
    await expect.element(meter.first()).toMatchTextContent(/位子空着/)
  })
})

describe('the meter of several accounts of one source', () => {
  const first = anAccount({ source: 'openai_api', upstream_id: 2, used: 1, allowed: null })
  const second = anAccount({ source: 'openai_api', upstream_id: 3, label: '家里的显卡', used: 7, allowed: 9 })
  const texts = () => meter.elements().map(element => element.textContent)

  test('names each by its label', async () => {
    await aMeter(first, second)
    expect(texts()).toEqual(['API3小时内问了 1 次位子空着', '家里的显卡3小时内已用 7 / 9位子空着'])
  })
  test('says which one is paused, and until when one cools', async () => {
    const { change } = await aMeter({ ...first, paused: true }, { ...second, cooling_until: today(14, 20) })
    expect(texts()).toEqual([
      'API3小时内问了 1 次管理员已暂停，暂不回答新提问',
      '家里的显卡3小时内已用 7 / 9休息到 14:20',
    ])
    change(first, { ...second, cooling_until: today(14, 20), ...aQueue(1, 0) })
    await expect
      .poll(() => meter.elements().map(element => element.getAttribute('aria-valuetext')))
      .toEqual(['3小时内问了 1 次，位子空着', '3小时内已用 7 / 9，休息到 14:20，1 人在回复，没有人在等'])
  })
  test('says until when one does not answer with a model, and that it does with others', async () => {
    await aMeter({ ...first, cooling_models: [{ model: 'gpt_4', until: today(17, 16) }] }, second)
    await expect.element(meter.first()).toMatchTextContent(/位子空着，GPT-4 休息到 17:16$/)
    await expect.element(meter.last()).toMatchTextContent(/位子空着$/)
  })
  test('has in the pill the account that a new question goes to', async () => {
    const { change } = await aMeter(first, second)
    const pill = page.getByTestId('meter-pill')
    await expect.element(pill).toHaveTextContent('0 人')
    change({ ...first, cooling_until: today(14, 20) }, second)
    await expect.element(pill).toHaveTextContent('7/9')
  })
  test('has a part for each in its details, and says that all is well only where it is', async () => {
    const fresh = { ...second, used: 0 }
    await aMeter(first, { ...fresh, cooling_until: today(14, 20) }, { ...fresh, upstream_id: 4, label: '备用' })
    await page.getByTestId('meter-details').click()
    const parts = () =>
      [...page.getByTestId('meter-popover').first().element().querySelectorAll('section')].map(section =>
        section.textContent.replace(/\d\d:\d\d 更新/, ''),
      )
    await expect
      .poll(parts)
      .toEqual([
        'API3小时内问了 1 次位子空着',
        '家里的显卡3小时内已用 0 / 9休息到 14:20',
        '备用正常3小时内已用 0 / 9位子空着',
      ])
  })
  test('has the first three at the foot, and says how many more there are', async () => {
    await aMeter(first, second, { ...second, upstream_id: 4 }, { ...second, upstream_id: 5 })
    expect(meter.elements()).toHaveLength(3)
    await expect.element(page.getByText('还有 1 个账号')).toBeVisible()
  })
  test('shows a long name completely', async () => {
    const label = 'a-very-long-name-of-an-account-without-a-place-to-break-it-anywhere-at-all-80-signs'
    await aMeter(first, { ...second, label, paused: true })
    await page.getByTestId('meter-details').click()
    const details = page.getByTestId('meter-popover').first()
    await expect.element(details).toMatchTextContent(/a-very-long-name/)
    for (const element of [page.getByRole('region').element(), details.element()])
      expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth)
  })
})

describe('a click on the meter', () => {
  test('says when how many asks return, and who is in the queue', async () => {
    const line = [
      { nickname: '小满', is_me: false, state: 'asking' as const },
      { nickname: null, is_me: false, state: 'queueing' as const },
      { nickname: '小雨', is_me: true, state: 'queueing' as const },
    ]
    await aMeter(
      anAccount({
        used: 38,
        running: 1,
        waiting: 2,
        line,
        seconds_per_answer: 40,
        returns: [
          { at: at(14, 20), count: 1 },
          { at: at(15, 0), count: 11 },
        ],
      }),
    )
    await page.getByTestId('meter-details').click()
    const details = page.getByTestId('meter-popover').first()
    await expect.element(details).toMatchTextContent(/14:20 恢复 1 次，15:00 起恢复 11 次/)
    const rows = details
      .getByRole('listitem')
      .elements()
      .map(row => row.textContent)
    expect(rows).toEqual(['小满回复中', '有人第 1 位，约 40秒', '你第 2 位，约 80秒'])
  })
})

describe('the pill in the header', () => {
  test('has the count, and shows the details when it is clicked', async () => {
    await aMeter(anAccount({ used: 38, ...aQueue(1, 0) }))
    const pill = page.getByTestId('meter-pill')
    await expect.element(pill).toHaveTextContent('38/50')
    await pill.click()
    await until(() =>
      expect(
        page
          .getByTestId('meter-popover')
          .elements()
          .filter(element => element.matches(':popover-open')),
      ).toHaveLength(1),
    )
  })
})
