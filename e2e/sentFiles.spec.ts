import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Language } from '#contract/preferences.ts'
import { aPaper, aPhoto, giveModels } from './attachedFiles.ts'
import { checkAccessibility } from './checkAccessibility.ts'
import { expect, test } from './journey.ts'
import type { Account } from './startPortal.ts'
import { TEXTS, untilAnswered } from './steps.ts'

test.use({ portalOptions: {} })
test.beforeAll(({ portal }) => giveModels(portal))

async function askWithFiles(page: Page, language: Language = 'zh-CN'): Promise<void> {
  await page.reload()
  const label = TEXTS[language]['composer.model'].split('{')[0]!
  await page.getByRole('button', { name: new RegExp(`^${label}`) }).click()
  await page.locator('[data-model=sees]').click()
  const files = [aPhoto('电表.png', 1), aPhoto('热水器.png', 2), await aPaper('年报.pdf', 3)]
  await page.getByTestId('attach-input').setInputFiles(files)
  await expect(page.locator('[data-testid=attachment][data-phase=ready]')).toHaveCount(3)
  await page.getByTestId('composer').fill('对照这两张照片和年报')
  await page.getByTestId('send').click()
  await untilAnswered(page)
}

async function deleteFile(person: Account, name: string): Promise<void> {
  const { files } = await person.result<{ files: { id: string; name: string }[] }>('GET', '/files')
  await person.result('DELETE', `/files/${files.find(file => file.name === name)?.id}`)
}

