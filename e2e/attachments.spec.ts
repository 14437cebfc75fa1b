import type { Page } from '@playwright/test'
import type { Language } from '#contract/preferences.ts'
import { aLetter, aPaper, aPhoto, aScan, giveModels, type UploadedSample } from './attachedFiles.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test as base } from './journey.ts'
import type { Portal } from './startPortal.ts'
import { answers, ask, questions, TEXTS, untilAnswered } from './steps.ts'

const seen = new WeakSet<Portal>()

/** Of a portal whose endpoints have a model that sees, one that does not, and one with much room. */
const test = base.extend<{ prepared: void }>({
  prepared: [
    async ({ portal }, provide) => {
      if (!seen.has(portal)) await giveModels(portal)
      seen.add(portal)
      await provide()
    },
    { auto: true },
  ],
})

const attachments = (page: Page) => page.getByTestId('attachment')
const attach = (page: Page, ...files: UploadedSample[]) => page.getByTestId('attach-input').setInputFiles(files)

async function untilReady(page: Page, count: number): Promise<void> {
  await expect(page.locator('[data-testid=attachment][data-phase=ready]')).toHaveCount(count)
}

async function chooseModel(page: Page, language: Language, code: string): Promise<void> {
  const label = TEXTS[language]['composer.model'].split('{')[0]!
  await page.getByRole('button', { name: new RegExp(`^${label}`) }).click()
  await page.locator(`[data-model=${code}]`).click()
}

/** The content of the question as the endpoint was last asked. */
function askedParts({ simulator }: Portal): { type: string; text?: string; image_url?: { url: string } }[] {
  const asked = simulator.journal.filter(({ path }) => path.endsWith('/chat/completions'))
  const bodies = asked.map(({ body }) => body as { messages?: { role: string; content: unknown }[] })
  const contents = bodies.flatMap(({ messages = [] }) => messages.filter(({ role }) => role === 'user').slice(-1))
  // The side errand of a title is asked behind it.
  const content = contents.findLast(each => !JSON.stringify(each.content).includes('Write a title'))?.content
  return Array.isArray(content) ? content : [{ type: 'text', text: String(content) }]
}

for (const language of ['zh-CN', 'en-US'] as const) {
  const texts = TEXTS[language]
  const inLanguage = async (
    page: Page,
    person: { result: (...call: [string, string, object]) => Promise<unknown> },
  ) => {
    await person.result('PATCH', '/user/me/preferences', { language })
    await page.reload()
  }

  test(`two pictures and a PDF go to a model that sees (${language})`, async ({ chatPage: page, person, portal }) => {
    test.slow()
    await inLanguage(page, person)
    await chooseModel(page, language, 'sees')
    await attach(page, aPhoto('meter.png', 1), aPhoto('boiler.png', 2), await aPaper('report.pdf', 24, 400))
    await untilReady(page, 3)
    await expect(page.getByTestId('context-bar')).toBeVisible()
    await checkAccessibility(page)

    await test.step('the draft is kept over a reload', async () => {
      await page.getByTestId('composer').fill('x')
      await page.reload()
      await untilReady(page, 3)
    })

    await test.step('the menu compares text and pictures, and takes a range of pages', async () => {
      await page.getByTestId('attachment-menu').click()
      await expect(page.getByTestId('attachment-as-text')).toHaveAttribute('aria-checked', 'true')
      await expect(page.getByTestId('attachment-as-pictures')).toBeVisible()
      await checkAccessibility(page)
      const range = page.getByTestId('attachment-pages')
      await range.fill('99')
      await expect(page.getByText(texts['attachments.wrongPages'].replace('{count}', '24'))).toBeVisible()
      await range.fill('1-2')
      await page.keyboard.press('Escape')
      await expect(page.getByTestId('attachment-menu')).toBeFocused()
    })

    await ask(page, 'what is in them')
    await untilAnswered(page)
    await expect(attachments(page)).toHaveCount(0)
    const parts = askedParts(portal)
    expect(parts.filter(({ type }) => type === 'image_url')).toHaveLength(2)
    const text = parts.map(part => part.text ?? '').join()
    expect(text).toContain('Page 2 line 1')
    expect(text).not.toContain('Page 3 line 1')
    await expect(answers(page).last()).toContainText(/512/)
  })

  test(`a scan goes as pictures, a letter as text (${language})`, async ({ chatPage: page, person, portal }) => {
    test.slow()
    await inLanguage(page, person)
    await chooseModel(page, language, 'sees')
    await attach(page, await aScan('scan.pdf', 2), await aLetter('letter.docx'))
    await untilReady(page, 2)
    await expect(attachments(page).first()).toContainText(texts['attachments.noText'])
    await ask(page, 'read them')
    await untilAnswered(page)
    const parts = askedParts(portal)
    expect(parts.filter(({ type }) => type === 'image_url')).toHaveLength(2)
    expect(parts.map(part => part.text ?? '').join()).toContain('the heating is mended on Monday')
  })

  test(`what is too long waits for one of the ways (${language})`, async ({ chatPage: page, person, portal }) => {
    test.slow()
    await inLanguage(page, person)
    await chooseModel(page, language, 'sees')
    await page.getByTestId('composer').fill('list them')
    await attach(page, { ...(await aPaper('long.pdf', 60, 900)) })
    const row = page.locator('[data-phase=too-long]')
    await expect(row).toBeVisible()
    await expect(page.getByTestId('send')).toBeDisabled()
    await expect(page.getByText(texts['attachments.chooseWay'])).toBeVisible()
    await checkAccessibility(page)
    await row.locator('[data-way=pages] input').check()
    await expect(page.getByTestId('send')).toBeEnabled()
    await page.getByTestId('send').click()
    await untilAnswered(page)
    const text = askedParts(portal)
      .map(part => part.text ?? '')
      .join()
    expect(text).toContain('Page 1 line 1')
    expect(text).not.toContain('Page 60 line 1')

    await test.step('a larger model takes all of it', async () => {
      await attach(page, await aPaper('longer.pdf', 61, 900))
      await row.locator('[data-way=model] input').click()
      await expect(row).toHaveCount(0)
      await ask(page, 'all of it')
      await untilAnswered(page, 2)
      expect(
        askedParts(portal)
          .map(part => part.text ?? '')
          .join(),
      ).toContain('Page 61 line 1')
    })
  })

  test(`a model that sees no pictures says so before anything is sent (${language})`, async ({
    chatPage: page,
    person,
  }) => {
    await inLanguage(page, person)
    await chooseModel(page, language, 'blind')
    await attach(page, aPhoto('meter.png', 3))
    await untilReady(page, 1)
    const head = page.getByTestId('cannot-take')
    await expect(head).toContainText(texts['attachments.seesNone'].replace('{model}', 'Blind 7B'))
    await page.getByTestId('composer').fill('what is it')
    await expect(page.getByTestId('send')).toBeDisabled()
    await checkAccessibility(page)
    await head.getByRole('button').first().click()
    await expect(head).toHaveCount(0)
    await expect(page.getByTestId('send')).toBeEnabled()
    // In the menu, the one that cannot take it comes last, with the reason.
    const label = texts['composer.model'].split('{')[0]!
    await page.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    await expect(page.locator('[data-model]').last()).toContainText(texts['attachments.modelSeesNot'])
    await checkAccessibility(page)
  })
}

