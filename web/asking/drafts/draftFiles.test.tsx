import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Attachment, Message } from '#contract/messages.ts'
import { until } from '#testing/until.ts'
import { anUploadedFile, UPLOAD_ID } from '#web/files/builders.testing.ts'
import { takeRequests } from '#web/files/requests.testing.ts'
import { success } from '#web/foundation/api.testing.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { aHistory, aMessage } from '../builders.testing.ts'
import { useUploadsModule } from './draftFiles.tsx'
import { aRecord, modelOf, openTestPortal, personWith, PORTAL, type TestPortal, withId } from '../portal.testing.tsx'

const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'
const OTHER = '11111111-2222-4333-8444-555555555555'

const MODELS = ['gpt_4', 'gpt_4_code_interpreter', 'gpt_3_5']
const UPLOADER = personWith({
  openai_web: { allow_to_use: true, available_models: MODELS },
  openai_api: { allow_to_use: false },
})
const stored = (id: string, ...messages: Message[]) => ({ ...withId(aHistory(...messages), id), source: 'openai_web' })
const ANSWERS = {
  'GET /status/portal': { ...PORTAL, models: MODELS.map(code => modelOf('openai_web', code)) },
  'GET /user/me': UPLOADER,
  'GET /conv': [aRecord(ID, '这个'), aRecord(OTHER, '那个')].map(record => ({ ...record, source: 'openai_web' })),
  [`GET /conv/${ID}`]: stored(
    ID,
    aMessage({ id: 'q1', role: 'user', source: 'openai_web', content: { content_type: 'text', text: '在吗' } }),
  ),
  [`GET /conv/${OTHER}`]: stored(
    OTHER,
    aMessage({ id: 'q2', role: 'user', source: 'openai_web', content: { content_type: 'text', text: '在吗' } }),
  ),
  'POST /files/openai-web/upload-start': {
    strategy: 'server_upload_only',
    file_max_size: 1000,
    upload_file_info: null,
  },
  [`POST /files/local/upload-to-openai-web/${UPLOAD_ID}`]: anUploadedFile({
    content_type: 'image/png',
    extra_info: { width: 30, height: 20 },
  }),
}
const ATTACHMENT: Attachment = { name: 'a.csv', id: 'file-a1', size: 3, mimeType: 'image/png', height: 20, width: 30 }

const picture = () => new File(['abc'], 'a.png', { type: 'image/png' })

async function thePortal(address = '/conversation', answers: Record<string, unknown> = {}) {
  const requests = takeRequests()
  const portal = await openTestPortal({ ...ANSWERS, ...answers }, address, UPLOADER)
  await expect.element(portal.screen.getByTestId('attach')).toBeVisible()
  const composer = portal.screen.getByTestId('composer')
  const rows = (...phases: string[]) =>
    until(() => {
      expect(
        portal.screen
          .getByTestId('file-row')
          .elements()
          .map(row => row.getAttribute('data-phase')),
      ).toEqual(phases)
    })
  const uploaded = async (at = 0) => (await requests.request(at)).answer(200, success(anUploadedFile()))
  return { ...portal, ...requests, composer, rows, uploaded }
}

function addBy(type: 'drop' | 'paste' | 'dragover' | 'dragleave', target: Element, file = picture()): Event {
  const given = new DataTransfer()
  given.items.add(file)
  const about = { bubbles: true, cancelable: true }
  const event =
    type === 'paste'
      ? new ClipboardEvent(type, { ...about, clipboardData: given })
      : new DragEvent(type, { ...about, dataTransfer: given })
  target.dispatchEvent(event)
  return event
}

async function asked(portal: TestPortal, words = '看图') {
  await portal.screen.getByTestId('composer').fill(words)
  await userEvent.keyboard('{Enter}')
  const socket = await portal.socket()
  await until(() => expect(socket.sent).toHaveLength(1))
  return socket
}

afterEach(() => {
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
})

describe('a user who may not upload', () => {
  test('has no paper clip, and its code is not loaded', async () => {
    const { screen } = await openTestPortal()
    await expect.element(screen.getByRole('button', { name: '模型：GPT-3.5' })).toBeVisible()
    expect(screen.getByTestId('attach').elements()).toEqual([])
    expect(useUploadsModule.getState().loaded).toBe(null)
  })
})

