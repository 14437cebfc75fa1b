import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { OwnFile } from '#contract/ownFiles.ts'
import { answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { OwnFilesDialog } from './OwnFilesDialog.tsx'

beforeEach(() => loadTexts('account'))

const aFile = (number: number, fields: Partial<OwnFile> = {}): OwnFile => ({
  id: `a1c70000-0000-4000-8000-00000000000${number}`,
  name: `${number}.pdf`,
  size: 1_900_000,
  content_type: 'application/pdf',
  upload_time: '2026-10-13T08:00:00.000Z',
  ...{ is_here: true, web_file_id: null, conversation: null, is_attachable: true, kind: 'document', gone: null },
  ...{ width: null, height: null, pages: 2, tokens: 10, has_thumbnail: false, page_pictures: [] },
  ...fields,
})

async function open(files: readonly OwnFile[]) {
  const made = answerCalls({
    'GET /files': success({ files, total: files.length, used_bytes: 3_800_000, most_bytes: 10_000_000 }),
    'DELETE /files/a1c70000-0000-4000-8000-000000000001': success(null),
  })
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <OwnFilesDialog onClose={() => undefined} />
      </Kit>
    </QueryClientProvider>,
  )
  return made
}

const search = page.getByRole('searchbox', { name: '搜索' })

beforeEach(() => {
  freshDevice()
  queryClient.clear()
})

describe('one’s own files', () => {
  test('are shown by what they look like, else by their kind', async () => {
    await open([aFile(1), aFile(2, { name: '电表.jpg', content_type: 'image/jpeg', kind: 'picture' })])
    await expect.element(page.getByTestId('own-file').nth(0)).toMatchTextContent(/^PDF1\.pdf/)
    const picture = page.getByTestId('own-file').nth(1).element().querySelector('img')
    expect(picture?.getAttribute('src')).toMatch(/^\/api\/files\/.*2\/thumbnail$/)
    await expect.element(search).not.toBeInTheDocument()
  })
  test('are looked for by name where they are many', async () => {
    const made = await open(Array.from({ length: 9 }, (_, at) => aFile(at)))
    await search.fill('年报')
    await expect.poll(() => made.at(-1)?.query.get('search')).toBe('年报')
  })
  test('are deleted after a second press', async () => {
    const made = await open([aFile(1)])
    await page.getByRole('button', { name: '删除 1.pdf' }).click()
    expect(made.some(({ call }) => call.startsWith('DELETE'))).toBe(false)
    await page.getByRole('button', { name: '删除文件' }).click()
    await expect.poll(() => made.some(({ call }) => call.startsWith('DELETE'))).toBe(true)
  })
})
