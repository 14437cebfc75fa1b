import { zipSync } from 'fflate'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ImportedMessage } from '#contract/transfer.ts'
import { picturesIn } from './exportedPictures.ts'
import { importedPictures } from './importedPictures.ts'

const STORED = '0190f0aa-0000-4000-8000-000000000001'

const pointing = (pointer: string): ImportedMessage => ({
  id: 'm',
  parent: null,
  role: 'user',
  author_name: null,
  model: null,
  create_time: null,
  content: { content_type: 'multimodal_text', parts: [{ asset_pointer: pointer }, '看看'] },
  metadata: { source: 'openai_web', attachments: [{ id: 'file-AbCd', name: 'photo.jpg' }] },
})

const batchOf = (...messages: ImportedMessage[]) => [
  {
    index: 0,
    part: 1,
    from: 0,
    conversation: {
      id: 'c',
      title: null,
      create_time: '2026-03-02T10:00:00.000Z',
      update_time: '2026-03-02T10:00:00.000Z',
      current_node: null,
      current_model: null,
      messages,
    },
  },
]

function serve(answer: object): { count: number } {
  const uploads = { count: 0 }
  vi.stubGlobal('fetch', () => {
    uploads.count += 1
    return Promise.resolve(Response.json(answer))
  })
  return uploads
}

const TAKEN = {
  code: 200,
  message: '',
  result: {
    ...{ id: STORED, name: 'a', size: 1, content_type: 'image/png', upload_time: '2026-03-02T10:00:00.000Z' },
    ...{ is_here: true, web_file_id: null, conversation: null, is_attachable: true, kind: 'picture', width: 1 },
    ...{ height: 1, pages: null, tokens: null, has_thumbnail: false, page_pictures: [], gone: null },
  },
}
const zip = new Blob([
  new Uint8Array(
    zipSync({
      'conversations.json': new Uint8Array([91, 93]),
      'file-AbCd-photo.jpg': new Uint8Array(50).fill(7),
      'dalle-generations/file_00ab.dat': [new Uint8Array(50).fill(8), { level: 0 }],
    }),
  ),
])
const { signal } = new AbortController()

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the pictures of an export', () => {
  test('are found by the id that begins their name, packed or not', async () => {
    const pictures = picturesIn(zip)
    expect(await pictures.read('file-AbCd', 100)).toEqual({
      name: 'file-AbCd-photo.jpg',
      content: new Uint8Array(50).fill(7),
    })
    expect(await pictures.read('file_00ab', 100)).toMatchObject({ name: 'file_00ab.dat' })
    expect(await pictures.read('file-Other', 100)).toBe(null)
    expect(await pictures.read('file-AbCd', 49)).toBe('tooLarge')
    expect(await picturesIn(new Blob(['[]'])).read('file-AbCd', 100)).toBe(null)
  })

  test('are stored once, and the messages point to what was stored', async () => {
    const uploads = serve(TAKEN)
    const pictures = importedPictures(id => picturesIn(zip).read(id, 100), signal)
    const message = pointing('file-service://file-AbCd')
    const [item] = await pictures.takeAlong(batchOf(message, message))
    expect(uploads.count).toBe(1)
    expect(item?.conversation.messages[1]).toMatchObject({
      content: { parts: [{ asset_pointer: `/api/files/${STORED}/content` }, '看看'] },
      metadata: { attachments: [] },
    })
    expect(pictures.skipped()).toBe(0)
  })

  test('are followed by its documents, under the names that their person gave them', async () => {
    const names: string[] = []
    vi.stubGlobal('fetch', (_address: string, { body }: { body: FormData }) => {
      names.push((body.get('file') as File).name)
      return Promise.resolve(Response.json(TAKEN))
    })
    const message: ImportedMessage = {
      ...pointing(''),
      content: { content_type: 'text', text: '读一下' },
      metadata: {
        source: 'openai_web',
        attachments: [
          { id: 'file_00ab', name: '合同.pdf' },
          { id: 'file-Other', name: '不在.pdf' },
        ],
      },
    }
    const pictures = importedPictures(id => picturesIn(zip).read(id, 100), signal)
    const [item] = await pictures.takeAlong(batchOf(message))
    expect(names).toEqual(['合同.pdf'])
    expect(item?.conversation.messages[0]?.metadata).toMatchObject({
      attachments: [
        { id: STORED, name: '合同.pdf' },
        { id: 'file-Other', name: '不在.pdf' },
      ],
    })
    expect(pictures.skipped()).toBe(0)
  })

  test('that are refused are counted, and no more are sent after three', async () => {
    const uploads = serve({ code: -1, message: 'errors.fileTooLarge', result: null })
    const pictures = importedPictures(async id => ({ name: id, content: new Uint8Array(1) }), signal)
    const messages = [1, 2, 3, 4, 5].map(number => pointing(`file-service://file-A${number}`))
    const [item] = await pictures.takeAlong(batchOf(...messages))
    expect(item?.conversation.messages).toEqual(messages)
    expect(uploads.count).toBe(3)
    expect(pictures.skipped()).toBe(6) // with what is attached to all of them
  })

  test('that are not in the file are left as they are, and not counted', async () => {
    const pictures = importedPictures(async () => null, signal)
    await pictures.takeAlong(batchOf(pointing('file-service://file-AbCd')))
    expect(pictures.skipped()).toBe(0)
  })
})
