import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { AuditRow } from '#contract/audit.ts'
import { answerCalls, aPortal, success } from '#web/foundation/api.testing.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { openAdminScreen } from '../openAdminScreen.testing.tsx'
import { AuditLog } from './AuditLog.tsx'

/** So many days ago at noon of this device, so that the day is the same in every zone. */
function daysAgo(days: number, minutes = 0): Date {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12, minutes)
}
const noon = (days: number, minutes = 0) => daysAgo(days, minutes).toISOString()

const ROW: AuditRow = {
  id: 9,
  time: noon(0, 24),
  actor: { kind: 'user', id: 1, name: '周明' },
  address: '192.168.1.12',
  user_agent: null,
  request_id: 'r-7f31',
  action: 'user.created',
  subject: { kind: 'user', id: '4', name: '赵一诺' },
  before: null,
  after: null,
  undo: 'never',
  undone_by: null,
  undoes: null,
}
const LIMIT = { source: 'openai_web', unit: 'asks', window: { kind: 'week' }, models: null }
const PLAN_CHANGE: AuditRow = {
  ...ROW,
  action: 'plan.changed',
  subject: { kind: 'plan', id: '2', name: '家人' },
  before: { limits: [{ ...LIMIT, amount: 150 }], values: { max_file_bytes: 1, openai_web: { max_conv_count: 20 } } },
  after: {
    limits: [{ ...LIMIT, amount: 60 }],
    values: { max_file_bytes: 1, openai_web: { max_conv_count: 8 } },
    affected: {
      ...{ blocked: 3, gained: 2, untouched: 1 },
      names: { blocked: ['陈建国', '何小满', '林小雨'], gained: ['周婷'], untouched: [] },
    },
  },
  undo: 'possible',
}
const READING: AuditRow = {
  ...ROW,
  id: 8,
  time: noon(0),
  action: 'conversation.read',
  subject: { kind: 'conversation', id: 'c', name: '租房合同的押金' },
  after: { reason: 'asked', text: '退租纠纷', minutes: 30 },
}
const MOVE: AuditRow = {
  ...ROW,
  id: 7,
  time: noon(1),
  action: 'user.plan',
  before: { plan_id: 1, plan: '默认' },
  after: { plan_id: 2, plan: '家人' },
  undo: 'undone',
  undone_by: { id: 10, time: noon(1, 9), name: '何小满' },
}
const OLD: AuditRow = { ...ROW, id: 6, time: noon(9) }

async function open(search = '') {
  const rows = [PLAN_CHANGE, READING, MOVE, OLD]
  answerCalls({
    'GET /status/portal': success(aPortal()),
    'GET /system/config': success({ money: { currency: 'CNY' } }),
    'GET /audit': success({ rows, total: rows.length, kept_days: 365, actors: [{ id: 1, name: '周明' }] }),
  })
  await loadTexts('audit')
  await openAdminScreen(() => <AuditLog tabs={null} />, `/admin/log${search}`)
  await expect.element(page.getByTestId('audit-row').first()).toBeVisible()
  return page.getByTestId('drawer')
}

describe('the audit', () => {
  test('has its rows under the day they are of, each with its time alone', async () => {
    await open()
    const lines = page.getByRole('table').element().querySelectorAll('tbody > tr')
    expect([...lines].map(line => line.firstElementChild?.textContent)).toEqual([
      ...[expect.stringMatching(`^今天，.*${daysAgo(0).getMonth() + 1}月${daysAgo(0).getDate()}日$`), '12:24', '12:00'],
      ...[expect.stringMatching(`^昨天，.*${daysAgo(1).getMonth() + 1}月${daysAgo(1).getDate()}日$`), '12:00'],
      ...[expect.stringMatching(/^[^，]*日$/), '12:00'],
    ])
  })

  test('says under what was done of what it is, how many people it reached, why, or who has undone it', async () => {
    await open()
    const rows = page.getByTestId('audit-row')
    await expect.element(rows.nth(0)).toMatchTextContent(/改了计划“家人”网页账号，限额，对话（网页账号），5 人/)
    await expect.element(rows.nth(0)).toMatchTextContent(/150 次.*→.*60 次/)
    await expect.element(rows.nth(1)).toMatchTextContent(/原因：退租纠纷/)
    await expect.element(rows.nth(2)).toMatchTextContent(/12:09 何小满 撤销了默认 → 家人/)
  })

  test('goes from entry to entry in its drawer, up to the ends', async () => {
    const drawer = await open('?open=9')
    const [newer, older] = [
      drawer.getByRole('button', { name: '上面一条' }),
      drawer.getByRole('button', { name: '下面一条' }),
    ]
    await expect.element(newer).toHaveAttribute('aria-disabled', 'true')
    await older.click()
    await expect.element(drawer.getByRole('heading', { level: 2 })).toMatchTextContent(/租房合同的押金/)
    await expect.element(older).toHaveFocus()
    await older.click()
    await older.click()
    await expect.element(older).toHaveAttribute('aria-disabled', 'true')
    await newer.click()
    await expect.element(drawer.getByRole('heading', { level: 2 })).toMatchTextContent(/赵一诺/)
  })

  test('says whom a change of a plan reached, and what each field goes back to when it is undone', async () => {
    const drawer = await open('?open=9')
    await expect
      .element(drawer)
      .toMatchTextContent(/碰到了谁3 人立刻超过，被拦住陈建国，何小满，林小雨2 人多了周婷.*1 人不变/)
    await expect.element(drawer).toMatchTextContent(/撤销会怎样网页账号，限额改回 .*150 次.*改回 20.*又碰到 5 人/)
  })

  test('says who was moved into another plan, by the names of the plans', async () => {
    const drawer = await open('?open=7')
    await expect.element(drawer).toMatchTextContent(/计划默认家人碰到了谁赵一诺/)
  })
})
