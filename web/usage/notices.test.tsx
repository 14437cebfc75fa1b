import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { UsageNotice } from '#contract/usage.ts'
import { answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { aLimitUse, aRequest } from './builders.testing.ts'
import { takeNotices } from './notices.ts'
import { forgetReminder, remindAt, useReminder } from './reminder.ts'

beforeEach(() => {
  freshDevice()
  document.body.replaceChildren()
})

const shown = () => useToasts.getState().toasts.map(({ title, text }) => [title, text])

async function take(notices: UsageNotice[], open_requests = 0) {
  const made = answerCalls({ 'POST /usage/me/notices': success({ notices, currency: 'CNY', open_requests }) })
  await takeNotices(queryClient)
  return made
}

const TODAY = new Date(new Date().setHours(23, 30, 0, 0)).toISOString()

describe('what somebody is shown once', () => {
  test('is that a limit is nearly used up, what is left and when it comes back', async () => {
    const limit = aLimitUse({
      unit: 'money',
      amount: 20,
      used: 16,
      left: 4,
      window: { kind: 'month' },
      opens_at: TODAY,
    })
    await take([{ kind: 'limit', level: 80, limit }])
    expect(shown()).toEqual([['API：每月快用完了', '还有 ¥4.00，23:30 恢复。']])
  })
  test('is that it is used up, unless the composer says so', async () => {
    const notice = { kind: 'limit', level: 100, limit: aLimitUse({ opens_at: null }) } as const
    await take([notice])
    expect(shown()).toEqual([['API：每天用完了', '要更多，可以向管理员要。']])
    freshDevice()
    const ways = document.createElement('ul')
    ways.dataset.testid = 'ways'
    document.body.append(ways)
    await take([notice])
    expect(shown()).toEqual([])
  })
  test('is what an administrator answered, with the word', async () => {
    const granted = { decision: 'granted', granted_amount: 5, granted_until: TODAY, word: '加油' } as const
    await take([{ kind: 'request', request: aRequest(granted) }])
    await take([{ kind: 'request', request: aRequest({ decision: 'declined' }) }])
    expect(shown()).toEqual([
      ['管理员给了 5 次', '“加油”API，用到 23:30。已记在你的账里。'],
      ['管理员没有给', 'API，你要了 10 次。'],
    ])
  })
  test('is nothing when it cannot be read', async () => {
    answerCalls({ 'POST /usage/me/notices': 'away' })
    await takeNotices(queryClient)
    expect(shown()).toEqual([])
  })
  test('is looked for again while a request is open', async () => {
    vi.useFakeTimers()
    try {
      const made = await take([], 1)
      expect(made).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(made).toHaveLength(2)
    } finally {
      vi.useRealTimers()
      await take([])
    }
  })
})

describe('a reminder', () => {
  test('comes at its moment by the clock of the server, in the open page, once', async () => {
    await loadTexts('usage')
    vi.useFakeTimers()
    try {
      remindAt({
        moment: new Date(Date.now() + 90_000).toISOString(),
        ahead_ms: 30_000,
        source: 'openai_api',
        model: 'gpt_4',
        label: 'GPT-4',
      })
      await vi.advanceTimersByTimeAsync(59_999)
      expect(shown()).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(shown()).toEqual([['现在可以问了', 'GPT-4 的额度恢复了，草稿还在。']])
      freshDevice()
      remindAt({
        moment: new Date(Date.now() + 1_000).toISOString(),
        ahead_ms: 0,
        source: 'openai_api',
        model: 'gpt_4',
        label: 'GPT-4',
      })
      forgetReminder()
      await vi.advanceTimersByTimeAsync(5_000)
      expect(shown()).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })
  test('is kept at the server, which tells the browser of a closed page', async () => {
    const made = answerCalls({
      'PUT /user/me/notices/reminder': success(),
      'DELETE /user/me/notices/reminder': success(),
    })
    const reminder = { source: 'openai_api', model: 'gpt_4', label: 'GPT-4', moment: TODAY } as const
    remindAt({ ...reminder, ahead_ms: 0 })
    forgetReminder()
    await vi.waitFor(() =>
      expect(made).toMatchObject([
        { call: 'PUT /user/me/notices/reminder', body: reminder },
        { call: 'DELETE /user/me/notices/reminder' },
      ]),
    )
  })
  test('goes on after a reload; one that came meanwhile is said at once, and an old one not at all', async () => {
    await loadTexts('usage')
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    const stored = (moment: unknown) =>
      localStorage.setItem(
        'reminder.',
        JSON.stringify({ source: 'openai_api', model: 'gpt_4', label: 'GPT-4', moment, ahead_ms: 0 }),
      )
    for (const moment of [inMinutes(-13 * 60), 'soon', 7]) {
      stored(moment)
      await take([])
      expect(useReminder.getState().moment).toBeNull()
    }
    stored(inMinutes(10))
    await take([])
    expect(useReminder.getState().moment).not.toBeNull()
    expect(shown()).toEqual([])
    forgetReminder()
    stored(inMinutes(-10))
    await take([])
    await vi.waitFor(() => expect(shown()).toEqual([['现在可以问了', 'GPT-4 的额度恢复了，草稿还在。']]))
    expect(localStorage.getItem('reminder.')).toBeNull()
  })
})
