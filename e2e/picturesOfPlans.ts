import { peopleOf } from './manyPeople.ts'
import { asAdministrator, type PictureSession } from './pictureSession.ts'
import type { Account, Portal } from './startPortal.ts'

/** Once for a portal: pictures of several looks are of the same plans. */
const seeded = new WeakMap<Portal, Promise<Plans>>()

type Plans = { family: number; elders: number; token: string }

const week = (amount: number) => ({ source: 'openai_api', unit: 'asks', window: { kind: 'week' }, amount })

async function seedPlans(portal: Portal, admin: Account): Promise<Plans> {
  const ids = await peopleOf(portal, admin)
  const make = async (body: object) => (await admin.result<{ id: number }>('POST', '/plan', body)).id
  const family = await make({
    name: '家人',
    share_weight: 4,
    max_keys: 5,
    limits: [
      week(150),
      { source: 'openai_api', unit: 'money', window: { kind: 'month' }, amount: 50 },
      { source: 'openai_api', unit: 'asks', window: { kind: 'rolling', seconds: 18_000 }, amount: 20 },
    ],
  })
  const elders = await make({ name: '长辈', parent_id: family, share_weight: 2, max_keys: 0 })
  await make({ name: '访客', limits: [week(20)], retention_days: 90, openai_api: { available_models: ['gpt_4'] } })
  for (const [username, plan_id] of [
    ['chenjg', family],
    ['hexm', family],
    ['zhouting', family],
    ['sunbo', elders],
  ] as const)
    await admin.result('PUT', `/user/${ids[username]}/plan`, { plan_id })
  const { token } = await admin.result<{ token: string }>('POST', '/invitation', { plan_id: family, uses: 3 })
  const old = await admin.result<{ id: number }>('POST', '/invitation', {})
  await admin.result('DELETE', `/invitation/${old.id}`)
  return { family, elders, token }
}

/** The tree, a plan in the drawer with changes, whom that blocks, an invitation and a list of people. */
export async function plans(session: PictureSession): Promise<void> {
  const { page, portal, take } = session
  const admin = await asAdministrator(session)
  const seeding = seeded.get(portal) ?? seedPlans(portal, admin)
  seeded.set(portal, seeding)
  const { family, elders, token } = await seeding
  const drawer = page.getByTestId('drawer')
  await page.goto('/admin/plan')
  await page.getByTestId('invitation').first().waitFor()
  await take('plans')
  await page.goto(`/admin/plan?open=${family}`)
  await drawer.getByTestId('plan-limit').first().waitFor()
  await take('plan')
  await drawer.getByTestId('plan-limit').first().getByRole('textbox').first().fill('0')
  await page.waitForTimeout(1_500)
  await take('plan-changed')
  await drawer.getByTestId('save').click()
  await page.getByTestId('effect-preview').waitFor()
  await page.getByTestId('spare').click()
  await take('plan-effect')
  await drawer.getByTestId('discard').click()
  await drawer.getByTestId('discard').click()
  await drawer.getByRole('tab').nth(1).click()
  await take('plan-models')
  await drawer.getByRole('tab').nth(2).click()
  await take('plan-use')
  await page.goto(`/admin/plan?open=${elders}`)
  await drawer.getByTestId('plan-limit').first().waitFor()
  await take('plan-inherited')
  await page.goto('/admin/plan')
  await page.getByTestId('invite').click()
  await page.getByTestId('make-invitation').waitFor()
  await page.waitForTimeout(300)
  await take('plan-invite')
  await page.getByTestId('make-invitation').click()
  await page.getByTestId('invitation-link').waitFor()
  await take('plan-invite-link')
  await page.keyboard.press('Escape')
  await page.getByTestId('people-list').click()
  const rows = [
    '吴桐,wutong2@example.org,家人',
    ',x@example.org,家人',
    '白露,bailu@example.org,没有的',
    '陈建国,chenjg@example.org,长辈',
  ]
  await page.getByTestId('people-csv').fill(rows.join('\n'))
  await page.getByTestId('preview-list').click()
  await page.getByTestId('list-sum').waitFor()
  await page.waitForTimeout(300)
  await take('plan-list')
  await page.context().clearCookies()
  await page.goto(`/invite/${token}`)
  await page.getByTestId('join-username').fill('wutong3')
  await page.waitForTimeout(900)
  await take('invitation')
  await page.goto('/invite/nothing')
  await page.getByRole('button').last().waitFor()
  await take('invitation-gone')
}
