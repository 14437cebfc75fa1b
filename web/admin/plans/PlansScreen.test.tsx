import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Invitation } from '#contract/invitations.ts'
import type { PlanPreview } from '#contract/planPeople.ts'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { answerCalls, aPortal, aUser, freshDevice, refusal, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { openAdminScreen } from '../openAdminScreen.testing.tsx'
import { PlansScreen } from './PlansScreen.tsx'
import { aPlan, elders, family, WEEK } from './plans.testing.ts'

const PLANS = [aPlan(), family, elders]

const NOBODY: PlanPreview = { blocked: [], gained: [], changed: [], untouched: [], affected: 4 }
const limits = (used: number) => [{ limit: WEEK, used, before: 150, after: 60 }]
const BLOCKED: PlanPreview = {
  blocked: [
    { user_id: 11, nickname: '陈建国', limits: limits(134), reasons: [] },
    { user_id: 12, nickname: '何小满', limits: limits(70), reasons: [] },
    { user_id: 13, nickname: '林小雨', limits: limits(61), reasons: [] },
  ],
  gained: [{ user_id: 14, nickname: '周婷', limits: [], reasons: [] }],
  changed: [{ user_id: 16, nickname: '周婷', limits: [], reasons: [{ source: null, field: 'instructions' }] }],
  untouched: [{ user_id: 15, nickname: '孙伯伯', reason: 'own' }],
  affected: 5,
}

const portal = aPortal({
  sources: [{ source: 'openai_api', enabled: true }],
  models: [
    { source: 'openai_api', code: 'gpt_4', label: null, ...UNKNOWN_CAPABILITIES },
    { source: 'openai_api', code: 'gpt_3_5', label: null, ...UNKNOWN_CAPABILITIES },
  ],
})
const CONFIGURATION = {
  money: { currency: 'CNY' },
  _version: '1',
  _set_secrets: [],
  _origins: {},
  _variables: {},
  _stored: {},
}

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  useSession.setState({ user: aUser({ is_superuser: true }) })
  await page.viewport(1280, 900)
})

async function open(answers: Parameters<typeof answerCalls>[0] = {}, address = '') {
  const made = answerCalls({
    'GET /plan': success(PLANS),
    'GET /invitation': success([]),
    'GET /status/portal': success(portal),
    'GET /portal': success(portal),
    'GET /system/config': success(CONFIGURATION),
    'GET /system/upstreams': success([]),
    'POST /plan/2/preview': success(NOBODY),
    'PATCH /plan/2': success(family),
    ...answers,
  })
  const { router } = await openAdminScreen(PlansScreen, `/admin/plan${address}`)
  return {
    address: () => router.state.location.searchStr,
    sent: (name: string) => made.filter(({ call }) => call === name).map(({ body }) => body),
  }
}

const drawer = page.getByTestId('drawer')
const week = drawer.getByRole('group', { name: '每周 150 次' })
const amount = (group = week) => group.getByLabelText('数量')

describe('the page of plans', () => {
  test('has the tree, with what is a plan’s own and what it inherits', async () => {
    await open()
    const rows = page.getByTestId('plan-row')
    await expect.element(rows.nth(1)).toMatchTextContent(/家人.*4.*本计划 每周 150 次/)
    await expect.element(rows.nth(2)).toMatchTextContent(/长辈.*2.*跟“家人”/)
    await expect.element(rows.first()).toMatchTextContent(/默认.*16.*不限/)
  })
  test('opens a plan by a click or the keyboard, and keeps it in the address', async () => {
    const { address } = await open()
    await page.getByRole('button', { name: '家人' }).click()
    await expect.element(drawer).toMatchTextContent(/家人4 人，加上下面的计划 2 人。上面是“默认”/)
    expect(address()).toBe('?open=2')
    await drawer.getByLabelText('名字').click()
    await userEvent.keyboard('{Escape}')
    await expect.element(drawer).not.toBeInTheDocument()
  })
  test('makes a plan below another one', async () => {
    const { sent, address } = await open({ 'POST /plan': success({ ...elders, id: 9 }) })
    await page.getByTestId('add-plan').click()
    await page.getByTestId('plan-name').fill('访客')
    await page.getByLabelText('上面的计划').selectOptions('家人')
    await page.getByTestId('create-plan').click()
    await expect.poll(() => sent('POST /plan')).toEqual([{ name: '访客', parent_id: 2 }])
    await expect.poll(address).toBe('?open=9')
  })
  test('moves the people of a plan that is deleted', async () => {
    const { sent } = await open({ 'DELETE /plan/2': success() }, '?open=2')
    await drawer.getByRole('button', { name: '删除计划' }).click()
    const dialog = page.getByRole('dialog')
    await expect.element(dialog).toMatchTextContent(/里面 4 人，下面 1 个计划/)
    expect(dialog.getByTestId('move-to').element().textContent).toBe('默认')
    await dialog.getByTestId('delete-plan').click()
    await expect.poll(() => sent('DELETE /plan/2')).toHaveLength(1)
    await expect.element(drawer).not.toBeInTheDocument()
  })
})

