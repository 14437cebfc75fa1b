import { checkAccessibility } from './checkAccessibility.ts'
import { holdScripts, boundingBoxes, untilHandoff } from './heldBack.ts'
import { bringSession, expect, test } from './journey.ts'
import { printedPassword } from './startPortal.ts'
import { ask, signInOn, TEXTS, untilAnswered } from './steps.ts'

test.use({ warm: false, portalOptions: { demonstration: true } })

const zhCN = TEXTS['zh-CN']

test('the first start prints the password of the administrator, once, and the portal answers at once without any key', async ({
  portal,
  page,
}) => {
  await expect.poll(() => portal.printed()).toContain('Demonstration:')
  const password = printedPassword(portal.printed()) ?? ''
  expect(portal.printed()).toContain(`Chat Commons listens at ${portal.url}`)

  await page.goto('/login')
  await signInOn(page, { username: 'admin', password })
  await expect(page.getByText(zhCN['demonstration.title'])).toBeVisible()
  await expect(page.getByText(zhCN['demonstration.connect'])).toBeVisible()
  await ask(page, '你好')
  await untilAnswered(page)

  await portal.startAgain()
  await expect.poll(() => portal.printed()).toContain('Demonstration:')
  expect(portal.printed()).not.toContain('Password:')
  await page.reload()
  await expect(page.getByTestId('message')).toHaveCount(2)
})

test('the screen says that it is a demonstration before its scripts run, and stays where it is', async ({
  portal,
  page,
  context,
}) => {
  await bringSession(context, await portal.admin(), portal.url)
  const run = await holdScripts(page)
  await page.goto('/conversation', { waitUntil: 'commit' })
  await expect(page.locator('first-paint').getByText(zhCN['demonstration.connect'])).toBeVisible()
  await expect(page.getByText(zhCN['composer.demonstration'])).toBeVisible()
  const names = ['h1', '[data-testid=admin-toggle]', '[data-testid=composer]', 'main a[href="/admin/system"]']
  const before = await boundingBoxes(page, names)
  run()
  await untilHandoff(page)
  expect(await boundingBoxes(page, names)).toEqual(before)
})

test('the page of the accounts says that there is none, and what to do step by step', async ({
  portal,
  page,
  context,
}) => {
  await bringSession(context, await portal.admin(), portal.url)
  await page.goto('/admin/openai_settings')
  await expect(page.getByText(zhCN['upstreams.nothing'])).toBeVisible()
  await checkAccessibility(page, 'no account')
  await page.getByRole('main').getByRole('button', { name: zhCN['upstreams.add'] }).last().click()
  await expect(page.getByTestId('drawer').getByText(zhCN['upstreams.outcome.untested'])).toBeVisible()
})

test('an administrator connects a real upstream, and the demonstration is over', async ({ portal, page, context }) => {
  await bringSession(context, await portal.admin(), portal.url)
  await page.goto('/conversation')
  await page.getByRole('link', { name: zhCN['demonstration.go'] }).click()
  await page.getByLabel(zhCN['system.connect.address'], { exact: true }).fill(portal.simulator.url)
  await page.getByLabel(zhCN['system.connect.secret'], { exact: true }).fill('key-typed-in')
  await page.getByRole('button', { name: zhCN['system.connect.verb'], exact: true }).click()
  await expect(page.getByText(zhCN['system.connect.done'])).toBeVisible()
  await expect(page.getByText(zhCN['system.demonstration'], { exact: true })).toBeHidden()

  await page.getByTestId('admin-toggle').getByRole('link', { name: zhCN['app.area.chat'] }).click()
  await expect(page.getByRole('button', { name: zhCN['empty.letter'] })).toBeVisible()
  await expect(page.getByText(zhCN['demonstration.title'])).toBeHidden()
  await ask(page, '你是真的吗？')
  await untilAnswered(page)
  expect(portal.simulator.journal.map(({ authorization }) => authorization)).toContain('Bearer key-typed-in')
})
