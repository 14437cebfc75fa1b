import type { FastifyRequest } from 'fastify'
import { downloadLocally, readContent, uploadLocally } from '#contract/files.ts'
import {
  deleteFile,
  listFiles,
  readFileText,
  readPage,
  readThumbnail,
  storeFile,
  storePage,
} from '#contract/ownFiles.ts'
import { downloadAnswer } from '#server/foundation/http/download.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Files } from './files.ts'
import type { Reader } from './localFiles.ts'

export function fileRoutes<U extends Reader>(http: Http<U>, { local, own, kept, pages, content }: Files): void {
  http.answer(uploadLocally, ({ user, body }) => local.keep(user.id, body))
  http.answer(downloadLocally, async ({ user, params, request }) =>
    downloadAnswer(request, await local.read(user, params.id)),
  )
  http.answer(storeFile, async ({ user, body, request }) => own.one(await kept.keep(user.id, body, lengthIn(request))))
  http.answer(storePage, async ({ user, params: { id, number }, body }) =>
    own.one(await pages.keep({ uploader_id: user.id, id, page_number: Number(number) }, body)),
  )
  http.answer(listFiles, ({ user, query }) => own.list(user.id, query))
  http.answer(deleteFile, async ({ user, params }) => {
    await own.remove(user.id, params.id)
    return null
  })
  http.answer(readContent, ({ user, params, request }) => content.content(user, params.id, request))
  http.answer(readThumbnail, ({ user, params, request }) => content.thumbnail(user, params.id, request))
  http.answer(readFileText, ({ user, params, request }) => content.text(user, params.id, request))
  http.answer(readPage, ({ user, params, request }) => content.page(user, params, request))
}

/** Null where it comes in chunks. */
const lengthIn = ({ headers: { 'content-length': given } }: FastifyRequest): number | null =>
  given === undefined ? null : Number(given)
