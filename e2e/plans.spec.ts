import type { Page } from '@playwright/test'
import type { ListedRow } from '#contract/planPeople.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import type { Account, Portal } from './startPortal.ts'
import { TEXTS } from './steps.ts'

const JOURNEYS = [
  { language: 'zh-CN', family: '家人', prefix: 'zh' },
  { language: 'en-US', family: 'Family', prefix: 'en' },
] as const

const COUNT = 40
/** Asks of each of those who will be blocked. */
const ASKED = 3

let admin: Account

// A portal of its own: people are counted.
test.use({ portalOptions: { environment: { COMMONS_PORTAL_NAME: 'Plans' } } })
test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ portal }) => {
  admin = await portal.admin()
})

const drawer = (page: Page) => page.getByTestId('drawer')
const rowNamed = (page: Page, name: string) => page.getByTestId('plan-row').filter({ hasText: name })

/** Forty people in a plan of 150 asks a week, of whom three have asked. */
async function seedPlan(portal: Portal, family: string, prefix: string) {
  const week = { source: 'openai_api', unit: 'asks', window: { kind: 'week' }, amount: 150 }
  const plan = await admin.result<{ id: number }>('POST', '/plan', { name: family, limits: [week] })
  const lines = Array.from({ length: COUNT }, (_, at) => `${prefix} ${at + 1},${prefix}${at + 1}@example.org,${family}`)
  const { rows } = await admin.result<{ rows: ListedRow[] }>('POST', '/plan/list', { csv: lines.join('\n') })
  const people = await Promise.all(rows.slice(0, 3).map(row => portal.signedIn(row.username ?? '', row.password ?? '')))
  for (const person of people) for (let count = 0; count < ASKED; count++) await person.ask('/simulate tokens=5')
  return { plan, people }
}

