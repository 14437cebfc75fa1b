import { strFromU8, unzipSync } from 'fflate'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aMessage, words } from '#testing/messages.ts'
import { exportedFiles, withPaths, zipOf } from './exportedFiles.ts'

const idOf = (number: number) => `0190f0aa-0000-4000-8000-00000000000${number}`

const THREAD = [
  aMessage({
    id: 'q',
    role: 'user',
    content: words('看看'),
    metadata: {
      source: 'openai_api',
      attachments: [1, 2, 3].map(number => ({ id: idOf(number), name: '../年报.pdf', as: 'text' }) as const),
    },
  }),
  aMessage({ id: 'a', content: words(`![图](/api/files/${idOf(4)}/content)`) }),
]

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The third is gone. */
const serve = () =>
  vi.stubGlobal('fetch', (address: string) =>
    Promise.resolve(
      address.includes(idOf(3))
        ? Response.json({ code: -1, message: 'errors.attachmentGone', result: null }, { status: 400 })
        : new Response(`of ${address}`, { headers: { 'content-type': 'image/png' } }),
    ),
  )

describe('the files of an export', () => {
  test('have names of their own that lead nowhere else, and are those that are there', async () => {
    serve()
    const { paths } = await exportedFiles(THREAD)
    expect([...paths]).toEqual([
      [idOf(1), 'files/年报.pdf'],
      [idOf(2), 'files/年报 2.pdf'],
      [idOf(4), 'files/picture.png'],
    ])
  })

  test('are in the zip as they are stored', async () => {
    serve()
    const { contents } = await exportedFiles(THREAD)
    const zip = await zipOf(new Map([['a.md', new Blob(['# a'])], ...contents]), new Date('2026-11-20T06:00:00Z'))
    const files = unzipSync(new Uint8Array(await zip.arrayBuffer()))
    expect(Object.keys(files)).toEqual(['a.md', 'files/年报.pdf', 'files/年报 2.pdf', 'files/picture.png'])
    expect(strFromU8(files['files/年报 2.pdf'] ?? new Uint8Array())).toBe(`of /api/files/${idOf(2)}/content`)
  })

  test('take the place of addresses in the text, and of no others', () => {
    const text = `![a](/api/files/${idOf(1)}/content) ![b](/api/files/${idOf(2)}/content)`
    expect(withPaths(text, new Map([[idOf(1), 'files/a.png']]))).toBe(
      `![a](<files/a.png>) ![b](/api/files/${idOf(2)}/content)`,
    )
  })
})
