import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { answers, ask, conversationId, openDialog, questions, signInOn, TEXTS, untilAnswered } from './steps.ts'

const zhCN = TEXTS['zh-CN']
const WIDTH = 360

test.use({ viewport: { width: WIDTH, height: 740 }, isMobile: true, hasTouch: true })

/** Code, tables, rows of menus and formulas may scroll sideways; nothing else may be wider than the screen. */
async function expectToFit(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(width => {
        const mayScroll = (element: Element): boolean => {
          const scroller = element.closest('pre, nav, table, .katex-display')
          return scroller !== null && (scroller.tagName === 'TABLE' || scroller.scrollWidth > scroller.clientWidth)
        }
        return [
          ...document.querySelectorAll('main, section, article, pre, button, input, textarea, select, a, h1, h2, p'),
        ]
          .filter(
            element =>
              element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
              !(element.tagName !== 'PRE' && mayScroll(element)),
          )
          .map(element => ({ element, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 1 && (box.left < -1 || box.right > width + 1))
          .map(({ element, box }) => `${element.outerHTML.slice(0, 80)} from ${box.left} to ${box.right}`)
      }, WIDTH),
    )
    .toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(WIDTH)
}

test('on a phone one signs in, asks, finds the list in a drawer and goes on there', async ({ page, person }) => {
  await page.goto('/login')
  await expectToFit(page)
  await signInOn(page, person)
  await expect(page.getByTestId('composer')).toBeVisible()
  await expectToFit(page)

  await ask(page, '请用表格和代码说明快速排序，并写出公式\n/simulate tokens=900')
  await untilAnswered(page)
  await expect(answers(page).locator('table').first()).toBeVisible()
  await expect(answers(page).locator('pre').first()).toBeVisible()
  await expectToFit(page)

  await page.getByRole('button', { name: zhCN['conversations.openList'] }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByTestId('conversation-row')).toHaveCount(1)
  await expectToFit(page)
  await drawer.getByTestId('new-conversation').click()
  const form = page.getByRole('dialog').filter({ has: page.getByTestId('new-conversation-confirm') })
  await form.getByTestId('new-conversation-title').fill('手机上的对话')
  await expectToFit(page)
  await form.getByTestId('new-conversation-confirm').click()
  await expect(form).toBeHidden()
  await ask(page, '你好')
  await untilAnswered(page)

  await page.getByRole('button', { name: zhCN['conversations.openList'] }).click()
  await drawer.getByTestId('conversation-row').filter({ hasNotText: '手机上的对话' }).getByRole('link').click()
  await expect(drawer).toBeHidden()
  await expect(questions(page)).toContainText('快速排序')
})

test('dialogs, error pages and the administration fit on a phone', async ({ chatPage, portal, openPageFor }) => {
  for (const item of ['userMenu.profile', 'userMenu.resetPassword', 'userMenu.preferences'] as const) {
    await openDialog(chatPage, 'zh-CN', item)
    await expectToFit(chatPage)
    await chatPage.getByRole('dialog').getByRole('button', { name: zhCN['kit.close'] }).click()
    await expect(chatPage.getByRole('dialog')).toBeHidden()
  }
  for (const path of ['/home', '/error/404', '/error/403']) {
    await chatPage.goto(path)
    await expect(chatPage.getByRole('heading', { level: 1 })).toBeVisible()
    await expectToFit(chatPage)
  }
  const office = await openPageFor(await portal.admin())
  for (const path of ['system', 'user', 'config']) {
    await office.goto(`/admin/${path}`)
    await expect(office.getByRole('heading', { level: 1 })).toBeVisible()
    await expectToFit(office)
  }
})

test('with the keyboard on the screen one sees what one writes, and the end of the conversation', async ({
  chatPage,
}) => {
  await ask(chatPage, '请用表格和代码说明快速排序，并写出公式\n/simulate tokens=600')
  await untilAnswered(chatPage)
  await chatPage.getByTestId('composer').tap()
  // The height that remains above the on-screen keyboard.
  await chatPage.setViewportSize({ width: WIDTH, height: 380 })
  await chatPage.getByTestId('composer').fill('再\n说\n一\n遍')
  await expect(chatPage.getByTestId('composer')).toBeInViewport({ ratio: 1 })
  await expect(chatPage.getByTestId('send')).toBeInViewport({ ratio: 1 })
  await expect
    .poll(() =>
      chatPage.getByTestId('thread').evaluate(thread => thread.scrollHeight - thread.clientHeight - thread.scrollTop),
    )
    .toBeLessThan(40)
  await expectToFit(chatPage)
})

test('nothing lies under the edges of a phone that has none', async ({ chatPage, context }) => {
  await expect(chatPage.getByTestId('composer')).toBeVisible()
  const devtools = await context.newCDPSession(chatPage)
  const insets = { top: 44, bottom: 34, left: 0, right: 0 }
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets })
  const { height } = chatPage.viewportSize() ?? { height: 0 }
  // Other journeys may add accounts meanwhile: the lowest meter counts.
  const box = async (testid: string) => (await chatPage.getByTestId(testid).last().boundingBox()) ?? { y: 0, height: 0 }
  await expect.poll(async () => (await box('user-menu')).y).toBeGreaterThanOrEqual(insets.top)
  await expect
    .poll(async () => {
      const { y, height: own } = await box('send')
      return y + own
    })
    .toBeLessThanOrEqual(height - insets.bottom)
  await chatPage.getByRole('button', { name: zhCN['conversations.openList'] }).tap()
  await expect.poll(async () => (await box('new-conversation')).y).toBeGreaterThanOrEqual(insets.top)
  await expect
    .poll(async () => {
      const { y, height: own } = await box('shared-meter')
      return y + own
    })
    .toBeLessThanOrEqual(height - insets.bottom)
})

test('what is deleted in the open drawer comes back by keys, and by the toast above it', async ({
  chatPage,
  person,
}) => {
  for (const new_title of ['头一个', '第二个']) await person.ask('hello', { new_title })
  await chatPage.reload()
  await chatPage.getByRole('button', { name: zhCN['conversations.openList'] }).tap()
  const rows = chatPage.getByRole('dialog').getByTestId('conversation-row')
  const removeFirst = async () => {
    await rows.first().getByRole('button').tap()
    await chatPage.getByRole('menuitem', { name: zhCN['conversations.delete'] }).tap()
    await expect(rows).toHaveText([/头一个/])
  }
  await removeFirst()
  await chatPage.keyboard.press('Control+z')
  await expect(rows).toHaveText([/第二个/, /头一个/])
  await removeFirst()
  await chatPage.getByRole('button', { name: zhCN['kit.undo'] }).tap()
  await expect(rows).toHaveText([/第二个/, /头一个/])
})

test('going back closes the drawer over the conversation one comes back to', async ({ chatPage }) => {
  await ask(chatPage, '第一个对话')
  await untilAnswered(chatPage)
  const first = conversationId(chatPage)
  const { 'conversations.openList': open, 'conversations.list': list } = zhCN
  await chatPage.goto('/conversation')
  await chatPage.getByRole('button', { name: open }).click()
  const drawer = chatPage.getByRole('dialog', { name: list })
  await drawer.getByRole('link', { name: '第一个对话' }).click()
  await expect(drawer).toBeHidden()
  expect(conversationId(chatPage)).toBe(first)
  await chatPage.getByRole('button', { name: open }).click()
  await expect(drawer).toBeVisible()
  await chatPage.goBack()
  await expect(drawer).toBeHidden()
  expect(conversationId(chatPage)).toBe('')
})