describe('a limit of a plan', () => {
  test('is changed, marked with what it was, and taken back', async () => {
    await open({}, '?open=2')
    await amount().fill('60')
    const row = drawer.getByRole('group', { name: '每周 60 次' })
    await expect.element(row.getByTestId('origin')).toMatchTextContent('改动原来 150 次撤销')
    await expect.element(row).toHaveAttribute('data-changed', 'true')
    await row.getByRole('button', { name: '撤销' }).click()
    await expect.element(week.getByTestId('origin')).toMatchTextContent(/^本计划/)
    await expect.element(drawer.getByTestId('save')).toBeDisabled()
  })
  test('that is inherited says whose it is, and becomes the plan’s own when it is changed', async () => {
    const { sent } = await open(
      { 'POST /plan/3/preview': success(NOBODY), 'PATCH /plan/3': success(elders) },
      '?open=3',
    )
    await expect.element(week.getByTestId('origin')).toMatchTextContent('来自“家人”')
    await amount().fill('20')
    await drawer.getByTestId('save').click()
    await expect
      .poll(() => sent('PATCH /plan/3'))
      .toEqual([{ limits: [{ ...WEEK, amount: 20 }], expected: { limits: [] } }])
  })
  test('goes back to inherited by one click, and is gone where nothing is inherited', async () => {
    const { sent } = await open({}, '?open=2')
    await week.getByTestId('inherit').click()
    await expect.element(drawer.getByTestId('plan-limit')).toMatchTextContent('去掉了改动原来 每周 150 次撤销')
    await drawer.getByTestId('save').click()
    await expect
      .poll(() => sent('PATCH /plan/2'))
      .toEqual([{ limits: [], expected: { limits: [{ ...WEEK, amount: 150 }] } }])
  })
  test('of another length is typed', async () => {
    const { sent } = await open({}, '?open=2')
    await week.getByLabelText('窗口').selectOptions('滚动')
    const row = drawer.getByRole('group', { name: '每 5小时 150 次' })
    await row.getByLabelText('多长').fill('3')
    await userEvent.keyboard('{Tab}')
    await drawer.getByTestId('save').click()
    await expect
      .poll(() => sent('PATCH /plan/2'))
      .toMatchObject([{ limits: [{ window: { kind: 'rolling', seconds: 10_800 }, amount: 150 }] }])
  })
  test('in money has decimals and the portal’s currency', async () => {
    const { sent } = await open({}, '?open=2')
    await drawer.getByTestId('add-limit-openai_api').click()
    const row = drawer.getByTestId('plan-limit').nth(1)
    await row.getByLabelText('单位').selectOptions('CNY')
    await row.getByLabelText('数量').fill('12.50')
    await drawer.getByTestId('save').click()
    await expect
      .poll(() => sent('PATCH /plan/2'))
      .toMatchObject([{ limits: [{ unit: 'asks' }, { unit: 'money', amount: 12.5 }] }])
  })
  test('cannot be there twice', async () => {
    await open({}, '?open=2')
    await drawer.getByTestId('add-limit-openai_api').click()
    const row = drawer.getByTestId('plan-limit').nth(1)
    await row.getByLabelText('窗口').selectOptions('每周，周一 0 点起')
    await expect.element(row).toMatchTextContent(/已经有同样单位和窗口的一条/)
  })
  test('of one model stands beside the model', async () => {
    const { sent } = await open({}, '?open=2')
    await drawer.getByRole('tab', { name: '模型' }).click()
    await drawer.getByRole('button', { name: '另定次数' }).first().click()
    await drawer.getByTestId('save').click()
    await expect
      .poll(() => sent('PATCH /plan/2'))
      .toMatchObject([{ limits: [{ amount: 150 }, { models: ['gpt_4'], unit: 'asks', amount: 100 }] }])
  })
})

