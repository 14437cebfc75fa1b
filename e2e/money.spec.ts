import type { Page } from '@playwright/test'
import type { Plan } from '#contract/plans.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import type { MyUsage } from '#contract/usage.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import type { Account } from './startPortal.ts'
import { ask, newConversation, openDialog, TEXTS, untilAnswered } from './steps.ts'

/** Of a million tokens, in the portal's currency. What is asked costs nothing: answers alone are counted. */
const DEAR = { input: '0', output: '1000' }
const CHEAP = { input: '0', output: '10' }
/** Money of the plan: as much as fifty tokens of the dear model. */
const BUDGET = 0.05
/** Of each of three. */
const ASKS_AT_ONCE = 4

let admin: Account

// A portal of its own: prices are everybody's.
test.use({ portalOptions: { environment: { COMMONS_ASKING_MAX_RUNNING_ASKS_PER_USER: '10' } } })
test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ portal }) => {
  admin = await portal.admin()
})

const drawer = (page: Page) => page.getByTestId('drawer')
const priceRow = (page: Page, model: string) => page.getByTestId('price-row').filter({ hasText: model })

async function setPrice(page: Page, model: string, { input, output }: { input: string; output: string }) {
  const fields = priceRow(page, model).getByTestId('price-input')
  await fields.nth(0).fill(input)
  await fields.nth(2).fill(output)
}

/** The answer to each: the words of the refusal, or how it ended. */
async function askAllAtOnce(people: readonly Account[]): Promise<string[]> {
  const asks = people.flatMap(person => Array.from({ length: ASKS_AT_ONCE }, () => person))
  return Promise.all(
    asks.map(async person => {
      const frames = await person.ask('/simulate tokens=20', { new_title: 'at once', parameters: { max_tokens: 20 } })
      const end = frames.at(-1)
      return String(end?.['tip'] ?? end?.['outcome'])
    }),
  )
}

/** The sum of the column of money, in millionths. */
function moneyOf(csv: string): number {
  const [head = '', ...lines] = csv.replace('\uFEFF', '').trim().split(/\r?\n/)
  const column = head.split(',').findIndex(name => name.startsWith('money'))
  expect(column).toBeGreaterThan(0)
  return lines.reduce((sum, line) => sum + Math.round(Number(line.split(',')[column]) * 1_000_000), 0)
}

