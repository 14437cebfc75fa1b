import { expect, type Page } from '@playwright/test'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { holdScripts, holdStyles, boundingBoxes, untilHandoff } from './heldBack.ts'
import { questions, TEXTS, untilAnswered } from './steps.ts'
import { test } from './journey.ts'

test.use({ warm: false })

const WAYS_TO_SEARCH = {
  'with the pointer': (page: Page) => page.getByTestId('search').click(),
  'with the keys': (page: Page) => page.keyboard.press('Control+k'),
}

test.describe('the screen of conversations', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('is there before its scripts, stays where it is, and takes along what was typed and sent', async ({
    chatPage,
    person,
  }) => {
    const run = await holdScripts(chatPage)
    await chatPage.reload({ waitUntil: 'commit' })
    await expect(chatPage.locator('first-paint h1')).toContainText(person.username)
    await expect(chatPage.getByTestId('composer')).toBeFocused()
    await expect(chatPage.getByTestId('admin-toggle')).toHaveCount(0)
    const names = [
      'header',
      '[data-testid=user-menu]',
      '[data-testid=new-conversation]',
      '[data-testid=search]',
      'h1',
      '[data-testid=composer]',
      '[data-testid=send]',
    ]
    const before = await boundingBoxes(chatPage, names)
    await chatPage.keyboard.type('先写下的问题')
    run()
    await untilHandoff(chatPage)
    expect(await boundingBoxes(chatPage, names)).toEqual(before)
    await expect(chatPage.getByTestId('composer')).toBeFocused()
    await expect(chatPage.getByTestId('composer')).toHaveValue('先写下的问题')
  })
  test('sends what was written and sent before its scripts were there', async ({ chatPage }) => {
    const run = await holdScripts(chatPage)
    await chatPage.reload({ waitUntil: 'commit' })
    await expect(chatPage.getByTestId('composer')).toBeFocused()
    await chatPage.keyboard.type('先发出的问题')
    await chatPage.keyboard.press('Enter')
    run()
    await untilAnswered(chatPage)
    await expect(questions(chatPage)).toHaveText('先发出的问题')
    await expect(chatPage.getByTestId('composer')).toHaveValue('')
  })
  test('begins lines with the keys that do not send, and sends nothing that was written on', async ({ chatPage }) => {
    const run = await holdScripts(chatPage)
    await chatPage.reload({ waitUntil: 'commit' })
    await expect(chatPage.getByTestId('composer')).toBeFocused()
    await chatPage.keyboard.type('第一行')
    await chatPage.keyboard.press('Shift+Enter')
    await chatPage.keyboard.type('第二行')
    await chatPage.keyboard.press('Enter')
    await chatPage.keyboard.type('，还没完')
    run()
    await untilHandoff(chatPage)
    await expect(chatPage.getByTestId('composer')).toHaveValue('第一行\n第二行，还没完')
    await expect(questions(chatPage)).toHaveCount(0)
  })
  test('waits for the end of a word that an input method composes, and leaves it the cursor', async ({
    chatPage,
    context,
  }) => {
    const run = await holdScripts(chatPage)
    await chatPage.reload({ waitUntil: 'commit' })
    await expect(chatPage.getByTestId('composer')).toBeFocused()
    const devtools = await context.newCDPSession(chatPage)
    await devtools.send('Input.imeSetComposition', { text: 'nihao', selectionStart: 5, selectionEnd: 5 })
    run()
    await expect(chatPage.locator('#root').getByTestId('composer')).toBeAttached()
    await expect(chatPage.locator('first-paint textarea')).toBeFocused()
    await devtools.send('Input.insertText', { text: '你好' })
    await untilHandoff(chatPage)
    await expect(chatPage.getByTestId('composer')).toHaveValue('你好')
    await expect(chatPage.getByTestId('composer')).toBeFocused()
  })
  for (const [way, search] of Object.entries(WAYS_TO_SEARCH))
    test(`leaves whoever began to search ${way} at their words`, async ({ chatPage }) => {
      const run = await holdScripts(chatPage)
      await chatPage.reload({ waitUntil: 'commit' })
      await expect(chatPage.getByTestId('composer')).toBeFocused()
      await search(chatPage)
      await expect(chatPage.getByTestId('search')).toBeFocused()
      await chatPage.keyboard.type('热')
      run()
      await expect(chatPage.locator('#root').getByTestId('composer')).toBeAttached()
      await chatPage.keyboard.type('泵')
      await untilHandoff(chatPage)
      await chatPage.keyboard.type('价')
      await expect(chatPage.getByTestId('search')).toBeFocused()
      await expect(chatPage.getByTestId('search')).toHaveValue('热泵价')
      await expect(chatPage.getByTestId('composer')).toHaveValue('')
    })
  test('has a draft once, however often one goes and comes Back', async ({ chatPage }) => {
    await chatPage.getByTestId('composer').fill('写了一半的问题')
    for (const time of ['once', 'twice', 'three times']) {
      await chatPage.goto('about:blank')
      await chatPage.goBack()
      await untilHandoff(chatPage)
      await expect(chatPage.getByTestId('composer'), time).toHaveValue('写了一半的问题')
    }
    await chatPage.reload()
    await untilHandoff(chatPage)
    await expect(chatPage.getByTestId('composer')).toHaveValue('写了一半的问题')
  })
  test('asks for the conversation in its address before its scripts are there, and only once', async ({
    chatPage,
    person,
    portal,
  }) => {
    const id = await portal.had(person, heatPump)
    const asked: string[] = []
    chatPage.on('request', request => {
      if (request.url().endsWith(`/api/conv/${id}`)) asked.push(request.method())
    })
    const run = await holdScripts(chatPage)
    const answered = chatPage.waitForResponse(response => response.url().endsWith(`/api/conv/${id}`))
    await chatPage.goto(`/conversation?id=${id}`, { waitUntil: 'commit' })
    expect((await answered).ok()).toBe(true)
    run()
    await expect(questions(chatPage).first()).toBeVisible()
    expect(asked).toEqual(['GET'])
  })
  test('does what was pressed before its scripts were there', async ({ chatPage }) => {
    const run = await holdScripts(chatPage)
    await chatPage.reload({ waitUntil: 'commit' })
    await chatPage.locator('first-paint').getByTestId('new-conversation').click()
    run()
    await expect(chatPage.getByRole('dialog')).toBeVisible()
  })
  test('is in the language and the theme of whoever arrives, from its first paint on', async ({ chatPage, person }) => {
    await person.result('PATCH', '/user/me/preferences', { language: 'ms-MY', theme: 'dark' })
    const run = await holdScripts(chatPage)
    await chatPage.reload({ waitUntil: 'commit' })
    await expect(chatPage.getByTestId('composer')).toHaveAttribute(
      'placeholder',
      TEXTS['ms-MY']['composer.placeholder'],
    )
    await expect(chatPage.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await expect(chatPage.locator('html')).toHaveAttribute('lang', 'ms-MY')
    await expect(chatPage.getByRole('button', { name: TEXTS['ms-MY']['app.theme.toLight'] })).toBeVisible()
    run()
    await untilHandoff(chatPage)
    await expect(chatPage.getByTestId('composer')).toHaveAttribute(
      'placeholder',
      TEXTS['ms-MY']['composer.placeholderFiles'],
    )
  })
})

