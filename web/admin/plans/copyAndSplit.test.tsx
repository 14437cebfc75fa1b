import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { anUpstream } from '#web/admin/upstreams/state/builders.testing.ts'
import { answerCalls, aPortal, aUser, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { openAdminScreen } from '../openAdminScreen.testing.tsx'
import { PlansScreen } from './PlansScreen.tsx'
import { aPlan, elders, family, WEEK } from './plans.testing.ts'

const PLANS = [aPlan(), family, elders]
const NO_CHANGES = { _version: '1', _set_secrets: [], _origins: {}, _variables: {}, _stored: {} }

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  useSession.setState({ user: aUser({ is_superuser: true }) })
  await page.viewport(1280, 900)
})

async function open(answers: Parameters<typeof answerCalls>[0], address = '') {
  const portal = success(aPortal({ sources: [{ source: 'openai_api', enabled: true }] }))
  const made = answerCalls({
    'GET /plan': success(PLANS),
    'GET /invitation': success([]),
    'GET /status/portal': portal,
    'GET /portal': portal,
    'GET /system/config': success({ money: { currency: 'CNY' }, ...NO_CHANGES }),
    'GET /system/upstreams': success([]),
    ...answers,
  })
  await openAdminScreen(PlansScreen, `/admin/plan${address}`)
  return made
}

test('a copy of a plan has its values and limits and nobody in it, and is opened', async () => {
  const copy = { ...family, id: 9, name: '家人（复制）', people: 0 }
  let plans = PLANS
  const made = await open(
    {
      'GET /plan': () => success(plans),
      'POST /plan': () => {
        plans = [...PLANS, copy]
        return success(copy)
      },
    },
    '?open=2',
  )
  await page.getByRole('button', { name: '复制计划' }).click()
  await expect.element(page.getByTestId('drawer').getByRole('heading', { name: '家人（复制）' })).toBeVisible()
  const [body] = made.filter(({ call }) => call === 'POST /plan').map(each => each.body)
  expect(body).toMatchObject({ name: '家人（复制）', parent_id: 1, limits: [{ ...WEEK, amount: 150 }] })
})

test('below the plans stands how an account is divided by weights, where one is', async () => {
  const windows = [{ unit: 'asks' as const, amount: 600, window: { kind: 'week' as const }, models: null }]
  const shared = anUpstream({ label: '主账号', sharing: 'shares', owner_id: 1, reserve_percent: 12, windows })
  await open({ 'GET /system/upstreams': success([shared, anUpstream({ id: 4 })]) })
  const split = page.getByTestId('split')
  await expect.element(split).toMatchTextContent('主账号每周怎么分')
  await expect.element(split.getByText('4 × 24 次', { exact: false })).toBeVisible()
  await expect.element(split.getByText('自留', { exact: false })).toBeVisible()
  expect(split.elements()).toHaveLength(1)
})
