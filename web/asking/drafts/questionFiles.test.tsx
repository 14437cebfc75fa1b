import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { words } from '#testing/messages.ts'
import { until } from '#testing/until.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { aMessage } from '../builders.testing.ts'
import { ID, type TestPortal } from '../portal.testing.tsx'
import { addBy, aQuestion, ATTACHMENT, openUploader, stored } from './uploader.testing.tsx'

const ACCEPTED = { type: 'accepted', ask_id: 'x', conversation_id: ID, question: aQuestion({ id: 'q9' }) }
const WITH_FILE = aQuestion({
  content: words('看图'),
  metadata: { source: 'openai_web', attachments: [ATTACHMENT] },
})

async function asked(portal: TestPortal, text = '看图') {
  await portal.screen.getByTestId('composer').fill(text)
  await userEvent.keyboard('{Enter}')
  const socket = await portal.socket()
  await until(() => expect(socket.sent).toHaveLength(1))
  return socket
}

afterEach(() => {
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
})

describe('a question with files', () => {
  test('is not sent before they are uploaded, and its button says why', async () => {
    const { composer, rows, screen, sent, uploaded } = await openUploader()
    addBy('paste', composer.element())
    await rows('uploading')
    await composer.fill('看图')
    await userEvent.keyboard('{Enter}')
    const send = screen.getByTestId('send')
    await expect.element(send).toBeDisabled()
    await expect.element(send).toHaveAttribute('title', '正在上传 1 个文件，传完就能发送')
    await expect.element(composer).toHaveAccessibleDescription('正在上传 1 个文件，传完就能发送')
    expect(sent()).toEqual([])
    await uploaded()
    await expect.element(send).toBeEnabled()
    await expect.element(send).toHaveAttribute('data-tip', '发送')
  })

  test('names them in its request, and removes them once it is accepted', async () => {
    const portal = await openUploader()
    addBy('paste', portal.composer.element())
    await portal.uploaded()
    await portal.rows('ready')
    const socket = await asked(portal)
    expect(socket.sent[0]).toMatchObject({
      source: 'openai_web',
      model: 'gpt_4',
      text_content: '看图',
      openai_web_attachments: [ATTACHMENT],
      openai_web_multimodal_image_parts: [
        {
          content_type: 'image_asset_pointer',
          asset_pointer: 'file-service://file-a1',
          size_bytes: 3,
          width: 30,
          height: 20,
        },
      ],
    })
    await expect.element(portal.screen.getByLabelText('你的问题')).toMatchTextContent(/a\.csv/)
    await portal.rows('ready')
    socket.emit(ACCEPTED)
    await portal.rows()
  })

  test('that is accepted leaves files added since', async () => {
    const portal = await openUploader(`/conversation?id=${ID}`)
    addBy('paste', portal.composer.element())
    await portal.uploaded()
    await portal.rows('ready')
    const socket = await asked(portal)
    addBy('paste', portal.composer.element(), new File(['x'], 'later.txt'))
    await portal.rows('ready', 'uploading')
    socket.emit(ACCEPTED)
    await portal.rows('uploading')
    await expect.element(portal.screen.getByTestId('file-row')).toMatchTextContent(/later\.txt/)
  })

  test('keeps them when it is refused', async () => {
    const portal = await openUploader()
    addBy('paste', portal.composer.element())
    await portal.uploaded()
    await portal.rows('ready')
    const socket = await asked(portal)
    socket.emit({ type: 'error', tip: 'errors.queueFull', values: null, charged: false })
    socket.end(1008, 'errors.queueFull')
    await expect.element(portal.screen.getByRole('button', { name: '撤回问题' })).toBeVisible()
    await portal.rows('ready')
    await portal.screen.getByRole('button', { name: '撤回问题' }).click()
    await expect.element(portal.composer).toHaveValue('看图')
    await portal.rows('ready')
  })

  test('gets them back with its text when it is withdrawn', async () => {
    const { screen, composer, rows } = await openUploader(`/conversation?id=${ID}`, {
      [`GET /conv/${ID}`]: stored(ID, WITH_FILE),
      [`DELETE /conv/${ID}/question/q1`]: { current_node: null },
    })
    await screen.getByRole('button', { name: '撤回问题' }).click()
    await expect.element(composer).toHaveValue('看图')
    await rows('ready')
  })

  test('cannot be sent to a model that reads none, and says so', async () => {
    const { screen, composer, rows, uploaded } = await openUploader()
    addBy('paste', composer.element())
    await uploaded()
    await rows('ready')
    await screen.getByRole('button', { name: /模型：/ }).click()
    await page.getByRole('menuitemradio', { name: /^GPT-3.5/ }).click()
    await composer.fill('看图')
    await expect.element(composer).toHaveAccessibleDescription('这个模型不读文件，可以换一个')
    await expect.element(screen.getByTestId('send')).toBeDisabled()
    expect(screen.getByTestId('attach').elements()).toEqual([])
    await screen.getByRole('button', { name: '移除 a.png' }).click()
    await expect.element(screen.getByTestId('send')).toBeEnabled()
  })
})

describe('a question that is edited', () => {
  const answered = {
    [`GET /conv/${ID}`]: stored(
      ID,
      WITH_FILE,
      aMessage({
        id: 'a1',
        role: 'assistant',
        source: 'openai_web',
        content: { content_type: 'text', parts: ['猫'] },
        metadata: { source: 'openai_web' },
      }),
    ),
  }

  test('keeps its files', async () => {
    const portal = await openUploader(`/conversation?id=${ID}`, answered)
    await portal.screen.getByTestId('message-edit').click()
    await expect.element(portal.screen.getByTestId('message-editor')).toHaveFocus()
    await expect.element(portal.screen.getByRole('button', { name: /^a\.csv/ })).toBeVisible()
    await portal.screen.getByTestId('message-editor').fill('再看图')
    await userEvent.keyboard('{Enter}')
    const socket = await portal.socket()
    await until(() =>
      expect(socket.sent[0]).toMatchObject({
        text_content: '再看图',
        variant_of: 'q1',
        openai_web_attachments: [ATTACHMENT],
      }),
    )
    expect(socket.sent[0]?.['openai_web_multimodal_image_parts']).toHaveLength(1)
  })

  test('is not asked of a model that reads none', async () => {
    const { screen, sent } = await openUploader(`/conversation?id=${ID}`, answered)
    await screen.getByRole('button', { name: /模型：/ }).click()
    await page.getByRole('menuitemradio', { name: /^GPT-3.5/ }).click()
    await screen.getByTestId('message-edit').click()
    await expect
      .element(screen.getByTestId('message-editor'))
      .toHaveAccessibleDescription('这个模型不读文件，可以换一个')
    await expect.element(screen.getByTestId('message-edit-send')).toBeDisabled()
    expect(sent()).toEqual([])
  })
})
