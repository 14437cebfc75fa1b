import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { PersonPolicy } from '#contract/planPeople.ts'
import type { ValueOrigin } from '#contract/plans.ts'
import { answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { aPlan, elders, family, WEEK } from '#web/admin/plans/plans.testing.ts'
import { aLoadedUser } from './builders.testing.ts'
import { openUsers, portal } from './openUsers.testing.tsx'

const { user, row } = aLoadedUser()
const OWN: ValueOrigin = { from: 'own' }
const FAMILY: ValueOrigin = { from: 'plan', plan_id: 2, name: '家人' }

const { openai_web, openai_api, ...common } = family.in_force
const ofSource = ({ valid_days: _days, ...values }: typeof openai_api) => ({
  ...values,
  valid_until: { value: null, origin: FAMILY },
})

/** In the family, with 20 asks a week and uploads of their own. */
const policy: PersonPolicy = {
  ...common,
  plan: { plan_id: 2, name: '家人' },
  openai_web: { ...ofSource(openai_web), disable_uploading: { value: true, origin: OWN } },
  openai_api: ofSource(openai_api),
  limits: [{ ...WEEK, amount: 20, origin: OWN, until: null }],
}

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  await page.viewport(1440, 900)
})

async function open(answers: Parameters<typeof answerCalls>[0] = {}) {
  const made = answerCalls({
    'GET /status/portal': success(portal),
    'GET /system/users': success({ rows: [row], total: 1, counts: { all: 1, online: 0 } }),
    'GET /user/2': success(user),
    'GET /system/users/2': success(row),
    'GET /user/2/policy': success(policy),
    'GET /plan': success([aPlan(), family, elders]),
    'PUT /user/2/policy': success(policy),
    'PUT /user/2/plan': success({ plan_id: 3, name: '长辈' }),
    ...answers,
  })
  await openUsers('?open=2')
  return (name: string) => made.filter(({ call }) => call === name).map(({ body }) => body)
}

const drawer = page.getByTestId('drawer')

describe('the plan of a person', () => {
  test('is chosen, and saved with the rest of the form', async () => {
    const sent = await open()
    await drawer.getByRole('tab', { name: '计划' }).click()
    await drawer.getByTestId('person-plan').selectOptions('长辈')
    await expect.element(drawer.getByText('原来 家人')).toBeVisible()
    await expect.element(drawer.getByTestId('changes')).toMatchTextContent('计划家人 → 长辈')
    await drawer.getByTestId('save').click()
    await expect.poll(() => sent('PUT /user/2/plan')).toEqual([{ plan_id: 3 }])
    expect(sent('PUT /user/2/policy')).toEqual([])
  })
  test('gives limits, of which own ones say what they would be, and go back by one click', async () => {
    const sent = await open()
    await drawer.getByRole('tab', { name: '计划' }).click()
    const limit = drawer.getByRole('group', { name: '每周 20 次' })
    await expect.element(limit.getByTestId('origin')).toMatchTextContent('单独设置“家人”是 150 次改回继承')
    await limit.getByTestId('inherit').click()
    await drawer.getByTestId('save').click()
    await expect
      .poll(() => sent('PUT /user/2/policy'))
      .toEqual([{ limits: [{ ...WEEK, amount: null }], expected: { limits: [{ ...WEEK, amount: 20 }] } }])
  })
  test('is told of every value of a source: whose it is, and back to inherited at once', async () => {
    const sent = await open()
    await drawer.getByRole('tab', { name: '网页账号' }).click()
    const own = drawer.getByText('单独设置')
    await expect.element(own).toBeVisible()
    await drawer.getByTestId('inherit').click()
    await expect.poll(() => sent('PUT /user/2/policy')).toEqual([{ openai_web: { disable_uploading: null } }])
  })
  test('is where many are moved at once, after a look at who is', async () => {
    const outcome = { total: 1, changed: 1, unchanged: {}, rows: [], job: null }
    const sent = await open({ 'POST /system/users/bulk': success(outcome) })
    await drawer.getByRole('button', { name: '关闭' }).click()
    await page
      .getByRole('row', { name: /林小雨/ })
      .getByRole('checkbox')
      .click()
    await page.getByTestId('bulk-plan').click()
    await page.getByTestId('bulk-plan-choice').selectOptions('长辈')
    await page.getByTestId('bulk-run').click()
    await expect
      .poll(() => sent('POST /system/users/bulk'))
      .toMatchObject([{ change: { action: 'plan', plan_id: 3 }, dry_run: true }, { change: { action: 'plan' } }])
  })
})
