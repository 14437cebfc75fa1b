import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { EXPORT_FORMAT, type ImportResult } from '#contract/transfer.ts'
import { until } from '#testing/until.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { ImportDialog, ImportReport } from './ImportDialog.tsx'

const TIME = '2026-03-02T10:00:00.000Z'

function aFile(count: number, words = '问'): File {
  const conversations = Array.from({ length: count }, (_, at) => ({
    _id: `c${at}`,
    source: 'openai_api',
    title: `对话 ${at}`,
    create_time: TIME,
    update_time: TIME,
    current_node: 'q',
    current_model: null,
    metadata: null,
    mapping: {
      q: {
        id: 'q',
        source: 'openai_api',
        role: 'user',
        author_name: null,
        model: null,
        create_time: TIME,
        parent: null,
        children: [],
        content: { content_type: 'text', text: words },
        metadata: null,
      },
    },
  }))
  return new File(
    [JSON.stringify({ format: EXPORT_FORMAT, version: 1, exported_at: TIME, conversations })],
    'mine.json',
  )
}

type Sent = { conversations: { id: string }[] }

/** Renders the dialog with these answers of the server, null meaning that no answer comes. */
async function theDialog(answer: (sent: Sent) => object | null) {
  await page.viewport(1280, 800)
  const sent: Sent[] = []
  vi.stubGlobal('fetch', (_url: string, { body, signal }: RequestInit) => {
    const parsed = JSON.parse(String(body)) as Sent // what the dialog has just sent
    sent.push(parsed)
    const given = answer(parsed)
    return given === null ? untilAborted(signal) : Promise.resolve(Response.json(given))
  })
  queryClient.clear()
  await loadTexts('transfer')
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <ImportDialog onImported={() => undefined} onClose={() => undefined} />
      </Kit>
    </QueryClientProvider>,
  )
  const choose = (file: File) => screen.getByTestId('import-file').upload(file)
  const count = (outcome: string) =>
    document.querySelector(`[data-testid=import-report] [data-outcome=${outcome}] dd`)?.textContent
  return { screen, sent, choose, count }
}

const untilAborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

const results = (sent: Sent, outcome: ImportResult['outcome'], reason: string | null = null) => ({
  code: 200,
  message: '',
  result: { results: sent.conversations.map(() => ({ conversation_id: null, outcome, added: 1, reason })) },
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the import', () => {
  test('reports how many conversations were stored', async () => {
    const { screen, choose, count, sent } = await theDialog(each => results(each, 'new'))
    await choose(aFile(3))
    await expect.element(screen.getByTestId('import-report')).toBeVisible()
    expect(count('new')).toBe('3')
    expect(sent.flatMap(({ conversations }) => conversations.map(({ id }) => id))).toEqual(['c0', 'c1', 'c2'])
  })

  test('keeps the focus from the button for the file to the one that closes it', async () => {
    const { screen, choose } = await theDialog(each => results(each, 'new'))
    await expect.element(screen.getByRole('button', { name: '选择文件' })).toHaveFocus()
    await choose(new File(['{'], 'broken.json'))
    await expect.element(screen.getByText('这不是 JSON 文件，或者文件不完整')).toBeVisible()
    await until(() => expect(screen.getByRole('dialog').element().contains(document.activeElement)).toBe(true))
    await choose(aFile(1))
    await expect.element(screen.getByTestId('import-report')).toBeVisible()
    await until(() => expect(screen.getByRole('dialog').element().contains(document.activeElement)).toBe(true))
  })

  test('lists refused conversations, with the reason', async () => {
    const { screen, choose, count } = await theDialog(each => results(each, 'refused', 'errors.conversationTooLong'))
    await choose(aFile(1))
    await expect.element(screen.getByRole('list', { name: '没有导入' })).toMatchTextContent(/对话 0.+/)
    expect([count('new'), count('refused')]).toEqual(['0', '1'])
  })

  test('of a large file makes several calls, and stops on request', async () => {
    let calls = 0
    const { screen, choose, count } = await theDialog(each => {
      calls += 1
      return calls > 2 ? null : results(each, 'new')
    })
    await choose(aFile(40, '长'.repeat(20_000)))
    await until(() => expect(calls).toBe(3))
    await screen.getByRole('button', { name: '停止' }).click()
    await expect.element(screen.getByText(/还有 \d+ 个没有导入/)).toBeVisible()
    expect(Number(count('new'))).toBeGreaterThan(0)
  })

  test('of a conversation that is too long continues with another, and says so', async () => {
    const { screen, choose, count, sent } = await theDialog(({ conversations }) => ({
      code: 200,
      message: '',
      result: {
        results: conversations.map(({ id }) => ({
          conversation_id: null,
          outcome: 'new',
          added: 1,
          reason: null,
          ...(!id.includes('#') && { left: 1 }),
        })),
      },
    }))
    await choose(aFile(1))
    await expect.element(screen.getByText(/有 1 个对话太长/)).toBeVisible()
    expect(count('new')).toBe('2')
    expect(sent.map(({ conversations }) => conversations.map(({ id }) => id))).toEqual([['c0'], ['c0#2']])
  })

  test('names the product whose export it cannot read', async () => {
    const { screen, choose } = await theDialog(each => results(each, 'new'))
    await choose(new File([JSON.stringify([{ header: 'Gemini Apps', time: TIME }])], 'MyActivity.json'))
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/这是 Gemini 的导出文件/)
  })

  test('says what is wrong with a file, and accepts another', async () => {
    const { screen, choose } = await theDialog(each => results(each, 'new'))
    await choose(new File(['hello'], 'holiday.json'))
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/这不是 JSON 文件/)
    await choose(aFile(1))
    await expect.element(screen.getByTestId('import-report')).toBeVisible()
  })

  test('accepts a dropped file', async () => {
    const { screen } = await theDialog(each => results(each, 'present'))
    const transfer = new DataTransfer()
    transfer.items.add(aFile(2))
    await expect.element(screen.getByText('把文件拖到这里')).toBeVisible()
    screen
      .getByText('把文件拖到这里')
      .element()
      .dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
    await until(() => expect(document.querySelector('[data-outcome=present] dd')?.textContent).toBe('2'))
  })
})

describe('the report of an import', () => {
  beforeAll(() => loadTexts('transfer'))
  test('groups the digits of its numbers', async () => {
    const screen = await render(
      <Kit>
        <ImportReport
          summary={{
            counts: { new: 2000, completed: 0, present: 0, refused: 0 },
            refused: [],
            split: 0,
            left: 0,
            pictures_left_out: 0,
          }}
        />
      </Kit>,
    )
    await expect.element(screen.getByRole('definition')).toHaveTextContent('2,000')
  })
  test('says that a long conversation became several', async () => {
    const screen = await render(
      <Kit>
        <ImportReport
          summary={{
            counts: { new: 3, completed: 0, present: 0, refused: 0 },
            refused: [],
            split: 1,
            left: 0,
            pictures_left_out: 0,
          }}
        />
      </Kit>,
    )
    await expect.element(screen.getByText('有 1 个对话太长，分成了几个，标题后面有编号')).toBeVisible()
  })
})
