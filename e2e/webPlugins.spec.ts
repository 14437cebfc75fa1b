import type { Page } from '@playwright/test'
import { LANGUAGES } from '#contract/preferences.ts'
import type { PluginList } from '#contract/plugins.ts'
import { PLUGIN_MODEL } from '#contract/models.ts'
import { checkAccessibility, checkContrast } from './checkAccessibility.ts'
import { bringSession, expect, test } from './journey.ts'
import { ADMIN_TEXTS, ask, TEXTS, untilAnswered } from './steps.ts'

test.use({ portalOptions: { web: true } })
test.describe.configure({ mode: 'serial' })

const t = TEXTS['zh-CN']
const store = (page: Page) => page.getByTestId('plugin-store')
const card = (page: Page, name: string) => store(page).getByTestId('plugin-card').filter({ hasText: name })
const shelf = (page: Page, name: string) => store(page).getByText(name, { exact: true })
const picker = (page: Page) => page.getByTestId('plugin-picker')
const option = (page: Page, name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) })

async function openPicker(page: Page): Promise<void> {
  await page.getByTestId('new-conversation').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByTestId('new-conversation-source').locator('input[value=openai_web]').check()
  await dialog.getByTestId('new-conversation-model').locator(`input[value=${PLUGIN_MODEL}]`).check()
  await dialog.getByTestId('plugin-search').click()
}

test('administrators find, install, disable and remove plugins, and the address keeps what they look at', async ({
  page,
  context,
  portal,
}) => {
  test.slow()
  const admin = await portal.admin()
  await bringSession(context, admin, portal.url)
  await page.goto('/admin/openai_settings')
  await expect(store(page).getByRole('status').first()).toHaveText(t['upstreams.plugins.count'].replace('{count}', '8'))

  await test.step('search, pages and back', async () => {
    await shelf(page, t['upstreams.plugins.shelf.all']).click()
    await expect(card(page, 'Trail Mapper')).toBeVisible()
    await store(page)
      .getByRole('button', { name: t['table.page'].replace('{number}', '4') })
      .click()
    await expect(card(page, 'First Aid Card')).toBeVisible()
    await expect(page).toHaveURL(/plugins=all/)
    await expect(page).toHaveURL(/page=4/)
    await page.reload()
    await expect(card(page, 'First Aid Card')).toBeVisible()
    await page.goBack()
    await expect(card(page, 'Trail Mapper')).toBeVisible()
    await store(page).getByPlaceholder(t['upstreams.plugins.search']).fill('sheet music')
    await expect(store(page).getByTestId('plugin-card')).toHaveCount(1)
  })

  await test.step('what is installed is there for people at once, and what is disabled is not', async () => {
    await card(page, 'Choir Book').getByTestId('install-plugin').click()
    await expect(card(page, 'Choir Book').getByTestId('enable-plugin')).toBeChecked()
    await card(page, 'Choir Book').getByTestId('plugin-details').click()
    const details = page.getByRole('dialog')
    await expect(details).toContainText('choirbook')
    await expect(details.getByRole('link').first()).toHaveAttribute('rel', 'noopener noreferrer')
    await checkAccessibility(page, 'the details of a plugin')
    await page.keyboard.press('Escape')
    await expect(details).toBeHidden()
    await shelf(page, t['upstreams.plugins.shelf.installed']).click()
    await store(page).getByPlaceholder(t['upstreams.plugins.search']).fill('')
    await expect(card(page, 'Choir Book')).toBeVisible()
    await card(page, 'Formulary').getByTestId('enable-plugin').locator('xpath=ancestor::label[1]').click()
    await expect(card(page, 'Formulary')).toContainText(t['upstreams.plugins.disabled'])
    await card(page, 'Word Roots').getByTestId('uninstall-plugin').click()
    await expect(card(page, 'Word Roots')).toContainText(t['upstreams.plugins.notInstalled'])
    const namesNow = async () =>
      (await admin.result<PluginList>('GET', '/chat/openai-plugins/installed')).items.map(({ namespace }) => namespace)
    await expect.poll(namesNow).toContain('choirbook')
    await expect.poll(namesNow).not.toContain('formulary')
    await expect.poll(namesNow).not.toContain('wordroots')
  })

  await test.step('a change that fails is taken back and said', async () => {
    portal.simulator.web.nextFault('install', { kind: 'status', status: 500 })
    await card(page, 'Choir Book').getByTestId('uninstall-plugin').click()
    await expect(page.getByRole('region', { name: t['kit.notices'] })).toContainText(
      ADMIN_TEXTS['zh-CN']['errors.openai.500'],
    )
    await expect(card(page, 'Choir Book').getByTestId('enable-plugin')).toBeChecked()
  })

  for (const language of LANGUAGES) {
    await admin.result('PATCH', '/user/me/preferences', { language })
    await page.goto('/admin/openai_settings?plugins=most_popular')
    await expect(card(page, 'Trail Mapper')).toBeVisible()
    await checkAccessibility(page, `the store of plugins in ${language}`)
  }
  await admin.result('PATCH', '/user/me/preferences', { language: 'zh-CN' })
})

test('people begin a conversation with up to three plugins, see which, and what each was asked and answered', async ({
  chatPage,
  person,
}) => {
  test.slow()
  await openPicker(chatPage)

  await test.step('the fourth is refused in words', async () => {
    for (const name of ['Trail Mapper', 'Pantry Chef', 'Rail Board']) await option(chatPage, name).click()
    await chatPage.getByTestId('plugin-search').click()
    await option(chatPage, 'Sky Watch').click()
    await expect(picker(chatPage).getByRole('alert')).toHaveText(t['errors.pluginsCountMoreThan3'])
    await expect(picker(chatPage).getByTestId('chosen-plugin')).toHaveCount(3)
    await expect(option(chatPage, 'Formulary')).toHaveCount(0)
    await checkAccessibility(chatPage, 'the picker of plugins')
    await picker(chatPage)
      .getByRole('button', { name: t['plugins.remove'].replace('{name}', 'Pantry Chef') })
      .click()
    await chatPage.getByTestId('new-conversation-confirm').click()
  })

  await test.step('they go along with the first question', async () => {
    await ask(chatPage, '周末去哪里走走？')
    await untilAnswered(chatPage)
    const steps = chatPage.locator('[data-testid=step][data-kind=plugin]')
    await expect(steps).toHaveCount(2)
    await steps.first().locator('summary').click()
    await expect(steps.first()).toContainText('query')
    await expect(steps.first()).toContainText('results')
  })

  await test.step('they stand in the header, with details, and in the viewer', async () => {
    const tag = (name: string) =>
      chatPage.getByRole('button', { name: t['plugins.detailsOf'].replace('{name}', name), exact: true })
    await expect(tag('Trail Mapper')).toBeVisible()
    await chatPage.reload()
    await tag('Rail Board').click()
    await expect(chatPage.getByRole('dialog')).toContainText('railboard.example')
    await checkContrast(chatPage, 'the details of a plugin of a conversation')
    await chatPage.keyboard.press('Escape')
    const [record] = await person.result<{ conversation_id: string }[]>('GET', '/conv')
    await chatPage.goto(`/conv/${record?.conversation_id ?? ''}`)
    await expect(tag('Trail Mapper')).toBeVisible()
  })

  for (const language of LANGUAGES) {
    await person.result('PATCH', '/user/me/preferences', { language })
    await chatPage.goto('/conversation')
    await openPicker(chatPage)
    await expect(option(chatPage, 'Trail Mapper')).toBeVisible()
    await checkAccessibility(chatPage, `the picker of plugins in ${language}`)
  }
})
