import { afterEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { until } from '#testing/until.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { ExportAllDialog } from './ExportAllDialog.tsx'

const TIME = '2026-03-02T10:00:00.000Z'

function aHistory(id: string) {
  return {
    _id: id,
    source: 'openai_api',
    title: id,
    create_time: TIME,
    update_time: TIME,
    mapping: {},
    current_node: null,
    current_model: null,
    metadata: null,
    running_ask: 'x',
  }
}

/** Renders the dialog; the server answers each call with the next of these, null meaning that no answer comes. */
async function theDialog(...answers: (object | null)[]) {
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation(file => {
    files.push(file as Blob)
    return '#file'
  }) // only files are given
  vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => {
    const answer = answers.shift() ?? null
    if (answer !== null) return Promise.resolve(Response.json(answer))
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  })
  useToasts.setState({ toasts: [] })
  const onClose = vi.fn()
  await loadTexts('transfer')
  const screen = await render(
    <Kit>
      <ExportAllDialog onClose={onClose} />
    </Kit>,
  )
  return { screen, files, onClose }
}

const pageOf = (ids: string[], next: string | null, total: number) => ({
  code: 200,
  message: '',
  result: { conversations: ids.map(aHistory), next, total },
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the export of all conversations', () => {
  test('starts at once, makes one file of all pages and closes', async () => {
    const { files, onClose } = await theDialog(pageOf(['a', 'b'], '2', 3), pageOf(['c'], null, 3))
    await until(() => expect(onClose).toHaveBeenCalledOnce())
    const written: unknown = JSON.parse((await files[0]?.text()) ?? '')
    expect(written).toMatchObject({ version: 1, conversations: [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }] })
    expect(JSON.stringify(written)).not.toContain('running_ask')
    expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(['已导出 3 个对话'])
  })

  test('shows its progress', async () => {
    const { screen } = await theDialog(pageOf(['a', 'b'], '2', 3), null)
    await expect.element(screen.getByText('已取得 2 / 3 个对话')).toBeVisible()
    await expect.element(screen.getByRole('progressbar')).toHaveAttribute('value', '2')
  })

  test('saves nothing when it is cancelled', async () => {
    const { screen, files, onClose } = await theDialog(pageOf(['a'], '1', 3), null)
    await expect.element(screen.getByText('已取得 1 / 3 个对话')).toBeVisible()
    await screen.getByRole('button', { name: '取消' }).click()
    expect(onClose).toHaveBeenCalledOnce()
    await screen.unmount()
    expect(files).toEqual([])
  })

  test('can be tried again when the server refuses', async () => {
    const { screen, onClose } = await theDialog(
      { code: -1, message: 'errors.internal', result: null },
      pageOf(['a'], null, 1),
    )
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/没能导出.*-1 服务器内部出错/)
    await screen.getByRole('button', { name: '重试' }).click()
    await until(() => expect(onClose).toHaveBeenCalledOnce())
  })
})