describe('a file', () => {
  test.each(['drop', 'paste'] as const)('added by a %s is listed above the question', async type => {
    const { composer, rows, screen } = await thePortal()
    expect(addBy(type, composer.element()).defaultPrevented).toBe(true)
    await rows('uploading')
    await expect.element(screen.getByRole('list', { name: '附在问题里的文件' })).toMatchTextContent(/a\.png/)
    await expect.element(screen.getByRole('button', { name: '添加文件，已有 1 个' })).toBeVisible()
  })

  test('dragged over the page shows where it would be added, until it is dropped or leaves', async () => {
    const { composer, screen } = await thePortal()
    const dropHint = screen.getByText('松开，就附在这个问题里')
    addBy('dragover', document.body)
    await expect.element(dropHint).toBeVisible()
    addBy('dragleave', document.body)
    await expect.element(dropHint).not.toBeInTheDocument()
    addBy('dragover', document.body)
    await expect.element(dropHint).toBeVisible()
    addBy('drop', composer.element())
    await expect.element(dropHint).not.toBeInTheDocument()
  })

  test('can be added by the keyboard', async () => {
    const { composer, rows, screen } = await thePortal()
    addBy('paste', composer.element())
    await rows('uploading')
    await composer.click()
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    await expect.element(screen.getByRole('button', { name: '取消上传 a.png' })).toHaveFocus()
    await userEvent.keyboard('{Tab}{Tab}')
    await expect.element(screen.getByTestId('attach')).toHaveFocus()
    const chooser = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined)
    await userEvent.keyboard('{Enter}')
    expect(chooser).toHaveBeenCalledOnce()
    chooser.mockRestore()
  })

  test('that another listener has handled is not added, nor one dropped on a dialog', async () => {
    const { screen, composer, router } = await thePortal()
    const taker = document.createElement('div')
    taker.addEventListener('drop', event => event.preventDefault())
    const dialog = document.createElement('div')
    dialog.setAttribute('aria-modal', 'true')
    document.body.append(taker)
    addBy('drop', taker)
    document.body.append(dialog)
    expect(addBy('drop', document.body).defaultPrevented).toBe(true)
    taker.remove()
    dialog.remove()
    // Files are added in order: had the others been added, they would be before this one.
    addBy('drop', composer.element(), new File(['x'], 'last.txt'))
    await expect.element(screen.getByRole('list', { name: '附在问题里的文件' })).toMatchTextContent(/last\.txt/)
    expect(screen.getByTestId('file-row').elements()).toHaveLength(1)
    expect([useToasts.getState().toasts, router.state.location.pathname]).toEqual([[], '/conversation'])
  })

  test('stays with its conversation', async () => {
    const { composer, rows, router, uploaded } = await thePortal(`/conversation?id=${ID}`)
    addBy('paste', composer.element())
    await rows('uploading')
    await router.navigate({ to: '/conversation', search: { id: OTHER } })
    await rows()
    await uploaded()
    await router.navigate({ to: '/conversation', search: { id: ID } })
    await rows('ready')
  })
})

describe('a question with files', () => {
  test('is not sent before they are uploaded, and its button says why', async () => {
    const { composer, rows, screen, sent, uploaded } = await thePortal()
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
    const portal = await thePortal()
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
    socket.emit({
      type: 'accepted',
      ask_id: 'x',
      conversation_id: ID,
      question: aMessage({ id: 'q9', role: 'user', source: 'openai_web' }),
    })
    await portal.rows()
  })

  test('that is accepted leaves files added since', async () => {
    const portal = await thePortal(`/conversation?id=${ID}`)
    addBy('paste', portal.composer.element())
    await portal.uploaded()
    await portal.rows('ready')
    const socket = await asked(portal)
    addBy('paste', portal.composer.element(), new File(['x'], 'later.txt'))
    await portal.rows('ready', 'uploading')
    socket.emit({
      type: 'accepted',
      ask_id: 'x',
      conversation_id: ID,
      question: aMessage({ id: 'q9', role: 'user', source: 'openai_web' }),
    })
    await portal.rows('uploading')
    await expect.element(portal.screen.getByTestId('file-row')).toMatchTextContent(/later\.txt/)
  })

  test('keeps them when it is refused', async () => {
    const portal = await thePortal()
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
    const question = aMessage({
      id: 'q1',
      role: 'user',
      source: 'openai_web',
      content: { content_type: 'text', text: '看图' },
      metadata: { source: 'openai_web', attachments: [ATTACHMENT] },
    })
    const { screen, composer, rows } = await thePortal(`/conversation?id=${ID}`, {
      [`GET /conv/${ID}`]: stored(ID, question),
      [`DELETE /conv/${ID}/question/q1`]: { current_node: null },
    })
    await screen.getByRole('button', { name: '撤回问题' }).click()
    await expect.element(composer).toHaveValue('看图')
    await rows('ready')
  })

  test('cannot be sent to a model that reads none, and says so', async () => {
    const { screen, composer, rows, uploaded } = await thePortal()
    addBy('paste', composer.element())
    await uploaded()
    await rows('ready')
    await screen.getByRole('button', { name: /模型：/ }).click()
    await page.getByRole('menuitemradio', { name: 'GPT-3.5' }).click()
    await composer.fill('看图')
    await expect.element(composer).toHaveAccessibleDescription('这个模型不读文件，可以换一个')
    await expect.element(screen.getByTestId('send')).toBeDisabled()
    expect(screen.getByTestId('attach').elements()).toEqual([])
    await screen.getByRole('button', { name: '移除 a.png' }).click()
    await expect.element(screen.getByTestId('send')).toBeEnabled()
  })
})

describe('a question that is edited', () => {
  const question = aMessage({
    id: 'q1',
    role: 'user',
    source: 'openai_web',
    content: { content_type: 'text', text: '看图' },
    metadata: { source: 'openai_web', attachments: [ATTACHMENT] },
  })
  const answered = {
    [`GET /conv/${ID}`]: stored(
      ID,
      question,
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
    const portal = await thePortal(`/conversation?id=${ID}`, answered)
    await portal.screen.getByTestId('message-edit').click()
    await expect.element(portal.screen.getByTestId('message-editor')).toHaveFocus()
    await expect.element(portal.screen.getByRole('button', { name: /a\.csv/ })).toBeVisible()
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
    const { screen, sent } = await thePortal(`/conversation?id=${ID}`, answered)
    await screen.getByRole('button', { name: /模型：/ }).click()
    await page.getByRole('menuitemradio', { name: 'GPT-3.5' }).click()
    await screen.getByTestId('message-edit').click()
    await expect
      .element(screen.getByTestId('message-editor'))
      .toHaveAccessibleDescription('这个模型不读文件，可以换一个')
    await expect.element(screen.getByTestId('message-edit-send')).toBeDisabled()
    expect(sent()).toEqual([])
  })
})
