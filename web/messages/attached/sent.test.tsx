import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { KeptAttachment, Message } from '#contract/messages.ts'
import type { OwnFile } from '#contract/ownFiles.ts'
import { aMessage, words } from '#testing/messages.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { serve, theAnswer } from '../answer.testing.tsx'
import { GoneLine } from '../lazyAttached.ts'
import { MessageView } from '../MessageView.tsx'

// The browser finds files that begin so (vitest.config.ts).
const idOf = (number: number) => `a1c70000-0000-4000-8000-00000000000${number}`
const LOST = 'b1c70000-0000-4000-8000-000000000000'

const PHOTO: KeptAttachment = { id: idOf(1), name: '电表.jpg', size: 1_200_000, mimeType: 'image/jpeg', as: 'picture' }
const HEATER: KeptAttachment = { ...PHOTO, id: idOf(2), name: '热水器.jpg' }
const REPORT: KeptAttachment = {
  id: idOf(3),
  name: '年报.pdf',
  size: 1_900_000,
  mimeType: 'application/pdf',
  as: 'text',
  page_count: 24,
}

const fileOf = ({ id, name }: KeptAttachment, gone: OwnFile['gone']): OwnFile => ({
  id,
  name,
  size: 10,
  content_type: 'image/jpeg',
  upload_time: '2026-10-13T08:00:00.000Z',
  is_here: gone === null,
  web_file_id: null,
  conversation: null,
  is_attachable: gone === null,
  kind: 'picture',
  width: 4,
  height: 3,
  pages: null,
  tokens: null,
  has_thumbnail: true,
  page_pictures: [],
  gone,
})
const expired = (file: KeptAttachment) => fileOf(file, { time: '2026-11-12T08:00:00.000Z', reason: 'expired' })
const deleted = (file: KeptAttachment) => fileOf(file, { time: '2026-11-03T08:00:00.000Z', reason: 'deleted' })

const asked = (attachments: KeptAttachment[]): Message =>
  aMessage({ id: 'q', role: 'user', content: words('比较一下'), metadata: { source: 'openai_api', attachments } })

function known(files: OwnFile[]): string[] {
  queryClient.clear()
  return serve({ '/api/files': { files, total: files.length, used_bytes: 0, most_bytes: 1 } })
}

const shown = (...messages: Message[]) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        {messages.map(message => (
          <MessageView key={message.id} message={message} />
        ))}
        <GoneLine messages={messages} onLoadError={() => undefined} />
      </Kit>
    </QueryClientProvider>,
  )

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

describe('a question to an endpoint', () => {
  test('shows its pictures above its text, and its documents with how they went below', async () => {
    known([PHOTO, HEATER, REPORT].map(file => fileOf(file, null)))
    const screen = await shown(asked([PHOTO, HEATER, REPORT, { ...REPORT, id: idOf(4), name: 'a.pdf', pages: '1-8' }]))
    await expect.element(screen.getByRole('button', { name: '打开大图：电表.jpg' })).toBeVisible()
    const { width, height } = screen.getByTestId('sent-picture').first().element().getBoundingClientRect()
    expect((width / height).toFixed(2)).toBe('1.33')
    await expect.element(screen.getByText('24 页，作为文字')).toBeVisible()
    await expect.element(screen.getByText('第 1-8 页，共 24 页，作为文字')).toBeVisible()
    const link = screen.getByRole('link', { name: /年报/ })
    await expect.element(link).toHaveAttribute('href', `/api/files/${REPORT.id}/content`)
    await expect.element(link).toHaveAttribute('download', '年报.pdf')
  })

  test('with several others asks once which files there are', async () => {
    const calls = known([])
    const further = { ...asked([HEATER]), id: 'q2' }
    const screen = await shown(asked([PHOTO]), further)
    await expect.element(screen.getByRole('button', { name: '打开大图：热水器.jpg' })).toBeVisible()
    expect(calls).toEqual([`/api/files?ids=${encodeURIComponent(`${PHOTO.id},${HEATER.id}`)}`])
  })

  test('keeps the places of what is gone, with why and when, and says so above the composer', async () => {
    known([expired(PHOTO), deleted(HEATER), expired(REPORT)])
    const screen = await shown(asked([PHOTO, HEATER, REPORT]))
    await expect.element(screen.getByText('图片过期了')).toBeVisible()
    await expect.element(screen.getByText('你删掉了')).toBeVisible()
    await expect.element(screen.getByText(/^过期，.*11月12日删除，留了 30 天$/)).toBeVisible()
    expect(screen.container.querySelector('s')?.textContent).toBe('年报.pdf')
    await expect.element(screen.getByTestId('gone-line')).toMatchTextContent(/3 个文件不在了，接着问时模型看不到/)
    let opened = 0
    const attach = Object.assign(document.createElement('button'), { onclick: () => (opened += 1) })
    attach.dataset['testid'] = 'attach'
    screen.container.append(attach)
    await screen.getByRole('button', { name: '重新上传' }).click()
    expect(opened).toBe(1)
    const { width, height } = screen.getByTestId('gone-file').first().element().getBoundingClientRect()
    expect((width / height).toFixed(2)).toBe('1.33')
    expect(screen.getByTestId('sent-picture').query()).toBe(null)
  })

  test('of another says of a picture that cannot be had why', async () => {
    known([])
    const screen = await shown(asked([{ ...PHOTO, id: LOST }]))
    await expect.element(screen.getByText('图片未能加载')).toBeVisible()
  })
})

describe('the lightbox', () => {
  test('leads through the pictures of a question by keys, and closes', async () => {
    known([])
    const screen = await shown(asked([PHOTO, HEATER]))
    const second = screen.getByRole('button', { name: '打开大图：热水器.jpg' })
    await second.click()
    await expect.element(page.getByRole('dialog', { name: '热水器.jpg' })).toBeVisible()
    await expect.element(page.getByText('第 2 张，共 2 张')).toBeVisible()
    await userEvent.keyboard('{ArrowRight}{ArrowLeft}')
    await expect.element(page.getByRole('dialog', { name: '电表.jpg' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: '下载' })).toHaveAttribute('download', '电表.jpg')
    await expect.element(page.getByRole('button', { name: '上一张' })).toHaveAttribute('aria-disabled', 'true')
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByTestId('lightbox')).not.toBeInTheDocument()
    await expect.element(second).toHaveFocus()
  })

  test('shows a picture in its own size after a double click, and with Enter', async () => {
    known([])
    const screen = await shown(asked([PHOTO]))
    await screen.getByTestId('sent-picture').click()
    const picture = page.getByRole('button', { name: '看原大小' })
    await picture.dblClick()
    await expect.element(picture).toHaveAttribute('aria-pressed', 'true')
    await userEvent.keyboard('{Enter}')
    await expect.element(picture).toHaveAttribute('aria-pressed', 'false')
  })

  test('opens pictures in the text of an answer, but none within a link', async () => {
    serve({})
    const own = (number: number) => `/api/files/${idOf(number)}/content`
    const text = `![冬](${own(1)})\n\n![春](${own(2)})\n\n[![夏](${own(3)})](https://elsewhere.example/)`
    const screen = await theAnswer([aMessage({ id: 'a', content: words(text) })])
    await screen.getByRole('button', { name: '放大：春' }).click()
    await expect.element(page.getByRole('dialog', { name: '春' })).toBeVisible()
    await expect.element(page.getByText('第 2 张，共 2 张')).toBeVisible()
  })
})
