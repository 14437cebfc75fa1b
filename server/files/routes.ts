import { downloadLocally, uploadLocally } from '#contract/files.ts'
import { deleteFile, listFiles } from '#contract/ownFiles.ts'
import { downloadAnswer } from '#server/foundation/http/download.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Files } from './files.ts'
import type { Reader } from './localFiles.ts'

export function fileRoutes<U extends Reader>(http: Http<U>, { local, own }: Files): void {
  http.answer(uploadLocally, ({ user, body }) => local.keep(user.id, body))
  http.answer(downloadLocally, async ({ user, params, request }) =>
    downloadAnswer(request, await local.read(user, params.id)),
  )
  http.answer(listFiles, ({ user }) => own.list(user.id))
  http.answer(deleteFile, async ({ user, params }) => {
    await own.remove(user.id, params.id)
    return null
  })
}
