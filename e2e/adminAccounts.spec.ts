import type { Page } from '@playwright/test'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { checkAccessibility, checkContrast } from './checkAccessibility.ts'
import { bringSession, expect, test } from './journey.ts'
import { type ManyUpstreams, seedUpstreams } from './manyUpstreams.ts'
import type { Account } from './startPortal.ts'
import { TEXTS } from './steps.ts'

const KEY = 'sk-third-0000-7Qkx'

let admin: Account
let seeded: ManyUpstreams
let third: Simulator

test.use({ portalOptions: { environment: { COMMONS_OPENAI_API_SHARED_LIMIT: '50' } } })
test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ portal }) => {
  test.setTimeout(120_000)
  admin = await portal.admin()
  seeded = await seedUpstreams(portal, admin)
  third = await startSimulator({ tokens_per_second: 0, key: KEY })
})

test.afterAll(async () => {
  await seeded.close()
  await third.close()
})

const row = (page: Page, label: string) => page.getByTestId('admin-row').filter({ hasText: label })
const drawer = (page: Page) => page.getByTestId('drawer')
const read = async (label: string) =>
  (await admin.result<UpstreamRead[]>('GET', '/system/upstreams')).find(upstream => upstream.label === label)

for (const language of ['zh-CN', 'en-US'] as const) {
  const t = TEXTS[language]
  const name = `Third ${language}`

  test(`accounts are seen, tested, added, changed, paused and removed, in ${language}`, async ({
    page,
    context,
    portal,
  }) => {
    test.slow()
    await admin.result('PATCH', '/user/me/preferences', { language })
    await bringSession(context, admin, portal.url)
    await page.goto('/admin/openai_settings')

    await test.step('each says how it is, why, and what helps', async () => {
      await expect(row(page, 'Main')).toContainText(t['upstreams.state.normal'])
      await expect(row(page, 'Workshop')).toContainText(t['upstreams.reason.openai.429'])
      await expect(row(page, 'Workshop')).toContainText(/ \d:\d\d/)
      await expect(row(page, 'Old spare')).toContainText(t['upstreams.state.refused'])
      await expect(row(page, 'Lab gateway')).toContainText(t['upstreams.state.paused'])
      await expect(row(page, 'Main').getByRole('meter')).toHaveAttribute('aria-valuenow', '9')
      await row(page, 'Old spare').getByTestId('repair').click()
      await expect(drawer(page).getByLabel(t['upstreams.field.secret'], { exact: true })).toBeFocused()
      await drawer(page).getByRole('button', { name: t['drawer.close'] }).click()
    })

    await test.step('the conversations that live there are a click away, and stay so after a reload', async () => {
      await row(page, 'Main').getByRole('link').click()
      await expect(page).toHaveURL(/\/admin\/conversation\?.*upstream_id=\d+/)
      await page.reload()
      const chosen = page.getByRole('button', { name: 'Main' })
      await expect(chosen.first()).toBeVisible()
      await expect(page.getByTestId('admin-row')).not.toHaveCount(0)
      await page.goto('/admin/openai_settings')
    })

    await test.step('a new one is tested before it is added: first its key is refused, then all is well', async () => {
      await page.getByTestId('add-upstream').click()
      await drawer(page).getByLabel(t['upstreams.field.label'], { exact: true }).fill(name)
      await drawer(page).getByLabel(t['upstreams.field.base_url'], { exact: true }).fill(third.url)
      await drawer(page).getByLabel(t['upstreams.field.secret'], { exact: true }).fill('sk-wrong-key-1234')
      await page.getByTestId('run-test').click()
      const panel = page.getByTestId('upstream-test')
      await expect(panel.locator('[data-outcome=failed]')).toContainText(t['upstreams.todo.openai.401'])
      await expect(panel.locator('[data-outcome=untried]')).toHaveCount(1)
      await drawer(page).getByRole('button', { name: t['upstreams.key.again'] }).click()
      await drawer(page).getByLabel(t['upstreams.field.secret'], { exact: true }).fill(KEY)
      await page.getByTestId('run-test').click()
      await expect(panel.locator('[data-outcome=ok]')).toHaveCount(3)
      await expect(panel).toContainText(t['upstreams.outcome.ready'])
      expect(await read(name)).toBe(undefined)
    })

    await test.step('its models are picked, named and put in order, and it answers with them', async () => {
      await drawer(page).getByText(t['upstreams.models.picked'], { exact: true }).click()
      const models = page.getByTestId('model-row')
      while ((await models.getByRole('checkbox', { checked: true }).count()) > 2)
        await models.getByRole('checkbox', { checked: true }).last().click()
      const second = (await models.nth(1).locator('span').first().innerText()).trim()
      await models.nth(1).getByRole('button').first().click()
      await expect(models.first()).toContainText(second)
      await models.first().getByRole('textbox').first().fill('Quick one')
      await page.getByTestId('save').click()
      await expect(row(page, name)).toContainText(t['upstreams.state.normal'])
      await expect(drawer(page)).toBeHidden()
      const added = await read(name)
      expect(added?._set.secret).toMatchObject({ set: true, last4: '7Qkx', changed_by: 'admin' })
      expect(added?.models.filter(({ offered }) => offered).map(model => [model.name, model.label])).toEqual([
        [second, 'Quick one'],
        [expect.any(String), null],
      ])
    })

    await test.step('two administrators change the same: both values are shown; what only one changed is kept', async () => {
      await row(page, name).getByRole('button', { name: t['upstreams.edit'] }).click()
      await expect(drawer(page).getByPlaceholder(t['upstreams.key.keep'])).toBeVisible()
      const key = drawer(page).getByLabel(t['upstreams.field.secret'], { exact: true })
      await key.fill('sk-of-mine-0000-1111')
      await drawer(page).getByRole('tab', { name: t['upstreams.tab.sharing'] }).click()
      await drawer(page).getByLabel(t['upstreams.field.concurrency'], { exact: true }).fill('7')
      const { id = 0 } = (await read(name)) ?? {}
      await admin.result('PATCH', `/system/upstreams/${id}`, { concurrency: 5, shared_limit: 40, secret: KEY })
      await page.getByTestId('save').click()
      await expect(page.getByTestId('conflicts')).toContainText('5')
      const conflict = page.getByTestId('conflicts').getByRole('group')
      await conflict
        .filter({ hasText: t['upstreams.field.concurrency'] })
        .getByRole('button', { name: t['drawer.take.mine'] })
        .click()
      await expect(conflict).toContainText('admin')
      await conflict.getByRole('button', { name: t['drawer.take.theirs'] }).click()
      await drawer(page).getByRole('tab', { name: t['upstreams.tab.connection'] }).click()
      await expect(key).toHaveValue('')
      await page.getByTestId('save').click()
      await expect
        .poll(() => read(name))
        .toMatchObject({ concurrency: 7, shared_limit: 40, _set: { secret: { last4: '7Qkx' } } })
      await expect(page.getByTestId('save')).toBeDisabled()
      await drawer(page).getByRole('button', { name: t['drawer.close'] }).click()
    })

    await test.step('what one of its models takes and can is set by hand, and taken back', async () => {
      const setOfQuick = async () => (await read(name))?.model_settings[0]
      const before = await setOfQuick()
      await row(page, name).getByRole('button', { name: t['upstreams.edit'] }).click()
      await drawer(page).getByRole('tab', { name: t['upstreams.tab.models'] }).click()
      const model = page.getByTestId('model-settings').first()
      await model.locator('summary').click()
      await model.getByLabel(t['upstreams.can.takes_pictures'], { exact: true }).selectOption('true')
      await model.getByLabel(t['upstreams.can.request_fields'], { exact: true }).fill('{"temperature": 0.2}')
      await page.getByTestId('save').click()
      await expect
        .poll(setOfQuick)
        .toMatchObject({ read: before?.read, set: { takes_pictures: true }, request_fields: { temperature: 0.2 } })
      await model.getByLabel(t['upstreams.can.takes_pictures'], { exact: true }).selectOption('read')
      await model.getByLabel(t['upstreams.can.request_fields'], { exact: true }).fill('')
      await page.getByTestId('save').click()
      await expect.poll(setOfQuick).toEqual(before)
      await drawer(page).getByRole('button', { name: t['drawer.close'] }).click()
    })

    await test.step('it gets a window and is shared; what it says of the window is believed', async () => {
      await row(page, name).getByRole('button', { name: t['upstreams.edit'] }).click()
      await drawer(page).getByRole('tab', { name: t['upstreams.tab.sharing'] }).click()
      await page.getByRole('button', { name: t['upstreams.windows.add'] }).click()
      await drawer(page).getByLabel(t['upstreams.field.owner_id'], { exact: true }).selectOption({ label: 'admin' })
      await drawer(page).getByLabel(t['upstreams.field.reserve_percent'], { exact: true }).fill('13')
      await expect(drawer(page)).toContainText(/7 (\/|of) 50/)
      await checkAccessibility(page, `sharing in ${language}`)
      await page.getByTestId('save').click()
      await expect
        .poll(() => read(name))
        .toMatchObject({ sharing: 'shares', reserve_percent: 13, windows: [{ amount: 50 }] })
      await expect(page.getByTestId('window-origin')).toContainText(t['upstreams.window.asSet'])
      await expect(row(page, name)).toContainText(t['upstreams.tag.shares'])
      await drawer(page).getByText(t['upstreams.sharing.first_come'], { exact: true }).click()
      await expect(drawer(page)).toContainText(t['upstreams.sharing.ends'])
      await page.getByTestId('save').click()
      await expect.poll(() => read(name)).toMatchObject({ sharing: 'first_come' })
      await drawer(page).getByRole('button', { name: t['drawer.close'] }).click()
    })

    await test.step('it is paused and resumed', async () => {
      await row(page, name).getByRole('button', { name: t['upstreams.pause'] }).click()
      await expect(row(page, name)).toContainText(t['upstreams.state.paused'])
      await expect(row(page, name).getByRole('group')).toBeFocused()
      await expect(row(page, name)).toContainText('admin')
      await row(page, name).getByTestId('resume').click()
      await expect(row(page, name)).toContainText(t['upstreams.state.normal'])
    })

    await test.step('it is removed, which says what becomes of its conversations; the first one never is', async () => {
      await row(page, name).getByRole('button', { name: t['upstreams.edit'] }).click()
      await page.getByTestId('remove-upstream').click()
      await expect(page.getByRole('dialog')).toContainText(t['upstreams.remove.none'])
      await page.getByRole('dialog').getByRole('button', { name: t['upstreams.remove.verb'] }).click()
      await expect(row(page, name)).toHaveCount(0)
      await row(page, 'Main').getByRole('button', { name: t['upstreams.edit'] }).click()
      await expect(drawer(page).getByRole('link', { name: t['upstreams.fromSettings.go'] })).toBeVisible()
      await expect(page.getByTestId('remove-upstream')).toHaveCount(0)
    })
  })
}

test.describe("nothing stands in anybody's way", () => {
  test.use({ colorScheme: 'light', reducedMotion: 'reduce' })

  test('among accounts in each state, and in the drawer, in both themes', async ({ page, context, portal }) => {
    test.slow()
    const t = TEXTS['zh-CN']
    await admin.result('PATCH', '/user/me/preferences', { language: 'zh-CN' })
    await bringSession(context, admin, portal.url)
    for (const [where, label] of [
      ['/admin/openai_settings', 'Workshop'],
      [`/admin/openai_settings?open=${seeded.ids['Old spare']}`, t['upstreams.outcome.failed']],
      [`/admin/openai_settings?open=${seeded.ids.Main}`, t['upstreams.fromSettings.go']],
    ] as const) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(where)
      await expect(page.getByText(label).first()).toBeVisible()
      await checkAccessibility(page, where)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
      })
      await checkContrast(page, `${where} in the dark`)
    }
  })
})