test('files are dropped and pasted, and a long text that is pasted can be put back', async ({ chatPage: page }) => {
  await chooseModel(page, 'zh-CN', 'sees')
  const composer = page.getByTestId('composer')
  await page.evaluate(() => {
    const over = new DataTransfer()
    over.items.add(new File(['x'], 'a.txt'))
    document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer: over, bubbles: true, cancelable: true }))
  })
  await expect(page.getByTestId('file-drop')).toBeVisible()
  await page.evaluate(() => {
    const dropped = new DataTransfer()
    dropped.items.add(new File(['one, two\n1, 2\n'], 'table.csv', { type: 'text/csv' }))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }))
  })
  await untilReady(page, 1)
  await composer.evaluate(field => {
    const pasted = new DataTransfer()
    pasted.setData('text/plain', 'a line of the log\n'.repeat(300))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }))
  })
  await untilReady(page, 2)
  await page.getByText(TEXTS['zh-CN']['attachments.putBack'], { exact: true }).click()
  await untilReady(page, 1)
  await expect(composer).toHaveValue(/^(a line of the log\n){300}$/)
  // The same file twice is one.
  await page.evaluate(() => {
    const dropped = new DataTransfer()
    dropped.items.add(new File(['one, two\n1, 2\n'], 'copy.csv', { type: 'text/csv', lastModified: 1 }))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }))
  })
  await expect(page.locator('[data-phase=reading], [data-phase=uploading], [data-phase=waiting]')).toHaveCount(0)
  await untilReady(page, 1)
})

test('an edited question keeps its files, and they can be taken out', async ({ chatPage: page, portal }) => {
  test.slow()
  await chooseModel(page, 'zh-CN', 'sees')
  await attach(page, aPhoto('meter.png', 5), await aLetter('letter.docx'))
  await untilReady(page, 2)
  await ask(page, 'what is it')
  await untilAnswered(page)
  await questions(page).first().hover()
  await page.getByTestId('message-edit').first().click()
  await page.getByTestId('message-editor').fill('and now')
  await page.getByRole('button', { name: TEXTS['zh-CN']['files.remove'].replace('{name}', 'letter.docx') }).click()
  await page.getByTestId('message-edit-send').click()
  await expect(questions(page).first()).toContainText('and now')
  await untilAnswered(page)
  const parts = askedParts(portal)
  expect(parts.filter(({ type }) => type === 'image_url')).toHaveLength(1)
  expect(parts.map(part => part.text ?? '').join()).not.toContain('the heating')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a paper clip opens a sheet of the ways, the files used before among them', async ({ chatPage: page }) => {
    await chooseModel(page, 'zh-CN', 'sees')
    await attach(page, aPhoto('meter.png', 6))
    await untilReady(page, 1)
    await attachments(page).locator('[data-remove]').click()
    await page.getByTestId('attach').click()
    await expect(page.getByTestId('attach-camera')).toBeVisible()
    await checkAccessibility(page)
    await page.getByTestId('attach-earlier').click()
    await page.getByTestId('used-file').first().click()
    await page.keyboard.press('Escape')
    await untilReady(page, 1)
    await ask(page, 'what is it')
    await untilAnswered(page)
    await expect(attachments(page)).toHaveCount(0)
  })
})