test("the first screens, a conversation among them, make no format of the browser's own: the first one takes a tenth of a second on a slow device", async ({
  chatPage,
  page,
}) => {
  await page.addInitScript(countFormats)
  await page.goto('/login')
  await untilHandoff(page)
  await chatPage.getByTestId('composer').fill('现在几点')
  await chatPage.keyboard.press('Enter')
  await untilAnswered(chatPage)
  await chatPage.addInitScript(countFormats)
  await chatPage.reload()
  await untilHandoff(chatPage)
  await expect(questions(chatPage)).toHaveText('现在几点')
  expect([await formatsIn(page), await formatsIn(chatPage)]).toEqual([[], []])
})

/** Runs in the page before its own scripts. */
function countFormats() {
  const made: string[] = []
  Object.assign(globalThis, { made })
  for (const name of [
    'NumberFormat',
    'DateTimeFormat',
    'RelativeTimeFormat',
    'ListFormat',
    'Segmenter',
    'Collator',
  ] as const) {
    const construct: ProxyHandler<typeof Intl.Collator>['construct'] = (format, given, target) => {
      made.push(name)
      return Reflect.construct(format, given, target)
    }
    Reflect.set(Intl, name, new Proxy(Intl[name], { construct }))
  }
}

function formatsIn(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { made: string[] }).made) // set by countFormats()
}

