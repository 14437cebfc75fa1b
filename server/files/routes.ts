import { downloadLocally, uploadLocally } from '#contract/files.ts'
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
import { Refusal } from '#server/foundation/refusal.ts'
import type { Files } from './files.ts'
import type { Reader } from './localFiles.ts'

export function fileRoutes<U extends Reader>(http: Http<U>, { local, own }: Files): void {
  http.answer(uploadLocally, ({ user, body }) => local.keep(user.id, body))
  http.answer(downloadLocally, async ({ user, params, request }) =>
    downloadAnswer(request, await local.read(user, params.id)),
  )
  http.answer(listFiles, ({ user, query }) => own.list(user.id, query))
  const notYet = (): never => {
    throw new Refusal('resourceNotFound')
  }
  http.answer(storeFile, notYet)
  http.answer(readThumbnail, notYet)
  http.answer(readFileText, notYet)
  http.answer(storePage, notYet)
  http.answer(readPage, notYet)
  http.answer(deleteFile, async ({ user, params }) => {
    await own.remove(user.id, params.id)
    return null
  })
}
