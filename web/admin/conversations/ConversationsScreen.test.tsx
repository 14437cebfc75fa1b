import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { ConversationChangeResult } from '#contract/conversationAdministration.ts'
import type { JobRead } from '#contract/jobs.ts'
import { openAdminScreen } from '#web/admin/openAdminScreen.testing.tsx'
import { answerCalls, aPortal, refusal, success } from '#web/foundation/api.testing.ts'
import { ConversationsScreen } from './ConversationsScreen.tsx'

const time = new Date(1_700_000_000_000).toISOString()
const counts = { time, all: 0, valid: 0, nobodys: 0, models: [], hidden_end: time }
const answers = {
  'GET /status/portal': success(aPortal()),
  'GET /system/conversations': success({ rows: [], total: 0 }),
  'GET /system/conversations/counts': success(counts),
  'GET /system/jobs/sync%20of%20conversations/': refusal('jobNotFound'),
}

const times = { start_time: time, end_time: time, started_by: null }
const job: JobRead = {
  ...{ name: 'conversations', key: 'hide-k', every: null, started_by: null, start_time: time, next_run: null },
  ...{ state: 'running', done: 2, total: 5, failures: 0, last_run: null, may_go_on: false },
}
const result = (done: number): ConversationChangeResult => ({
  ...{ action: 'hide', deletion: 7, done, already: 0, failed: 0, done_ids: [], already_ids: [], failed_ids: {} },
})

beforeEach(() => page.viewport(1440, 900))

test('the filters are all in view on a phone, in as many lines as they need, and none is taken for another', async () => {
  await page.viewport(390, 844)
  const warned = vi.spyOn(console, 'error')
  answerCalls({ ...answers, 'GET /system/jobs': success([]) })
  await openAdminScreen(ConversationsScreen, '/')
  await expect.element(page.getByRole('button', { name: '无主 0' })).toBeVisible()
  const chips = page.getByTestId('admin-filter').getByRole('button').elements()
  expect(chips.length).toBeGreaterThan(5)
  expect(chips.filter(chip => chip.getBoundingClientRect().right > 390)).toEqual([])
  expect(warned.mock.calls.filter(([message]) => String(message).includes('same key'))).toEqual([])
})

test('a change that was stopped says how many are left, and goes on with them, unless another one runs', async () => {
  const stopped = { ...times, outcome: 'stopped', done: 2, total: 5, failure: null, result: result(2) } as const
  let now: JobRead = job
  let isOtherRunning = true
  const made = answerCalls({
    ...answers,
    'GET /system/jobs': () => success([now]),
    'GET /system/jobs/conversations/hide-k': () => success(now),
    'POST /system/jobs/conversations/stop': () => {
      now = { ...job, state: 'idle', last_run: stopped, may_go_on: true }
      return success(true)
    },
    'POST /system/jobs/conversations/go-on': () => {
      if (isOtherRunning) return refusal('sameJobRuns')
      now = { ...job, state: 'idle', last_run: { ...stopped, outcome: 'finished', done: 5, result: result(5) } }
      return success({ ...job, last_run: stopped })
    },
  })
  await openAdminScreen(ConversationsScreen, '/')
  const bar = page.getByTestId('admin-bulk')
  await expect.element(bar.getByText('正在隐藏 2 / 5')).toBeVisible()
  await bar.getByRole('button', { name: '停在这里' }).click()
  await expect.element(bar.getByText('2 个已隐藏，3 个没动')).toBeVisible()
  await expect.element(bar.getByRole('button', { name: '撤销 2 个' })).toBeVisible()
  const goOn = bar.getByRole('button', { name: '继续余下 3 项' })
  await page.viewport(360, 740)
  for (const button of bar.getByRole('button').elements())
    expect(button.getBoundingClientRect().right, button.textContent).toBeLessThanOrEqual(360)
  await goOn.click()
  await expect.element(page.getByText('同类的改动正在进行或等待', { exact: false })).toBeVisible()
  isOtherRunning = false
  await goOn.click()
  await expect.element(bar.getByText('5 个已隐藏')).toBeVisible()
  await expect.element(goOn).not.toBeInTheDocument()
  const asked = made.filter(({ call }) => call === 'POST /system/jobs/conversations/go-on')
  expect(asked.map(({ query }) => query.get('key'))).toEqual(['hide-k', 'hide-k'])
})

test('a conversation that somebody wants to stay is kept or not, and says whose days would end it', async () => {
  const ends_by = { plan: '访客', days: 90 }
  const owner = { id: 3, username: 'lin', nickname: '林小雨' }
  const wanted = (conversation_id: string, title: string) => ({
    ...{ conversation_id, title, owner, used: time, asked: time, ends_by },
  })
  let open = [wanted('a', '外婆的药'), wanted('b', '热水器')]
  const answered = (id: string) => () => {
    open = open.filter(({ conversation_id }) => conversation_id !== id)
    return success(null)
  }
  const made = answerCalls({
    ...answers,
    'GET /system/jobs': success([]),
    'GET /system/keep-requests': () => success(open),
    'PATCH /system/keep-requests/a': answered('a'),
    'PATCH /system/keep-requests/b': answered('b'),
  })
  await openAdminScreen(ConversationsScreen, '/')
  const first = page.getByTestId('keep-request').first()
  await expect.element(first.getByText('林小雨想留着“外婆的药”')).toBeVisible()
  await expect.element(first.getByText('“访客”留 90 天。', { exact: false })).toBeVisible()
  await first.getByRole('button', { name: '留下' }).click()
  await expect.element(page.getByText('外婆的药', { exact: false })).not.toBeInTheDocument()
  await page.getByRole('button', { name: '不留' }).click()
  await expect.element(page.getByTestId('keep-request')).not.toBeInTheDocument()
  const bodies = made.filter(({ call }) => call.startsWith('PATCH')).map(({ call, body }) => [call.slice(-1), body])
  expect(bodies).toEqual([
    ['a', { keep: true }],
    ['b', { keep: false }],
  ])
})