test('what went with a question is shown in it, large on request, and saved with the conversation', async ({
  chatPage,
}) => {
  await askWithFiles(chatPage)
  const pictures = chatPage.getByTestId('sent-picture')
  await expect(pictures).toHaveCount(2)
  await expect(chatPage.getByTestId('sent-document')).toHaveText('PDF年报.pdf3 页，作为文字')

  await pictures.first().click()
  const lightbox = chatPage.getByTestId('lightbox')
  await expect(chatPage.getByRole('dialog', { name: '电表.png' })).toBeVisible()
  await chatPage.keyboard.press('ArrowRight')
  await expect(chatPage.getByRole('dialog', { name: '热水器.png' })).toBeVisible()
  await checkAccessibility(chatPage)
  const [saved] = await Promise.all([
    chatPage.waitForEvent('download'),
    lightbox.getByRole('link', { name: '下载' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('热水器.png')
  await chatPage.keyboard.press('Escape')
  await expect(lightbox).toBeHidden()
  await expect(pictures.first()).toBeFocused()

  await chatPage.getByRole('banner').getByRole('button', { name: '对话操作' }).click()
  await chatPage.getByTestId('export-menu').click()
  const [download] = await Promise.all([
    chatPage.waitForEvent('download'),
    chatPage.getByTestId('export-markdown').click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.zip$/)
  const zip = unzipSync(await readFile(await download.path()))
  const [text = '', ...files] = Object.keys(zip)
  expect(files).toEqual(['files/电表.png', 'files/热水器.png', 'files/年报.pdf'])
  expect(strFromU8(zip[text] ?? new Uint8Array())).toContain('附件：[年报.pdf](<files/年报.pdf>)')
})

test('what went with a question is printed with it', async ({ chatPage }) => {
  await askWithFiles(chatPage)
  await chatPage.setViewportSize({ width: 674, height: 900 })
  await chatPage.emulateMedia({ media: 'print' })
  await chatPage.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  const pictures = chatPage.getByTestId('sent-picture').locator('img')
  await expect(pictures).toHaveCount(2)
  for (const picture of await pictures.all()) await expect(picture).toBeVisible()
  await expect(chatPage.getByTestId('sent-document')).toBeVisible()
  await expect(chatPage.getByTestId('attach')).toBeHidden()
})

for (const language of ['zh-CN', 'en-US'] as const)
  test.describe(`on a phone, in ${language}`, () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

    test('pictures are swiped through, and what is gone is said', async ({ chatPage, person }) => {
      test.slow()
      const texts = TEXTS[language]
      await person.result('PATCH', '/user/me/preferences', { language })
      await askWithFiles(chatPage, language)
      await expect(chatPage.getByTestId('sent-document')).toContainText(texts['attachments.sentAsText'])
      await chatPage.getByTestId('sent-picture').first().tap()
      await expect(chatPage.getByRole('dialog', { name: '电表.png' })).toBeVisible()
      await swipe(chatPage, 300, 80)
      await expect(chatPage.getByRole('dialog', { name: '热水器.png' })).toBeVisible()
      await swipe(chatPage, 80, 300)
      await expect(chatPage.getByRole('dialog', { name: '电表.png' })).toBeVisible()
      await checkAccessibility(chatPage)
      await chatPage.getByRole('button', { name: texts['kit.close'] }).tap()
      await expect(chatPage.getByTestId('lightbox')).toBeHidden()

      await deleteFile(person, '电表.png')
      await chatPage.reload()
      await expect(chatPage.getByTestId('gone-file')).toContainText(texts['attachments.pictureDeleted'])
      await expect(chatPage.getByTestId('gone-line')).toBeVisible()
      await chatPage.getByTestId('attach-again').tap()
      await expect(chatPage.getByTestId('attach-camera')).toBeVisible()
    })
  })

/** A finger that moves sideways over the middle of the screen. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const at = (x: number) => [{ x, y: 420 }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
  for (const share of [0.25, 0.5, 0.75, 1])
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(from + (to - from) * share) })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

test('what is gone keeps its place, for its owner and for an administrator', async ({
  chatPage,
  person,
  portal,
  openPageFor,
}) => {
  await askWithFiles(chatPage)
  await deleteFile(person, '电表.png')
  await deleteFile(person, '年报.pdf')
  await chatPage.reload()
  await expect(chatPage.getByTestId('gone-line')).toContainText('2 个文件不在了，接着问时模型看不到')
  await expect(chatPage.getByTestId('gone-file')).toHaveText([/^你删掉了/, /^PDF年报\.pdf你删掉了/])
  await expect(chatPage.getByTestId('sent-picture')).toHaveCount(1)

  // The question can be asked once more with what is left.
  await chatPage.locator('[data-role=user]').hover()
  await chatPage.getByTestId('message-edit').click()
  await expect(chatPage.getByRole('list', { name: '附在问题里的文件' }).getByRole('listitem')).toHaveText([/热水器/])
  await chatPage.getByTestId('message-edit-send').click()
  await untilAnswered(chatPage)
  await expect(chatPage.getByTestId('sent-picture')).toHaveCount(1)
  await expect(chatPage.getByTestId('gone-line')).toHaveCount(0)
  await chatPage.getByTestId('branch-previous').first().click()
  await expect(chatPage.getByTestId('gone-file')).toHaveCount(2)

  const id = new URL(chatPage.url()).searchParams.get('id')
  await chatPage.goto(`/conv/${id}`)
  await expect(chatPage.getByTestId('gone-file')).toHaveCount(2)
  const administrator = await portal.admin()
  await administrator.result('POST', `/conv/${id}/oversight`, { reason: 'asked', text: 'they asked me to look' })
  const admin = await openPageFor(administrator)
  await admin.goto(`/conv/${id}`)
  // Until it is known what is gone, both pictures have their place.
  await expect(admin.getByTestId('sent-picture')).toHaveCount(1)
  await expect(admin.getByTestId('sent-picture').locator('img')).toHaveJSProperty('complete', true)
  await expect(admin.getByTestId('sent-document')).toHaveCount(1)
})

test('pictures of a ChatGPT export come with it', async ({ chatPage }) => {
  const message = {
    id: 'q',
    author: { role: 'user' },
    create_time: 1_700_000_000,
    content: {
      content_type: 'multimodal_text',
      parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-AbCd1234' }, '这是什么？'],
    },
    metadata: { attachments: [{ id: 'file-AbCd1234', name: 'photo.png', mime_type: 'image/png' }] },
  }
  const conversation = {
    title: '一张照片',
    create_time: 1_700_000_000,
    update_time: 1_700_000_100,
    conversation_id: '0f1e2d3c-4b5a-4978-8899-aabbccddeeff',
    current_node: 'q',
    mapping: { q: { id: 'q', parent: null, children: [], message } },
  }
  const zip = zipSync({
    'conversations.json': strToU8(JSON.stringify([conversation])),
    'file-AbCd1234.dat': new Uint8Array(aPhoto('photo.png').buffer),
  })
  await chatPage.getByRole('button', { name: '全部对话的操作' }).click()
  await chatPage.getByTestId('import').click()
  await chatPage
    .getByTestId('import-file')
    .setInputFiles({ name: 'chatgpt.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) })
  await expect(chatPage.getByTestId('import-report')).toBeVisible()
  await expect(chatPage.getByTestId('import-report').getByText(/没有收下/)).toHaveCount(0)
  await chatPage.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click()
  await chatPage.getByTestId('conversation-row').getByRole('link').click()
  const picture = chatPage.getByTestId('pictures').locator('img')
  await expect(picture).toHaveJSProperty('naturalWidth', 512)
  await picture.click()
  await expect(chatPage.getByTestId('lightbox').locator('img')).toBeVisible()
})
