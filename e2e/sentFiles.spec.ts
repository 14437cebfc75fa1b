import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { aPaper, aPhoto, giveModels } from './attachedFiles.ts'
import { expect, test } from './journey.ts'
import type { Account } from './startPortal.ts'
import { untilAnswered } from './steps.ts'

test.use({ portalOptions: {} })
test.beforeAll(({ portal }) => giveModels(portal))

async function askWithFiles(page: Page): Promise<void> {
  await page.reload()
  await page.getByRole('button', { name: /^模型：/ }).click()
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
  await expect(chatPage.getByTestId('gone-line')).toHaveText('2 个文件不在了，接着问时模型看不到')
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
  const admin = await openPageFor(await portal.admin())
  await admin.goto(`/conv/${id}`)
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
  await expect(chatPage.getByTestId('import-report').getByText(/图片没有收下/)).toHaveCount(0)
  await chatPage.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click()
  await chatPage.getByTestId('conversation-row').getByRole('link').click()
  const picture = chatPage.getByTestId('pictures').locator('img')
  await expect(picture).toHaveJSProperty('naturalWidth', 512)
  await picture.click()
  await expect(chatPage.getByTestId('lightbox').locator('img')).toBeVisible()
})
