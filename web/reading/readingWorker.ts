import { openPacked } from './documents/documents.ts'
import { openPages } from './documents/pages.ts'
import { readText } from './documents/text.ts'
import { fileKindOf } from './fileKind.ts'
import { readPicture } from './pictures/readPicture.ts'
import type { AssetFolder, BroughtAsset, DocumentHead, ReadingRequest, ReadingResponse } from './protocol.ts'
import { PARTIAL_REASONS } from './reading.ts'
import { sha256Of } from './sha256.ts'
import { Unreadable } from './unreadable.ts'
import type { Pages } from './documents/pages.ts'

type ReadRequest = ReadingRequest & { kind: 'read' }

/** Bytes by which a file is recognised. */
const HEAD = 4_096

const respond = (message: ReadingResponse) => postMessage(message, { transfer: [] })

async function loaded<Module>(load: () => Promise<Module>): Promise<Module> {
  respond({ kind: 'loading' })
  try {
    return await load()
  } catch (cause) {
    throw new Unreadable('failed', {}, { cause })
  } finally {
    respond({ kind: 'progress', done: 0, total: null })
  }
}

/** Assets that the page has been asked for, by number. */
const wanted = new Map<number, (bytes: Uint8Array | null) => void>()
let lastAsset = 0

/** Reads one file, without any way to ask somebody for anything: the page brings what pdfjs needs besides. */
addEventListener('message', ({ data }: MessageEvent<ReadingRequest | BroughtAsset>) => {
  if (data.kind === 'asset') settleAsset(data)
  else if (data.kind === 'read') void readFile(data).catch(refuse)
  else if (data.kind === 'draw') void draw(data).catch(refuse)
})

function settleAsset({ id, bytes }: BroughtAsset): void {
  wanted.get(id)?.(bytes === null ? null : new Uint8Array(bytes))
  wanted.delete(id)
}

function bring(folder: AssetFolder, name: string): Promise<Uint8Array> {
  lastAsset += 1
  const id = lastAsset
  return new Promise((resolve, reject) => {
    wanted.set(id, bytes => (bytes === null ? reject(new Error('there is no such asset')) : resolve(bytes)))
    respond({ kind: 'wantsAsset', id, folder, name })
  })
}

function refuse(error: unknown): void {
  // What a broken file makes a library throw says nothing to anybody.
  const { reason, values } = error instanceof Unreadable ? error : new Unreadable('broken')
  respond({ kind: 'refused', reason, values })
}

async function readFile(request: ReadRequest): Promise<void> {
  respond({ kind: 'progress', done: 0, total: null })
  const head = new Uint8Array(await request.file.slice(0, HEAD).arrayBuffer())
  const kind = fileKindOf(head, request.name)
  switch (kind.kind) {
    case 'picture':
      return respond({ kind: 'picture', picture: await readPicture(request.file, kind.type, request.maxPictureSide) })
    case 'pdf': {
      const { readPdf } = await loaded(() => import('./documents/pdf.ts'))
      const { file, password } = request
      return readDocument(request, { format: 'pdf', type: 'application/pdf' }, pages =>
        readPdf({ file, password, bring }, pages),
      )
    }
    case 'archive': {
      const { format, type, read } = await openPacked(request.file)
      return readDocument(request, { format, type }, read)
    }
    case 'text':
      return readDocument(request, kind, async pages => {
        if (kind.format !== 'mail') return readText(request.file, kind.format, pages)
        const { readMail } = await loaded(() => import('./documents/mail.ts'))
        return readMail(request.file, pages)
      })
    case 'compound': {
      const { file, password } = request
      const step = () => respond({ kind: 'progress', done: 0, total: null })
      const { withoutPassword } = await loaded(() => import('./documents/officePassword.ts'))
      const { format, type, read } = await openPacked(await withoutPassword(file, password, step))
      return readDocument(request, { format, type }, read)
    }
    case 'notTaken':
      throw new Unreadable(kind.kind)
  }
}

/** Sends the text while it is read, so that what there is can be offered if the rest never comes. */
async function readDocument(
  { file }: ReadRequest,
  { format, type }: Omit<DocumentHead, 'sha256'>,
  read: (pages: Pages) => Promise<void>,
): Promise<void> {
  const sha256 = await sha256Of(new Uint8Array(await file.arrayBuffer()))
  respond({ kind: 'head', format, type, sha256 })
  let hasText = false
  const pages = openPages({
    onText: pieces => {
      hasText ||= pieces.some(({ text }) => text.trim() !== '')
      respond({ kind: 'text', pieces })
    },
    onProgress: progress => respond({ kind: 'progress', ...progress }),
  })
  try {
    await read(pages)
    pages.flush()
    respond({ kind: 'done', partial: null })
  } catch (error) {
    pages.flush()
    const reason = error instanceof Unreadable ? error.reason : 'broken'
    const partial = PARTIAL_REASONS.find(each => each === reason)
    if (!hasText || partial === undefined) throw error
    respond({ kind: 'done', partial })
  }
}

async function draw({ file, pages, maxPictureSide, password }: ReadingRequest & { kind: 'draw' }): Promise<void> {
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer())
  if (fileKindOf(head, '').kind !== 'pdf') throw new Unreadable('notTaken')
  const { drawPdf } = await loaded(() => import('./documents/pdf.ts'))
  await drawPdf(
    { file, pages, maxPictureSide, password, bring },
    picture => respond({ kind: 'pagePicture', picture }),
    progress => respond({ kind: 'progress', ...progress }),
  )
  respond({ kind: 'done', partial: null })
}
