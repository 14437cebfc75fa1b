import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useState } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ModelChoice } from '#contract/models.ts'
import type { OwnFile } from '#contract/ownFiles.ts'
import { until } from '#testing/until.ts'
import { answerCalls, aUser, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { loadTexts, translate } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import type { QuestionDraft } from '#web/sources/source.ts'
import { type DraftAttachment, storedAttachment } from './attachment.ts'
import { aDocument, aModel, anOwnFile, aPicture, FILE_ID } from './builders.testing.ts'
import { openAttachments } from './draftFiles.tsx'
import { addTo, attachmentsIn, openDraft, setIn } from './drafts.ts'
import { linesOf } from './draftLines.ts'

const HERE = 'c'
const BOUNDS = { max_attachments: 3, max_file_bytes: 1_000, max_picture_side: 2_048 }
const SMALL = aModel({ code: 'small', label: 'Small', context_length: 4_000, takes_pictures: false })
const LARGE = aModel({ code: 'large', label: 'Large', context_length: 100_000, takes_pictures: true })
const LONG = { page_count: 100, tokens: 10_000, page_tokens: Array.from({ length: 100 }, () => 100) }

/** The lines of drafts, as a browser keeps them. */
const kept = new Map<string, string>()
const module = openAttachments({
  read: conversation => kept.get(conversation) ?? '',
  keep: (conversation, lines) => kept.set(conversation, lines),
})
const { List, Head } = module

async function aQuestion(
  attachments: DraftAttachment[],
  models: ModelChoice[] = [SMALL, LARGE],
  files: OwnFile[] = [],
) {
  answerCalls({ 'GET /files': success({ files, total: files.length, used_bytes: 0, most_bytes: 1 }) })
  openDraft(HERE)
  if (attachments.length > 0) setIn(HERE, attachments)
  const drafts: QuestionDraft[] = []
  function Page() {
    const [model, choose] = useState(models[0]?.code ?? '')
    const [text, write] = useState('')
    const draft: QuestionDraft = {
      conversation: HERE,
      text,
      write,
      source: 'openai_api',
      model,
      models,
      choose,
      messages: [],
      bounds: BOUNDS,
    }
    drafts.push(draft)
    return (
      <>
        {Head !== null && <Head draft={draft} />}
        <form>
          <List draft={draft} isDraggedOver={false} />
          <textarea data-composer aria-label="question" value={text} onChange={event => write(event.target.value)} />
        </form>
      </>
    )
  }
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <Page />
      </Kit>
    </QueryClientProvider>,
  )
  const state = () => module.stateOf(drafts.at(-1) ?? expect.unreachable('nothing is drawn'), translate)
  return { screen, state }
}

beforeEach(async () => {
  await page.viewport(900, 700)
  freshDevice()
  kept.clear()
  useSession.setState({ user: aUser() })
  await loadTexts('attachments')
})
afterEach(() => {
  useSession.setState({ user: null })
  vi.restoreAllMocks()
})

describe('a document that is too long', () => {
  test('offers its ways, none of them chosen, and waits for one', async () => {
    const { screen, state } = await aQuestion([aDocument(LONG)])
    await expect.element(screen.getByRole('radio', { name: /^前 30 页/ })).not.toBeChecked()
    await expect.element(screen.getByRole('radio', { name: /^换 .*全部都看/ })).not.toBeChecked()
    expect(state().disabledReason).toBe('太长了，先选一种办法')
    await screen.getByRole('radio', { name: /^前 30 页/ }).click()
    await expect.element(screen.getByRole('radio', { name: /^前 30 页/ })).toBeChecked()
    expect(state()).toMatchObject({
      disabledReason: null,
      hint: '前 30 页，约 3k token',
      fields: { attachments: [{ file_id: FILE_ID, as: 'text', pages: '1-30' }] },
    })
  })
  test('costs what each way costs, where models have prices', async () => {
    const price = (input: number) => ({ input, output: 2 * input, currency: 'CNY' })
    const { screen } = await aQuestion(
      [aDocument(LONG), aDocument({}, 'short')],
      [
        { ...SMALL, price: price(10) },
        { ...LARGE, price: price(100) },
      ],
    )
    await expect.element(screen.getByRole('radio', { name: /^前 \d+ 页.*¥0\.03/ })).toBeVisible()
    await expect.element(screen.getByRole('radio', { name: /^换 .*约 10k，¥1\.00/ })).toBeVisible()
    await expect.element(screen.getByTestId('attachment').nth(1)).toMatchTextContent(/约 <¥0\.01/)
  })
  test('fits with the larger model, and nothing of it is left out', async () => {
    const { screen, state } = await aQuestion([aDocument(LONG)])
    await screen.getByRole('radio', { name: /^换/ }).click()
    await until(() => expect(state().fields.attachments).toMatchObject([{ pages: null }]))
    await expect.element(screen.getByRole('radio')).not.toBeInTheDocument()
    expect(state().hint).toBe(null)
  })
})