describe('other values of a plan', () => {
  test('are set, and inherited again', async () => {
    const { sent } = await open({}, '?open=2')
    await drawer.getByRole('tab', { name: '使用' }).click()
    await drawer.getByLabelText('密钥').fill('5')
    await drawer.getByLabelText('对话留').fill('90')
    await drawer.getByTestId('save').click()
    await expect
      .poll(() => sent('PATCH /plan/2'))
      .toEqual([{ max_keys: 5, retention_days: 90, expected: { max_keys: null, retention_days: null } }])
  })
  test('models are a list of its own once one is unticked', async () => {
    const { sent } = await open({}, '?open=2')
    await drawer.getByRole('tab', { name: '模型' }).click()
    await drawer.getByRole('checkbox', { name: 'GPT-4' }).click()
    await drawer.getByTestId('save').click()
    await expect
      .poll(() => sent('PATCH /plan/2'))
      .toEqual([
        { openai_api: { available_models: ['gpt_3_5'] }, expected: { openai_api: { available_models: null } } },
      ])
  })
})

describe('saving a plan', () => {
  test('shows first who would be blocked, who gains and who is untouched', async () => {
    const { sent } = await open({ 'POST /plan/2/preview': success(BLOCKED) }, '?open=2')
    await amount().fill('60')
    await expect.element(drawer.getByText('1 处改动，3 人会被拦住')).toBeVisible()
    await drawer.getByRole('button', { name: '看影响' }).click()
    const effect = page.getByTestId('effect-preview')
    await expect.element(effect).toMatchTextContent(/6 人里 3 人被拦住，1 人多了/)
    await expect.element(effect).toMatchTextContent(/陈建国先照旧每周134 次 \/ 150 次 → 134 次 \/ 60 次/)
    await expect.element(page.getByTestId('effect-gained')).toMatchTextContent('1 人多了周婷')
    await expect.element(page.getByTestId('effect-changed')).toMatchTextContent('1 人别的变了计划的说明周婷')
    await expect.element(page.getByTestId('effect-untouched')).toMatchTextContent('1 人不变单独设置过孙伯伯')
    expect(sent('PATCH /plan/2')).toEqual([])
  })
  test('spares those who would be blocked until a moment', async () => {
    const { sent } = await open({ 'POST /plan/2/preview': success(BLOCKED) }, '?open=2')
    await amount().fill('60')
    await drawer.getByRole('button', { name: '看影响' }).click()
    await page.getByTestId('spare').click()
    await page.getByLabelText('照旧到').fill('2026-12-07T00:00')
    await drawer.getByRole('button', { name: '保存' }).click()
    await expect.poll(() => sent('PATCH /plan/2')).toHaveLength(1)
    const until = new Date('2026-12-07T00:00').toISOString()
    expect(sent('PATCH /plan/2')).toMatchObject([
      { limits: [{ amount: 60 }], spare: [11, 12, 13].map(user_id => ({ user_id, until })) },
    ])
    await expect.element(page.getByTestId('effect-preview')).not.toBeInTheDocument()
  })
  test('spares nobody unless that is chosen, and goes back to the form', async () => {
    const { sent } = await open({ 'POST /plan/2/preview': success(BLOCKED) }, '?open=2')
    await amount().fill('60')
    await drawer.getByRole('button', { name: '看影响' }).click()
    await drawer.getByRole('button', { name: '接着改' }).last().click()
    await expect.element(drawer.getByRole('group', { name: '每周 60 次' })).toBeVisible()
    await drawer.getByRole('button', { name: '看影响' }).click()
    await drawer.getByRole('button', { name: '保存' }).click()
    await expect.poll(() => sent('PATCH /plan/2')).toHaveLength(1)
    expect(JSON.stringify(sent('PATCH /plan/2'))).not.toContain('spare')
  })
  test('shows both values where somebody else has changed the same meanwhile', async () => {
    let limit = 150
    await open(
      {
        'GET /plan': () => success([aPlan(), { ...family, limits: [{ ...WEEK, amount: limit }] }, elders]),
        'PATCH /plan/2': () => {
          limit = 80
          return refusal('changedMeanwhile')
        },
      },
      '?open=2',
    )
    await amount().fill('60')
    await drawer.getByTestId('save').click()
    await expect.element(page.getByTestId('conflicts')).toMatchTextContent(/60 次.*80 次/)
  })
})

