import { beforeEach, describe, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import type { BulkResult } from '#contract/bulk.ts'
import { answerCalls, type MadeCall, refusal, success } from '#web/foundation/api.testing.ts'
import { aLoadedUser, aRow, aSummary } from './builders.testing.ts'
import { openUsers, portal } from './openUsers.testing.tsx'

const { user, row } = aLoadedUser()
const rows = [
  row,
  aRow({ id: 3, nickname: 'Mei Ling', username: 'meiling', chat_status: 'queueing', queue_position: 2 }),
  aRow({
    id: 4,
    nickname: '黄丽',
    username: 'huangli',
    is_active: false,
    openai_web: aSummary({ valid_until: '2020-10-31T12:00:00Z' }),
  }),
]
const listed = success({ rows, total: 3, counts: { all: 24, online: 3 } })
const verdict = { may_ask: true, message: null, values: null, opens_at: null }
const allowance = {
  now: new Date().toISOString(),
  time_zone: 'Asia/Shanghai',
  sources: [
    {
      source: 'openai_web',
      verdict,
      new_conversation: { ...verdict, may_ask: false, message: 'errors.maxConversationCountReached' },
      valid_until: null,
      daily_available_time_slots: [],
      total: { used: 12, allowed: 40, remaining: 28 },
      conversations: { used: 10, allowed: 10 },
      windows: [],
      models: [{ model: 'gpt_4', count: { used: 5, allowed: 20, remaining: 15 }, verdict }],
    },
  ],
}
const removal = { conversations: 4, files: 0, file_bytes: 0, running_asks: 0, sessions: 1, is_last_superuser: false }
const answers = {
  'GET /status/portal': success(portal),
  'GET /system/users': listed,
  'GET /user/2': success(user),
  'GET /system/users/2': success(row),
  'GET /user/2/removal': success(removal),
  'GET /user/2/allowance': success(allowance),
}
const sent = (made: MadeCall[], call: string) => made.filter(each => each.call === call).map(({ body }) => body)

async function contains(locator: Locator, text: string): Promise<void> {
  await expect.poll(() => locator.query()?.textContent ?? '').toContain(text)
}

beforeEach(() => page.viewport(1440, 900))

describe('the list of people', () => {
  test('says how each stands, in words', async () => {
    answerCalls(answers)
    await openUsers()
    await expect.element(page.getByText('24 人，3 人在线')).toBeVisible()
    await expect.element(page.getByText('排队第 2 位')).toBeVisible()
    await expect.element(page.getByText('已停用')).toBeVisible()
    await expect.element(page.getByText('2020-10-31 已到期')).toBeVisible()
    await contains(page.getByRole('row', { name: /林小雨/ }), '5 / 20')
  })
  test('shows of several sources the count of which most is used, by which it is sorted, and of a chosen one its own', async () => {
    const count = { used: 30, allowed: 30, remaining: 0 }
    const ofApi = aSummary({ models: [{ model: 'gpt_4', count }] })
    const person = aRow({ id: 5, nickname: '赵一诺', username: 'yinuo', openai_api: ofApi })
    answerCalls({
      ...answers,
      'GET /system/users': success({ rows: [person], total: 1, counts: { all: 1, online: 0 } }),
    })
    const listed = page.getByRole('row', { name: /赵一诺/ })
    await openUsers()
    await expect.element(listed.getByText('用完')).toBeVisible()
    await page.getByRole('button', { name: '来源' }).click()
    await page.getByRole('menuitemradio', { name: '网页账号' }).click()
    await expect.element(listed.getByText('5 / 20')).toBeVisible()
  })
  test('asks for the filters and the order that the address has', async () => {
    const made = answerCalls(answers)
    const address = await openUsers('?expiry=expired&words=mei')
    await expect.element(page.getByText('Mei Ling')).toBeVisible()
    await page.getByRole('button', { name: 'GPT-4 已用' }).click()
    await expect.poll(address).toContain('sort=used_share')
    const last = made.findLast(({ call }) => call === 'GET /system/users')?.query
    expect(Object.fromEntries(last ?? [])).toMatchObject({ expiry: 'expired', words: 'mei', model: 'gpt_4' })
  })
})

describe('the settings of a person', () => {
  test('show each change before it is saved, and send it alone with what was seen', async () => {
    const made = answerCalls({ ...answers, 'PATCH /system/users/2': success({ ...user, remark: null }) })
    await openUsers('?open=2')
    await page.getByRole('tab', { name: '网页账号' }).click()
    await page.getByRole('button', { name: '+100 全部提问' }).click()
    await page.getByLabelText('GPT-4 的次数').fill('')
    const changes = page.getByTestId('changes').getByRole('listitem')
    await contains(changes.nth(0), '网页账号 全部提问40 → 140')
    await contains(changes.nth(1), '网页账号 GPT-420 → 不限')
    await page.getByTestId('save').click()
    await expect
      .poll(() => sent(made, 'PATCH /system/users/2'))
      .toEqual([
        {
          setting: {
            openai_web: { total_ask_allowed: 140, per_model_ask_allowed: { gpt_4: -1 } },
            expected: { openai_web: { total_ask_allowed: 40, per_model_ask_allowed: { gpt_4: 20 } } },
          },
        },
      ])
  })
  test('ask who is right where somebody else has changed the same', async () => {
    let stored = user
    const made = answerCalls({
      ...answers,
      'GET /user/2': () => success(stored),
      'PATCH /system/users/2': ({ body }) => {
        const { account } = body as { account: { expected: { nickname: string } } }
        if (account.expected.nickname === stored.nickname) return success(stored)
        return refusal('changedMeanwhile')
      },
    })
    await openUsers('?open=2')
    await page.getByLabelText('昵称').fill('小林')
    stored = { ...user, nickname: '大林' }
    await page.getByTestId('save').click()
    const conflicts = page.getByTestId('conflicts')
    await contains(conflicts, '大林')
    await contains(conflicts, '小林')
    await expect.element(page.getByTestId('save')).toBeDisabled()
    await conflicts.getByRole('button').first().click()
    await page.getByTestId('save').click()
    await expect
      .poll(() => sent(made, 'PATCH /system/users/2').at(-1))
      .toEqual({
        account: { nickname: '小林', expected: { nickname: '大林' } },
      })
  })
  test('tell what may be asked now, and what not and why', async () => {
    answerCalls(answers)
    await openUsers('?open=2')
    await page.getByRole('tab', { name: '网页账号' }).click()
    const preview = page.getByTestId('allowance-preview')
    await contains(preview, 'GPT-4可以问')
    await contains(preview, '新建对话对话数满了')
  })
  test('cannot take the rights of the only administrator, and say why', async () => {
    answerCalls({ ...answers, 'GET /user/2/removal': success({ ...removal, is_last_superuser: true }) })
    await openUsers('?open=2')
    await expect.element(page.getByRole('switch', { name: '管理员' })).toBeDisabled()
    await expect.element(page.getByText('这是唯一的管理员', { exact: false }).first()).toBeVisible()
  })
})

describe('somebody whom another administrator has deleted meanwhile', () => {
  test('is gone from the drawer when something is saved', async () => {
    const gone = () => refusal('userNotExist')
    let deleted = false
    answerCalls({
      ...answers,
      'GET /user/2': () => (deleted ? gone() : success(user)),
      'PATCH /system/users/2': gone,
    })
    await openUsers('?open=2')
    await page.getByRole('textbox', { name: '备注' }).fill('再见')
    deleted = true
    await page.getByTestId('save').click()
    await expect.element(page.getByTestId('drawer')).toHaveAccessibleName('这个用户已被删除')
  })
})

describe('a new account', () => {
  test('is not thrown away by Escape once something is typed', async () => {
    answerCalls(answers)
    await openUsers('?open=new')
    await page.getByRole('textbox', { name: '昵称' }).fill('佳佳')
    await userEvent.keyboard('{Escape}')
    await page.getByRole('dialog').getByRole('button', { name: '留在这里' }).click()
    await expect.element(page.getByRole('textbox', { name: '昵称' })).toHaveValue('佳佳')
  })
})

describe('many at once', () => {
  test('say first whom a change leaves as they are and why, then do it, and mark each row', async () => {
    const result: BulkResult = {
      total: 2,
      changed: 1,
      unchanged: { unlimited: 1 },
      rows: [
        { id: 3, username: 'meiling', nickname: 'Mei Ling', reason: 'unlimited' },
        { id: 2, username: 'linxiaoyu', nickname: '林小雨', reason: null },
      ],
    }
    const made = answerCalls({ ...answers, 'POST /system/users/bulk': success({ ...result, job: null }) })
    await openUsers()
    await page
      .getByRole('row', { name: /林小雨/ })
      .getByRole('checkbox')
      .click()
    await page
      .getByRole('row', { name: /Mei Ling/ })
      .getByRole('checkbox')
      .click()
    await page.getByTestId('bulk-extend').click()
    await contains(page.getByTestId('dry-run'), '会改 1 人，1 人不变：本来就不限：1 人Mei Ling')
    await expect.element(page.getByLabelText('延长', { exact: true }).last()).toHaveFocus()
    await page.getByTestId('bulk-run').click()
    await contains(page.getByTestId('admin-bulk'), '已改 1 人，1 人没有改')
    // The button that opened the dialog is gone: the focus is with what stands in its place, and with the rows after
    // that.
    const holdsFocus = (part: string): boolean => {
      const focused = document.activeElement
      return focused !== document.body && focused?.contains(page.getByTestId(part).element()) === true
    }
    await expect.poll(() => holdsFocus('admin-bulk')).toBe(true)
    expect(sent(made, 'POST /system/users/bulk').at(-1)).toEqual({
      selection: { ids: [2, 3] },
      change: { action: 'extend', sources: ['openai_web', 'openai_api'], days: 30 },
    })
    await contains(page.getByRole('row', { name: /林小雨/ }), '已改')
    await contains(page.getByRole('row', { name: /Mei Ling/ }), '本来就不限')
    await page.getByTestId('admin-bulk').getByRole('button').last().click()
    await expect.poll(() => holdsFocus('admin-table')).toBe(true)
  })

  test('may be stopped midway, then say how many are left as they were, and go on with them', async () => {
    let stage: 'running' | 'stopping' | 'idle' | 'again' | 'finished' = 'running'
    const counted: BulkResult = { total: 300, changed: 300, unchanged: {}, rows: [] }
    const result = { ...counted, total: 120, changed: 120 }
    const last_run = { outcome: 'stopped', done: 120, total: 300, failure: null, started_by: null, result }
    const times = { start_time: new Date().toISOString(), end_time: new Date().toISOString() }
    const read = (shown: typeof stage, total = 300) => ({
      ...{ name: 'users', key: 'k', every: null, started_by: null, start_time: null, next_run: null, failures: 0 },
      ...{ state: shown === 'again' ? 'running' : shown === 'finished' ? 'idle' : shown, done: 120, total },
      last_run:
        shown === 'finished'
          ? {
              ...last_run,
              ...times,
              outcome: 'finished',
              done: 290,
              total,
              result: { ...counted, total, changed: 290 },
            }
          : shown === 'idle' || shown === 'again'
            ? { ...last_run, ...times }
            : null,
      may_go_on: shown === 'idle',
    })
    const made = answerCalls({
      ...answers,
      'POST /system/users/bulk': ({ body }) =>
        success({ ...counted, job: Reflect.get(Object(body), 'dry_run') === true ? null : 'k' }),
      'POST /system/jobs/users/stop': () => {
        stage = 'stopping'
        return success(true)
      },
      'GET /system/jobs/users/k': () => {
        const shown = stage
        if (stage === 'stopping') stage = 'idle'
        if (stage === 'again') stage = 'finished'
        return success(read(shown, shown === 'finished' ? 290 : 300))
      },
      'POST /system/jobs/users/go-on': () => {
        stage = 'again'
        return success(read('again'))
      },
    })
    await openUsers()
    await page.getByRole('checkbox', { name: '选中这一页' }).click()
    // Whoever is chosen is active.
    await expect.element(page.getByTestId('bulk-activate')).not.toBeInTheDocument()
    await page.getByTestId('bulk-deactivate').click()
    await page.getByTestId('bulk-run').click()
    const bar = page.getByTestId('admin-bulk')
    await contains(bar, '正在改 120 / 300')
    await bar.getByRole('button').click()
    await contains(bar, '正在停下')
    await expect.element(bar.getByRole('button')).not.toBeInTheDocument()
    await contains(bar, '已改 120 人，180 人没有改')
    await bar.getByRole('button', { name: '继续余下 180 项' }).click()
    await contains(bar, '已改 290 人')
    expect(made.find(({ call }) => call === 'POST /system/jobs/users/go-on')?.query.get('key')).toBe('k')
    await expect.element(bar.getByTestId('bulk-go-on')).not.toBeInTheDocument()
  })

  test('are shown while somebody else changes them', async () => {
    const run = { started_by: null, start_time: null, next_run: null, failures: 0, last_run: null, may_go_on: false }
    const job = { ...run, name: 'users', key: 'k', every: null, state: 'running', done: 120, total: 300 }
    answerCalls({
      ...answers,
      'GET /system/jobs': success([job]),
      'GET /system/jobs/users/k': success(job),
    })
    await openUsers()
    await contains(page.getByTestId('admin-bulk'), '正在改 120 / 300')
  })
})