describe('a model that sees no pictures', () => {
  test('says so, and which one does', async () => {
    const { screen, state } = await aQuestion([aPicture()])
    await expect.element(screen.getByTestId('cannot-take')).toMatchTextContent(/看不到图片/)
    expect(state().disabledReason).toBe('这个模型收不下，先换一个')
    await screen.getByRole('button', { name: /^换成/ }).click()
    await expect.element(screen.getByTestId('cannot-take')).not.toBeInTheDocument()
    expect(state().disabledReason).toBe(null)
  })
  test('can go without them, where none does', async () => {
    const { screen, state } = await aQuestion([aPicture()], [SMALL])
    await screen.getByRole('button', { name: '去掉 1 张图片' }).click()
    expect(attachmentsIn(HERE)).toEqual([])
    expect(state()).toMatchObject({ disabledReason: null, fields: {} })
  })
  test('gets the text of a document that was to be looked at', async () => {
    const { screen, state } = await aQuestion(
      [{ ...aDocument({ has_layout: true, page_count: 1 }), as: 'picture' }],
      [SMALL],
    )
    await screen.getByRole('button', { name: '改成文字' }).click()
    await until(() => expect(state().fields.attachments).toMatchObject([{ as: 'text' }]))
  })
  test('gets the text of one whose pages could not be drawn', async () => {
    const { screen, state } = await aQuestion(
      [{ ...aDocument({ has_layout: true, page_count: 1 }), as: 'picture' }],
      [SMALL],
    )
    await until(() => expect(attachmentsIn(HERE)[0]?.state.phase).toBe('failed'))
    await screen.getByRole('button', { name: '改成文字' }).click()
    await until(() => expect(state().fields.attachments).toMatchObject([{ as: 'text' }]))
  })
})

describe('the menu of a document', () => {
  test('is one by the keyboard, and changes how it goes', async () => {
    const { screen, state } = await aQuestion(
      [
        {
          ...aDocument({
            page_count: 24,
            has_layout: true,
            page_pictures: Array.from({ length: 24 }, (_, at) => at + 1),
          }),
        },
      ],
      [LARGE],
    )
    await screen.getByTestId('attachment-menu').click()
    const asText = screen.getByTestId('attachment-as-text')
    await expect.element(asText).toHaveFocus()
    await expect.element(screen.getByRole('table')).toMatchTextContent(/文字、表格.*版面、图、印章/)
    asText.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
    await expect.element(screen.getByTestId('attachment-as-pictures')).toHaveFocus()
    await until(() => expect(state().fields.attachments).toMatchObject([{ as: 'picture' }]))
    await screen.getByTestId('attachment-pages').fill('1-3, 25')
    await expect.element(screen.getByRole('alert')).toHaveTextContent('写成 1-8, 20 这样，最多到 24')
    await screen.getByTestId('attachment-pages').fill('3, 1-2')
    await until(() => expect(state().fields.attachments).toMatchObject([{ pages: '1-3' }]))
  })
  test('says why it cannot be looked at', async () => {
    const { screen } = await aQuestion([aDocument()], [LARGE])
    await screen.getByTestId('attachment-menu').click()
    await expect.element(screen.getByTestId('attachment-as-pictures')).toBeDisabled()
    await expect.element(screen.getByText('只有 PDF 能画成图片')).toBeVisible()
  })
})

