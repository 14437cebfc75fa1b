import type { Page } from '@playwright/test'
import type { UserReadAdmin } from '#contract/users.ts'
import { bringSession, expect, test } from './journey.ts'
import { type PeopleIds, seedPeople } from './manyPeople.ts'
import type { Account } from './startPortal.ts'
import { TEXTS } from './steps.ts'

/** What the two journeys change is of different people. */
const JOURNEYS = [
  {
    language: 'zh-CN',
    added: 'jiajia',
    edited: 'chenjg',
    usedUp: 'meiling',
    signedIn: 'faiz',
    extended: ['zhouting', 'sunbo'],
  },
  {
    language: 'en-US',
    added: 'newcomer',
    edited: 'yinuo',
    usedUp: 'okafor',
    signedIn: 'hexm',
    extended: ['wutong', 'liunn'],
  },
] as const
const PASSWORD = 'correct-horse-7'

let admin: Account
let ids: PeopleIds

// A portal of its own: people are counted.
test.use({ portalOptions: { environment: { COMMONS_PORTAL_NAME: 'Forty people' } } })
test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ portal }) => {
  test.setTimeout(120_000)
  admin = await portal.admin()
  ids = await seedPeople(portal, admin)
})

const rows = (page: Page) => page.getByTestId('admin-row')
const rowOf = (page: Page, username: string) => page.locator(`[data-testid=admin-row][data-key="${ids[username]}"]`)
const drawer = (page: Page) => page.getByTestId('drawer')
const read = (username: string) => admin.result<UserReadAdmin>('GET', `/user/${ids[username]}`)

for (const { language, added, edited, usedUp, signedIn, extended } of JOURNEYS) {
  const t = TEXTS[language]

  test(`people are found, made, changed and helped, in ${language}`, async ({ page, context, portal, readIn }) => {
    test.slow()
    await readIn(language, admin)
    await bringSession(context, admin, portal.url)
    await page.goto('/admin/user')

    await test.step('a list of forty says who has used up what, and whose time ends', async () => {
      await expect(rows(page).first()).toBeVisible()
      await expect(rowOf(page, 'meiling')).toContainText(t['users.usedUp'])
      await expect(rowOf(page, 'huangli')).toContainText(t['users.state.inactive'])
    })

    await test.step('words and filters are kept in the address', async () => {
      await page.getByLabel(t['users.search']).fill('ling mei')
      await expect(rows(page)).toHaveCount(1)
      await page.getByRole('button', { name: t['users.validity'], exact: true }).first().click()
      await page.getByRole('menuitemradio', { name: t['users.expiry.expired'] }).click()
      await expect(rows(page)).toHaveCount(0)
      await page.getByLabel(t['users.search']).fill('')
      await expect(rowOf(page, 'huangli')).toBeVisible()
      await page.reload()
      await expect(rows(page)).toHaveCount(1)
      await expect(page).toHaveURL(/expiry=expired/)
      await page.goto('/admin/user')
    })

    await test.step('a new account gets a password that is shown once and signs in', async () => {
      await page.getByTestId('add-user').click()
      await expect(drawer(page).getByRole('textbox', { name: t['users.nickname'] })).toBeFocused()
      await drawer(page).getByRole('textbox', { name: t['users.nickname'] }).fill(added)
      await drawer(page).getByRole('textbox', { name: t['users.username'] }).fill(added)
      await drawer(page).getByRole('textbox', { name: t['users.email'] }).fill(`${added}@example.org`)
      await page.getByTestId('create-user').click()
      const password = await page.getByTestId('once-password').locator('code').innerText()
      await portal.signedIn(added, password)
    })

    await test.step('two administrators change the same: both values are shown, and neither is lost', async () => {
      await page.goto(`/admin/user?open=${ids[edited]}`)
      await drawer(page).getByRole('textbox', { name: t['users.nickname'] }).fill(`${edited} mine`)
      await drawer(page).getByRole('textbox', { name: t['users.remark'] }).fill('a friend')
      await expect(page.getByTestId('changes')).toContainText(`${edited} mine`)
      await admin.result('PATCH', `/user/${ids[edited]}`, { nickname: `${edited} theirs` })
      await page.getByTestId('save').click()
      await expect(page.getByTestId('conflicts')).toContainText(`${edited} theirs`)
      expect((await read(edited)).remark).toBe(null)
      await page.getByTestId('conflicts').getByRole('button', { name: t['drawer.take.mine'] }).click()
      await page.getByTestId('save').click()
      await expect.poll(() => read(edited)).toMatchObject({ nickname: `${edited} mine`, remark: 'a friend' })
    })

    await test.step('leaving with changes asks', async () => {
      await drawer(page).getByRole('textbox', { name: t['users.remark'] }).fill('an old friend')
      await drawer(page).getByRole('button', { name: t['drawer.close'] }).click()
      await page.getByRole('dialog').getByRole('button', { name: t['drawer.stay'] }).click()
      await page.getByTestId('discard').click()
      await drawer(page).getByRole('button', { name: t['drawer.close'] }).click()
      await expect(drawer(page)).toBeHidden()
    })

    await test.step('limits of a source are changed in one drawer, and what may be asked now is told', async () => {
      await page.goto(`/admin/user?open=${ids[usedUp]}`)
      await drawer(page).getByRole('tab', { name: t['users.tab.openai_api'] }).click()
      const preview = page.getByTestId('allowance-preview')
      await expect(preview).toContainText(t['users.why.noAvailableModelAskCount'])
      const before = (await read(usedUp)).setting.openai_api.daily_available_time_slots
      await drawer(page)
        .getByRole('button', { name: `+100 ${t['users.total']}` })
        .click()
      await page.getByTestId('slot-strip').getByRole('slider').first().press('Delete')
      await expect(page.getByTestId('changes').getByRole('listitem')).toHaveCount(2)
      await page.getByTestId('save').click()
      await expect(page.getByTestId('save')).toBeDisabled()
      expect((await read(usedUp)).setting.openai_api.daily_available_time_slots).toEqual(before.slice(1))
    })

    await test.step('several are extended at once; who stays as they are is named before', async () => {
      await page.goto('/admin/user?size=100')
      for (const username of extended) await rowOf(page, username).getByRole('checkbox').click()
      await page.getByTestId('bulk-extend').click()
      await expect(page.getByTestId('dry-run')).toBeVisible()
      await page.getByTestId('bulk-run').click()
      await expect(rowOf(page, extended[0])).toContainText(t['users.bulk.changed'])
      await page.getByTestId('admin-bulk').getByRole('button').last().click()
    })

    await test.step('a session is ended', async () => {
      const person = await portal.signedIn(signedIn, PASSWORD)
      await page.goto(`/admin/user?open=${ids[signedIn]}`)
      await drawer(page).getByRole('tab', { name: t['users.tab.records'] }).click()
      await page.getByTestId('session').first().getByRole('button').click()
      await expect.poll(async () => (await person.call('GET', '/user/me')).code).toBe(10401)
    })
  })
}
