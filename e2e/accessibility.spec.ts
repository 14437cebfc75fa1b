import type { Locator, Page } from '@playwright/test'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '#contract/preferences.ts'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { expect, test, bringSession } from './journey.ts'
import { checkAccessibility, checkContrast, checkWording } from './checkAccessibility.ts'
import { checkTexts } from './checkTexts.ts'
import { answerAsDrawn } from './picturesOfLogs.ts'
import { ask, openDialog, questions, TEXTS as TEXTS_OF, untilAnswered } from './steps.ts'

/** One of each kind of content that answers have. */
const ANSWER =
  '## 标题\n\n一段话，有 **重点**、`代码` 和 [链接](https://example.org/)。\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n' +
  '```js\n// 说明\nconst answer = "text" + 42\n```\n\n> 引用\n\n1. 一\n2. 二\n\n$$x_{1,2} = \\frac{-b}{2a}$$\n'

const TEXTS = TEXTS_OF[DEFAULT_LANGUAGE]
const OTHER_LANGUAGES = LANGUAGES.filter(language => language !== DEFAULT_LANGUAGE)

/** Everything in one language, with the colours of both themes; in the others what a language can change. */
async function checkInAllLanguages(page: Page, where: string): Promise<void> {
  await checkInBothThemes(page, where)
  await checkTexts(page, where)
  for (const language of OTHER_LANGUAGES) {
    await readIn(page, language)
    await checkWording(page, `${where} in ${language}`)
    await checkTexts(page, `${where} in ${language}`)
  }
  await readIn(page, DEFAULT_LANGUAGE)
}

async function checkInBothThemes(page: Page, where: string): Promise<void> {
  await checkAccessibility(page, where)
  await wear(page, 'dark')
  await checkContrast(page, `${where} in the dark`)
  await wear(page, 'light')
}