describe('an invitation', () => {
  const made: Invitation = {
    id: 5,
    plan_id: 2,
    uses: 3,
    used: 1,
    end_time: '2026-12-07T08:00:00Z',
    state: 'open',
    create_time: '2026-11-30T08:00:00Z',
    created_by: { id: 1, username: 'admin', nickname: '周明' },
  }
  test('is made for a plan, and its link is shown once, to be copied or sent', async () => {
    const { sent } = await open({ 'POST /invitation': success({ ...made, token: 'k8Qv' }) })
    await page.getByTestId('invite').click()
    await page.getByTestId('invite-plan').selectOptions('家人')
    await page.getByTestId('invite-uses').fill('3')
    await page.getByRole('dialog').getByText('一直', { exact: true }).click()
    await page.getByTestId('make-invitation').click()
    await expect.element(page.getByTestId('invitation-link')).toHaveValue(`${location.origin}/invite/k8Qv`)
    expect(sent('POST /invitation')).toEqual([{ plan_id: 2, uses: 3, end_time: null }])
    const mail = page.getByRole('link', { name: '写邮件' }).element().getAttribute('href') ?? ''
    expect(decodeURIComponent(mail)).toContain('/invite/k8Qv')
  })
  test('is listed with its plan and uses, and revoked', async () => {
    const { sent } = await open({
      'GET /invitation': success([made, { ...made, id: 4, state: 'expired' }]),
      'DELETE /invitation/5': success(),
    })
    const row = page.getByTestId('invitation').first()
    await expect.element(row).toMatchTextContent(/家人.*周明.*用了 1 \/ 3/)
    await expect.element(page.getByTestId('invitation').nth(1)).toMatchTextContent(/过期了/)
    await row.getByRole('button', { name: '作废' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '作废' }).click()
    await expect.poll(() => sent('DELETE /invitation/5')).toHaveLength(1)
  })
})

describe('a list of people', () => {
  const row = { line: 1, name: '吴桐', email: 'w@example.org', plan: '家人', user_id: null, problem: null }
  const bad = {
    ...row,
    line: 2,
    name: '',
    outcome: 'refused' as const,
    problem: 'nameMissing' as const,
    username: null,
    password: null,
  }
  test('is looked at row by row before anything is done, and then has the passwords once', async () => {
    const { sent } = await open({
      'POST /plan/list': ({ body }) => {
        const isDryRun = (body as { dry_run: boolean }).dry_run
        const password = isDryRun ? null : 'Ab3xYz'
        return success({
          rows: [{ ...row, outcome: 'created', username: 'wutong', password }, bad],
          ...{ created: 1, moved: 0, same: 0, refused: 1 },
        })
      },
    })
    await page.getByTestId('people-list').click()
    await page.getByTestId('people-csv').fill('吴桐,w@example.org,家人\n,x@example.org,家人')
    await page.getByTestId('preview-list').click()
    await expect.element(page.getByTestId('list-sum')).toMatchTextContent('新建 1，移动 0，不变 0，不行 1')
    await expect.element(page.getByTestId('list-row').first()).toMatchTextContent(/2.*没有名字/)
    await page.getByTestId('run-list').click()
    await expect.element(page.getByText('Ab3xYz')).toBeVisible()
    await expect.element(page.getByTestId('save-passwords')).toBeVisible()
    expect(sent('POST /plan/list')).toMatchObject([{ dry_run: true }, { dry_run: false }])
  })
})