for (const { language, family, prefix } of JOURNEYS) {
  const t = TEXTS[language]

  test(`a plan is changed for forty people, of whom three are blocked and one is spared, in ${language}`, async ({
    page,
    portal,
    comeAs,
    readIn,
  }) => {
    test.slow()
    const { people } = await seedPlan(portal, family, prefix)
    await readIn(language, admin)
    await comeAs(admin)

    await test.step('the plan is in the tree with its people, and opens by the keyboard', async () => {
      await page.goto('/admin')
      await page.getByTestId('admin-nav-plan').click()
      await expect(rowNamed(page, family)).toContainText(String(COUNT))
      await rowNamed(page, family).getByRole('button').press('Enter')
      await expect(drawer(page).getByTestId('plan-limit')).toBeVisible()
      await checkAccessibility(page, `the plan in ${language}`)
    })

    await test.step('as soon as somebody would be blocked, the effect is shown before it is saved', async () => {
      await drawer(page).getByLabel(t['plans.amount']).fill('2')
      await expect(drawer(page).getByRole('button', { name: t['plans.seeEffect'] })).toBeVisible()
      await drawer(page).getByRole('button', { name: t['plans.seeEffect'] }).click()
      await expect(page.getByTestId('effect-blocked').getByRole('listitem')).toHaveCount(3)
      await checkAccessibility(page, `the effect in ${language}`)
    })

    await test.step('one is spared, two are blocked, and the others go on', async () => {
      await page.getByTestId('spare-one').first().check()
      const spared = await page
        .getByTestId('effect-blocked')
        .getByRole('listitem')
        .first()
        .locator('b')
        .first()
        .innerText()
      await drawer(page).getByTestId('save').click()
      await expect(page.getByTestId('effect-preview')).toBeHidden()
      const outcomes = await Promise.all(people.map(async person => ({ person, frames: await person.ask('再问一次') })))
      const names = await Promise.all(
        outcomes
          .filter(({ frames }) => frames.every(({ type }) => type !== 'error'))
          .map(async ({ person }) => (await person.result<{ nickname: string }>('GET', '/user/me')).nickname),
      )
      expect(names).toEqual([spared])
    })
  })

  test(`an invitation for one lets one in and tells the second in words, in ${language}`, async ({
    page,
    comeAs,
    readIn,
    browser,
  }) => {
    await readIn(language, admin)
    await comeAs(admin)
    await page.goto('/admin/plan')
    await page.getByTestId('invite').click()
    await page.getByTestId('invite-plan').selectOption({ label: family })
    await page.getByTestId('make-invitation').click()
    const link = await page.getByTestId('invitation-link').inputValue()

    const guest = await browser.newContext({ viewport: { width: 390, height: 844 } })
    await guest.addInitScript(given => localStorage.setItem('language', given), language)
    const [first, second] = [await guest.newPage(), await guest.newPage()]
    await Promise.all([first.goto(link), second.goto(link)])
    await expect(second.getByTestId('offer')).toContainText(family)
    await checkAccessibility(second, `the invitation in ${language}`)

    await test.step('the first comes in', async () => {
      await first.getByTestId('join-nickname').fill('Wu Tong')
      await first.getByTestId('join-username').fill(`${prefix}-wutong`)
      await expect(first.getByText(t['invitation.username.free'], { exact: true })).toBeVisible()
      await first.getByTestId('join-password').fill('plum-blossom-9')
      await first.getByTestId('join').click()
      await expect(first).toHaveURL(/\/conversation/)
    })

    await test.step('the second is told that it has been used', async () => {
      await guest.clearCookies()
      await second.getByTestId('join-nickname').fill('Somebody')
      await second.getByTestId('join-username').fill(`${prefix}-somebody`)
      await second.getByTestId('join-password').fill('plum-blossom-9')
      await second.getByTestId('join').click()
      await expect(second.getByText(t['invitation.used'], { exact: true }).last()).toBeVisible()
      await expect(second.getByTestId('join')).toBeHidden()
    })

    await test.step('the list says so', async () => {
      await page.reload()
      await expect(page.getByTestId('invitation').first()).toContainText(t['invitations.state.used'])
    })
    await guest.close()
  })

  test(`a list of sixty is looked at first, and five bad rows keep none of the others, in ${language}`, async ({
    page,
    comeAs,
    readIn,
  }) => {
    await readIn(language, admin)
    await comeAs(admin)
    const good = Array.from({ length: 55 }, (_, at) => `List ${at},${prefix}-list${at}@example.org,${family}`)
    const bad = [
      `,${prefix}-a@example.org,${family}`,
      `No plan,${prefix}-b@example.org,Nowhere`,
      `No address,nothing,${family}`,
      `Twice,${prefix}-list1@example.org,${family}`,
      `Alone`,
    ]
    await page.goto('/admin/plan')
    await page.getByTestId('people-list').click()
    await page.getByTestId('people-csv').fill([...good, ...bad].join('\n'))
    await page.getByTestId('preview-list').click()
    const refused = page.locator('[data-testid=list-row][data-outcome=refused]')
    await expect(page.getByTestId('list-row')).toHaveCount(60)
    const before = await refused.count()
    expect(before).toBeGreaterThanOrEqual(5)
    await checkAccessibility(page, `the list in ${language}`)
    await page.getByTestId('run-list').click()
    await expect(page.getByTestId('save-passwords')).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByTestId('save-passwords').click()
    expect((await download).suggestedFilename()).toBe('passwords.csv')
    const { created } = await admin.result<{ created: number }>('POST', '/plan/list', {
      csv: good.join('\n'),
      dry_run: true,
    })
    expect(created).toBeLessThanOrEqual(1)
  })
}

test('plans and their drawer fit on a phone', async ({ page, comeAs }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await comeAs(admin)
  await page.goto('/admin/plan')
  await rowNamed(page, 'Family').click()
  await expect(drawer(page).getByTestId('plan-limit')).toBeVisible()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(wide).toBeLessThanOrEqual(0)
  await checkAccessibility(page, 'the plan on a phone')
  await drawer(page).getByRole('textbox').first().press('Escape')
  await expect(drawer(page)).toBeHidden()
})