test.describe('the scripts of the first screen', () => {
  const scripts = /\/assets\/[^/]+\.js$/

  test('are asked for when the first frame is seen where the server is near, since they would take the processor from it', async ({
    page,
  }) => {
    await page.addInitScript(standAt, 10)
    const asked: string[] = []
    page.on('request', request => {
      if (scripts.test(request.url())) asked.push(request.url())
    })
    const show = await holdStyles(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await page.waitForLoadState('domcontentloaded')
    expect(asked).toEqual([])
    show()
    await untilHandoff(page)
    expect(await page.evaluate(firstScript)).toBeGreaterThanOrEqual(await page.evaluate(seen))
    expect(new Set(asked).size).toBe(asked.length)
  })
  test('are asked for at once where the server is far, since they come after it anyway', async ({ page }) => {
    await page.addInitScript(standAt, 100)
    const show = await holdStyles(page)
    const asked = page.waitForRequest(scripts)
    await page.goto('/login', { waitUntil: 'commit' })
    await asked
    show()
    await untilHandoff(page)
  })
  test('are asked for also where the browser does not tell what is seen', async ({ page }) => {
    await page.addInitScript(() => {
      PerformanceObserver.prototype.observe = () => {}
    })
    await page.goto('/login')
    await untilHandoff(page)
  })
  test('are asked for where nobody looks', async ({ page }) => {
    await page.addInitScript(standAt, 10)
    await page.addInitScript(() => {
      PerformanceObserver.prototype.observe = () => {}
      globalThis.requestAnimationFrame = () => 0
      Object.defineProperty(document, 'hidden', { value: true })
    })
    const asked = page.waitForRequest(scripts)
    await page.goto('/login')
    await asked
  })
})

const seen = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity
const firstScript = () => {
  const scripts = performance.getEntriesByType('resource').filter(({ name }) => /\/assets\/[^/]+\.js$/.test(name))
  return Math.min(...scripts.map(({ startTime }) => startTime))
}

/** Runs in the page before its own scripts: pretends that the server is so many milliseconds away. */
function standAt(milliseconds: number) {
  const entriesOf = performance.getEntriesByType.bind(performance)
  // the only field that is read
  const visit = { requestStart: 0, responseStart: milliseconds } as PerformanceNavigationTiming
  performance.getEntriesByType = type => (type === 'navigation' ? [visit] : entriesOf(type))
}

test.describe('a browser of the year 2023', () => {
  test('opens the page', async ({ page }) => {
    await page.addInitScript(() => {
      for (const [holder, name] of [
        [URL, 'parse'],
        [Promise, 'withResolvers'],
        [AbortSignal, 'any'],
        [Object, 'groupBy'],
        [globalThis, 'scheduler'],
        [globalThis, 'requestIdleCallback'],
      ] as const)
        Reflect.deleteProperty(holder, name)
    })
    await page.goto('/login')
    await untilHandoff(page)
  })
  test('is told in every language when it is too old, and shown no screen that does nothing', async ({ page }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(HTMLElement.prototype, 'popover')
    })
    await page.goto('/login')
    for (const texts of Object.values(TEXTS))
      await expect(page.getByRole('alert').getByText(texts['app.tooOld'])).toBeVisible()
    await expect(page.getByTestId('username')).toHaveCount(0)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the screen of conversations stays where it is', async ({ chatPage }) => {
    const run = await holdScripts(chatPage)
    await chatPage.reload({ waitUntil: 'commit' })
    const names = ['header', '[data-testid=user-menu]', 'h1', '[data-testid=composer]', '[data-testid=send]']
    await expect(chatPage.locator('first-paint').getByTestId('composer')).toBeVisible()
    const before = await boundingBoxes(chatPage, names)
    run()
    await untilHandoff(chatPage)
    expect(await boundingBoxes(chatPage, names)).toEqual(before)
  })
})

test.describe('the login page', () => {
  test('is there before its scripts, stays where it is, and signs in whoever was faster', async ({ page, person }) => {
    const run = await holdScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await expect(page.getByTestId('username')).toBeFocused()
    const names = ['header', 'h1', '[data-testid=username]', '[data-testid=password]', '[data-testid=sign-in]']
    const before = await boundingBoxes(page, names)
    await page.keyboard.type(person.username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/login')
    expect(await boundingBoxes(page, names)).toEqual(before)
    run()
    await expect(page).toHaveURL('/conversation')
    await expect(page.getByTestId('conversation-list')).toBeVisible()
  })
  test('stands where its scripts will leave it', async ({ page }) => {
    const run = await holdScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    const names = ['header', 'h1', '[data-testid=username]', '[data-testid=password]', '[data-testid=sign-in]']
    await expect(page.getByTestId('username')).toBeFocused()
    const before = await boundingBoxes(page, names)
    run()
    await untilHandoff(page)
    expect(await boundingBoxes(page, names)).toEqual(before)
  })
  test('looks the same as to whoever comes from another screen', async ({ page }) => {
    const repository = page.getByRole('banner').getByRole('link', { name: TEXTS['zh-CN']['app.repository'] })
    const colour = () => repository.evaluate(link => getComputedStyle(link).color)
    await page.goto('/home')
    const fromHome = await colour()
    await page.goto('/login')
    await untilHandoff(page)
    expect(await colour()).toBe(fromHome)
    // One green border, the field's own.
    await expect(page.getByTestId('username')).toBeFocused()
    await expect(page.getByTestId('username')).toHaveCSS('outline-style', 'none')
  })
})