/** As when the person chooses it in another tab: nothing that is open closes. */
async function readIn(page: Page, language: Language): Promise<void> {
  await page.evaluate(given => {
    localStorage.setItem('language', given)
    window.dispatchEvent(new StorageEvent('storage'))
  }, language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

async function wear(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
  // During the transition between themes a colour belongs to neither.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
  })
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** Pages of the administration: name of the link, name of the title, and what shows that the page has its content. */
const ADMIN_SCREENS = [
  ['system', 'system', 'shared-account'],
  ['user', 'user', 'admin-row'],
  ['plan', 'plan', 'plan-row'],
  ['conversation', 'conversation', 'admin-row'],
  ['log', 'log', 'admin-row'],
  ['account', 'openai_settings', 'admin-row'],
  ['prompts', 'prompts', 'portal-instructions'],
  ['config', 'config', 'setting'],
] as const

/** A person in the drawer with changes, what is known of them, a new one, and a change of many. */
async function checkUsers(page: Page, id: number): Promise<void> {
  const drawer = page.getByTestId('drawer')
  const close = drawer.getByRole('button', { name: TEXTS['drawer.close'] })
  await page.goto(`/admin/user?open=${id}`)
  await expect(drawer.getByRole('textbox').first()).toBeVisible()
  await checkInAllLanguages(page, 'a person')
  await drawer.getByRole('tab').nth(1).click()
  await expect(page.getByTestId('person-plan')).toBeVisible()
  await checkInAllLanguages(page, 'the plan of a person')
  await drawer.getByRole('tab').nth(3).click()
  await expect(page.getByTestId('allowance-preview').locator('dd').first()).toBeVisible()
  await page.getByTestId('slot-strip').getByRole('slider').first().press('Shift+ArrowLeft')
  await page.getByTestId('slot-strip').locator('xpath=../..').getByRole('button').click()
  await expect(page.getByTestId('changes')).toBeVisible()
  await checkInAllLanguages(page, 'limits of a person, changed')
  await page.getByTestId('discard').click()
  await drawer.getByRole('tab').nth(4).click()
  await expect(page.getByTestId('session').first()).toBeVisible()
  await checkInAllLanguages(page, 'records of a person')
  await close.click()
  await page.getByTestId('add-user').click()
  await expect(page.getByTestId('create-user')).toBeVisible()
  await checkInAllLanguages(page, 'a new person')
  await close.click()
  await page.getByTestId('admin-row').first().getByRole('checkbox').click()
  await page.getByTestId('bulk-count').click()
  await expect(page.getByTestId('dry-run')).toBeVisible()
  await checkInAllLanguages(page, 'a change of many')
}

async function checkMenus(page: Page): Promise<void> {
  const menus = [
    ['user-menu', page.getByTestId('user-menu')],
    ['conversation menu', page.getByRole('banner').getByRole('button', { name: TEXTS['conversations.actions'] })],
    ['answer menu', page.getByTestId('thread').getByRole('button', { name: TEXTS['kit.more'] }).last()],
  ] as const
  for (const [name, button] of menus) {
    await button.click()
    await expect(page.getByRole('menu')).toBeVisible()
    await checkInAllLanguages(page, name)
    if (name === 'conversation menu') {
      await page.getByTestId('export-menu').click()
      await expect(page.getByTestId('export-json')).toBeVisible()
      await checkInAllLanguages(page, 'export menu')
    }
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
  }
}

async function checkDialogs(page: Page): Promise<void> {
  for (const item of [
    'userMenu.profile',
    'userMenu.resetPassword',
    'userMenu.preferences',
    'shortcuts.title',
  ] as const) {
    await openDialog(page, DEFAULT_LANGUAGE, item)
    await checkInAllLanguages(page, item)
    await closeDialog(page)
  }
  await page.getByTestId('new-conversation').click()
  await expect(page.getByTestId('new-conversation-title')).toBeVisible()
  await checkInAllLanguages(page, 'new conversation')
  await closeDialog(page)
  for (const item of ['transfer.import', 'conversations.deleteAll'] as const) {
    await openDialogOfAll(page, item)
    await checkInAllLanguages(page, item)
    await closeDialog(page)
  }
  await checkExportOfAll(page)
}

async function openDialogOfAll(
  page: Page,
  item: 'transfer.import' | 'transfer.exportAll' | 'conversations.deleteAll',
): Promise<void> {
  await page.getByRole('button', { name: TEXTS['conversations.actionsOfAll'] }).click()
  await page.getByRole('menuitem', { name: TEXTS[item] }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

/** The dialog closes by itself when everything is exported; here the export is held back and then fails. */
async function checkExportOfAll(page: Page): Promise<void> {
  const { promise: looked, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(/\/api\/conv\/export/, async route => {
    await looked
    await route.fulfill({ json: { code: -1, message: 'errors.internal', result: null } })
  })
  await openDialogOfAll(page, 'transfer.exportAll')
  await expect(page.getByRole('progressbar')).toBeVisible()
  await checkInAllLanguages(page, 'transfer.exportAll')
  goOn()
  await expect(page.getByText(TEXTS['transfer.exportFailed'])).toBeVisible()
  await checkInAllLanguages(page, 'transfer.exportFailed')
  await closeDialog(page)
}

async function checkRawContent(page: Page): Promise<void> {
  await page.getByTestId('thread').getByRole('button', { name: TEXTS['kit.more'] }).last().click()
  await page.getByRole('menuitem', { name: TEXTS['message.raw'] }).click()
  await expect(page.getByRole('dialog').getByTestId('message-raw')).toContainText('"role"')
  await checkInAllLanguages(page, 'message.raw')
  await closeDialog(page)
}

/** A picture, one of two, with its description and a way to the other. */
async function checkPicture(page: Page): Promise<void> {
  await page
    .getByTestId('pictures')
    .last()
    .getByRole('button')
    .filter({ has: page.locator('img') })
    .first()
    .click()
  await expect(page.getByRole('dialog').locator('img')).toBeVisible()
  await checkInAllLanguages(page, 'a picture')
  await closeDialog(page)
}

test.describe("nothing stands in anybody's way in any language", () => {
  test.use({ colorScheme: 'light', reducedMotion: 'reduce' })
  // Checking a screen takes a second, on a busy machine ten.
  test.describe.configure({ timeout: 300_000 })

  test('arriving, signing in and getting lost', async ({ page }) => {
    for (const [path, title] of [
      ['/home', 'home.title'],
      ['/no/such/page', 'error.404.title'],
      ['/error/403', 'error.403.title'],
      ['/login', 'login.title'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: TEXTS[title] })).toBeVisible()
      await checkInAllLanguages(page, path)
    }
    await page.getByTestId('sign-in').click()
    await expect(page.getByText(TEXTS['login.usernameRequired'])).toBeVisible()
    await checkInAllLanguages(page, 'mistakes of the form')
  })

  test('a conversation with its menus, branches and troubles', async ({ chatPage, portal }) => {
    await expect(chatPage.getByRole('button', { name: TEXTS['empty.letter'] })).toBeVisible()
    await checkInAllLanguages(chatPage, 'empty')
    portal.simulator.nextAnswer(ANSWER)
    await ask(chatPage, '各来一点')
    await untilAnswered(chatPage)
    await expect(chatPage.locator('.katex').first()).toBeVisible()
    await checkInAllLanguages(chatPage, 'answered')
    await checkMenus(chatPage)
    await checkRawContent(chatPage)
    await questions(chatPage).first().hover()
    await chatPage.getByTestId('message-edit').first().click()
    await checkInAllLanguages(chatPage, 'editing')
    await chatPage.keyboard.press('Escape')
    portal.simulator.nextFault({ kind: 'status', status: 500 })
    await ask(chatPage, '木头为什么会裂？')
    await expect(chatPage.getByTestId('message-retry')).toBeVisible()
    await checkInAllLanguages(chatPage, 'failed')
    for (const words of ['木头', '低温工况']) {
      await chatPage.getByTestId('search').fill(words)
      await expect(
        words === '木头'
          ? chatPage.getByTestId('search-result').first()
          : chatPage.getByText(TEXTS['conversations.searchOtherwise']),
      ).toBeVisible()
      await checkInAllLanguages(chatPage, `searched for ${words}`)
    }
  })

  test('what tools did, and the record', async ({ chatPage, person, portal }) => {
    await chatPage.route('**/api/files/*/content', route => route.fulfill({ path: 'web/public/icons/icon-512.png' }))
    for (const [path, stored] of [
      ['/conversation?id=', heatPump],
      ['/conv/', poster],
    ] as const) {
      await chatPage.goto(`${path}${await portal.had(person, stored)}`)
      await expect(chatPage.getByTestId('message').first()).toBeVisible()
      await chatPage.locator('summary').first().click()
      await checkInAllLanguages(chatPage, stored.title)
    }
    await checkPicture(chatPage)
  })

  test('the dialogs', async ({ chatPage, person }) => {
    await person.ask('你好', { new_title: '有一个对话' })
    await chatPage.reload()
    await expect(chatPage.getByTestId('conversation-row')).toBeVisible()
    await checkDialogs(chatPage)
  })

  test('the administration', async ({ page, context, portal }) => {
    const admin = await portal.admin()
    await bringSession(context, admin, portal.url)
    await admin.ask('你好', { new_title: '有一个对话' })
    await page.goto('/admin/system')
    for (const [name, path, shown] of ADMIN_SCREENS) {
      await page.getByTestId(`admin-nav-${name}`).click()
      await expect(page.getByRole('heading', { level: 1, name: TEXTS[`admin.${path}`] })).toBeVisible()
      await expect(page.getByTestId(shown).first()).toBeVisible()
      await checkInAllLanguages(page, path)
    }
    for (const [path, value] of [
      ['asking.max_queue_length', '0'],
      ['asking.lease_seconds', '20'],
    ] as const)
      await page.locator(`[data-path="${path}"] input`).fill(value)
    await expect(page.getByTestId('save')).toBeDisabled()
    await checkInAllLanguages(page, 'config with changes and a mistake')
    await page.goto('/admin/conversation')
    await page.getByTestId('admin-row').first().getByRole('checkbox').check()
    await page.getByTestId('bulk-assign').click()
    await expect(page.getByTestId('person').first()).toBeVisible()
    await checkInAllLanguages(page, 'conversations that are assigned')
    await answerAsDrawn(page)
    for (const [tab, shown] of [
      ['?person=1', 'admin-row'],
      ['?tab=server&lit=r-5a7c', 'log-line'],
    ] as const) {
      await page.goto(`/admin/log${tab}`)
      await expect(page.getByTestId(shown).first()).toBeVisible()
      await checkInAllLanguages(page, `logs ${tab}`)
    }
    await checkUsers(page, admin.id)
  })
})

test.describe('where a device chooses the colours', () => {
  test.use({ forcedColors: 'active' })

  const edge = (part: Locator) => part.evaluate(element => getComputedStyle(element).borderTopStyle)
  const ground = (part: Locator) => part.evaluate(element => getComputedStyle(element).backgroundColor)

  test('what was told apart by its ground has an edge, and what is switched on or chosen can be seen', async ({
    chatPage,
  }) => {
    await ask(chatPage, '你好')
    await untilAnswered(chatPage)
    for (const part of [
      questions(chatPage).first().locator('> div').first(),
      chatPage.locator('form').filter({ has: chatPage.getByTestId('composer') }),
      chatPage.getByTestId('new-conversation'),
    ]) {
      expect(await edge(part)).toBe('solid')
    }
    await openDialog(chatPage, DEFAULT_LANGUAGE, 'userMenu.preferences')
    const track = (on: boolean) => chatPage.locator(`[role=switch]${on ? ':checked' : ':not(:checked)'} + *`).first()
    expect(await edge(track(false))).toBe('solid')
    expect(await ground(track(true))).not.toBe(await ground(track(false)))
    expect(await edge(chatPage.getByRole('dialog'))).toBe('solid')
  })
})

test.describe("nothing stands in anybody's way on a phone", () => {
  test.use({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  test.describe.configure({ timeout: 300_000 })

  test('in the drawer and in the sheets', async ({ chatPage, person }) => {
    await person.ask('你好', { new_title: '有一个对话' })
    await chatPage.reload()
    await chatPage.getByRole('button', { name: TEXTS['conversations.openList'] }).click()
    await expect(chatPage.getByTestId('conversation-row')).toBeVisible()
    await checkInBothThemes(chatPage, 'drawer')
    await closeDialog(chatPage)
    await openDialog(chatPage, DEFAULT_LANGUAGE, 'userMenu.preferences')
    await checkInBothThemes(chatPage, 'preferences')
  })
})