for (const { language, name } of [
  { language: 'zh-CN', name: '有预算的人' },
  { language: 'en-US', name: 'On a budget' },
] as const) {
  const t = TEXTS[language]

  test(`a limit in money is set, reached by many at once, and all accounts of it agree, in ${language}`, async ({
    page,
    portal,
    comeAs,
    readIn,
  }) => {
    test.slow()
    const upstreams = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
    const upstream = upstreams.find(({ source }) => source === 'openai_api')
    const path = `/system/upstreams/${upstream?.id}/prices`
    await admin.result('PUT', path, { prices: [{ model: 'gpt_4' }, { model: 'gpt_3_5' }] })
    const people = [await portal.person(), await portal.person(), await portal.person()]
    const [mei] = people as [Account, ...Account[]]
    await readIn(language, admin, mei)
    const plan = await admin.result<Plan>('POST', '/plan', { name })
    for (const { id } of people) await admin.result('PUT', `/user/${id}/plan`, { plan_id: plan.id })
    await comeAs(admin)

    await test.step('an administrator limits a plan in money', async () => {
      await page.goto('/admin/plan')
      await page.getByTestId('plan-row').filter({ hasText: name }).click()
      await drawer(page).getByTestId('add-limit-openai_api').click()
      const limit = drawer(page).getByTestId('plan-limit').last()
      await limit.getByLabel(t['plans.unit']).selectOption('money')
      await limit.getByLabel(t['plans.window']).selectOption('month')
      await limit.getByLabel(t['plans.amount'], { exact: true }).fill(String(BUDGET))
      await checkAccessibility(page, `the limit in ${language}`)
      await drawer(page).getByTestId('save').click()
      await expect
        .poll(async () => (await admin.result<Plan[]>('GET', '/plan')).find(({ id }) => id === plan.id)?.limits)
        .toMatchObject([{ unit: 'money', amount: BUDGET, window: { kind: 'month' } }])
    })

    await test.step('a model without a price is refused in words', async () => {
      await comeAs(mei)
      await page.goto('/conversation')
      const head = page.getByTestId('limit-head')
      await expect(head).toHaveAttribute('data-rule', 'modelHasNoPrice')
      await expect(head).toContainText(t['errors.modelHasNoPrice'])
      await checkAccessibility(page, `no price in ${language}`)
      expect((await mei.ask('hello', { new_title: 'x' })).at(-1)).toMatchObject({ tip: 'errors.modelHasNoPrice' })
    })

    await test.step('an administrator says what the models cost', async () => {
      await comeAs(admin)
      await page.goto(`/admin/openai_settings?open=${upstream?.id}`)
      await drawer(page).getByRole('tab', { name: t['upstreams.tab.models'] }).click()
      await expect(page.getByTestId('price-input').first()).toBeVisible()
      await setPrice(page, 'gpt-4', DEAR)
      await setPrice(page, 'gpt-3.5', CHEAP)
      await checkAccessibility(page, `prices in ${language}`)
      await drawer(page).getByTestId('save').click()
      await expect(drawer(page).getByTestId('save')).toBeDisabled()
    })

    await test.step('who asks the cheap model and the dear one sees what each costs', async () => {
      await mei.ask('/simulate tokens=10', { new_title: 'cheap', model: 'gpt_3_5', parameters: { max_tokens: 10 } })
      const ends = await askAllAtOnce(people)
      expect(new Set(ends)).toEqual(new Set(['finished', 'errors.budgetReached']))
      for (const person of people) {
        const { sum, limits } = await person.result<MyUsage>('GET', '/usage/me')
        expect(sum.money).toBeLessThanOrEqual(BUDGET)
        expect(limits.find(({ unit }) => unit === 'money')?.used).toBe(sum.money)
      }
    })

    await test.step('one of them is told so, and what can be done: another model, waiting, asking for more', async () => {
      await comeAs(mei)
      await page.goto('/conversation')
      await newConversation(page, { source: 'openai_api', model: 'gpt_4' })
      await expect(page.getByTestId('limit-head')).toHaveAttribute('data-rule', 'budgetReached')
      await expect(page.getByTestId('way-model')).toBeVisible()
      await expect(page.getByTestId('ways')).toContainText('0.0001')
      await expect(page.getByTestId('way-wait')).toBeVisible()
      await expect(page.getByTestId('way-more')).toBeVisible()
      await checkAccessibility(page, `the ways in ${language}`)
      await page.getByTestId('way-model').click()
      await expect(page.getByTestId('limit-head')).toBeHidden()
      await ask(page, '/simulate tokens=10')
      await untilAnswered(page)
    })

    await test.step('the profile, the page of usage and the ledger have the same sum', async () => {
      const { result: csv } = await mei.call('GET', '/usage/me/ledger.csv')
      const spent = moneyOf(String(csv)) / 1_000_000
      expect(spent).toBeGreaterThan(0)
      const shown = new Intl.NumberFormat(language, {
        style: 'currency',
        currency: 'USD',
        minimumFractionDigits: 2,
        maximumFractionDigits: 6,
      }).format(spent)
      const profile = await openDialog(page, language, 'userMenu.profile')
      await expect(profile.getByTestId('my-usage').getByRole('table').locator('tfoot')).toContainText(shown)
      await checkAccessibility(page, `the profile in ${language}`)
      await comeAs(admin)
      await page.goto('/admin/usage')
      const row = page.getByTestId('usage-table').locator('tbody tr').filter({ hasText: mei.username })
      await expect(row.getByRole('cell').last()).toHaveText(shown)
      await checkAccessibility(page, `usage in ${language}`)
    })
  })
}