describe('a draft', () => {
  test('brings back what the server has, and says what has expired since', async () => {
    kept.set(HERE, linesOf([storedAttachment('', anOwnFile()), { ...aPicture(), file_id: FILE_ID.replace(/1$/, '2') }]))
    const { screen, state } = await aQuestion(
      [],
      [LARGE],
      [
        anOwnFile(),
        anOwnFile({
          id: FILE_ID.replace(/1$/, '2'),
          kind: 'picture',
          gone: { time: '2026-11-20T10:00:00Z', reason: 'expired' },
        }),
      ],
    )
    await expect.element(screen.getByText('3 页，约 300 token')).toBeVisible()
    await expect.element(screen.getByText('过期了，模型看不到')).toBeVisible()
    expect(state().disabledReason).toBe('有文件不在了，请移除')
  })
  test('drops what was sent, and moves what was added since to the new conversation', async () => {
    await aQuestion([aDocument()], [LARGE])
    addTo(HERE, [{ ...aPicture('later'), file_id: FILE_ID.replace(/1$/, '3') }])
    module.settle(HERE, 'new', { attachments: [{ file_id: FILE_ID, as: 'text' }] })
    expect(attachmentsIn(HERE)).toEqual([])
    expect(attachmentsIn('new')).toMatchObject([{ id: 'later' }])
    expect(kept.get(HERE)).toBe('')
    expect(kept.get('new')).toContain('later.jpg')
    setIn('new', [])
  })
  test('has what was sent back, with the reason at the file that it is about', async () => {
    const other = { ...aDocument({}, 'other'), file_id: FILE_ID.replace(/1$/, '6') }
    const files = [anOwnFile({ name: 'd.pdf' }), anOwnFile({ id: other.file_id, name: 'other.pdf' })]
    const { screen, state } = await aQuestion([aDocument(), other], [LARGE], files)
    const reason = { message: 'errors.attachmentNotRead', values: { name: 'other.pdf' } }
    module.refuse(HERE, { attachments: [{ file_id: FILE_ID, as: 'text' }] }, reason)
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/没有从“other.pdf”读出/)
    expect(attachmentsIn(HERE).map(({ state: { phase } }) => phase)).toEqual(['ready', 'failed'])
    expect(state().disabledReason).toBe('有文件没读成：再试一次，或者移除')
  })
  test('takes no more than the portal does, and each file once', async () => {
    const { state } = await aQuestion(
      [aDocument({}, 'a'), { ...aDocument({}, 'b'), file_id: FILE_ID.replace(/1$/, '4') }],
      [LARGE],
    )
    expect(state().fields.attachments).toHaveLength(2)
    const file = new File(['x'], 'x.txt', { lastModified: 1 })
    const draft = { conversation: HERE, bounds: { ...BOUNDS, max_file_bytes: 0 } } as QuestionDraft // the rest is not read
    module.attach(draft, [file, new File(['x'], 'x.txt', { lastModified: 1 }), new File(['y'], 'y.txt')])
    expect(attachmentsIn(HERE).map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf', 'x.txt'])
    await until(() => expect(attachmentsIn(HERE).at(-1)?.state.phase).toBe('refused'))
  })
})

test('removing one moves the focus to the next, and from the last to the question', async () => {
  const { screen } = await aQuestion(
    [aDocument({}, 'a'), { ...aDocument({}, 'b'), file_id: FILE_ID.replace(/1$/, '5') }],
    [LARGE],
  )
  await screen.getByRole('button', { name: '移除 a.pdf' }).click()
  await expect.element(screen.getByRole('button', { name: '移除 b.pdf' })).toHaveFocus()
  await screen.getByRole('button', { name: '移除 b.pdf' }).click()
  await expect.element(screen.getByRole('textbox', { name: 'question' })).toHaveFocus()
})
