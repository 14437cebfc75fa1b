import {
  completeUpload,
  downloadLocally,
  readDownloadUrl,
  relayUpload,
  startUpload,
  uploadLocally,
} from '#contract/files.ts'
import { downloadAnswer } from '#server/foundation/http/download.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Files } from './files.ts'
import type { Reader } from './localFiles.ts'

export function fileRoutes<U extends Reader>(http: Http<U>, { local, atWeb }: Files): void {
  http.answer(startUpload, ({ user, body }) => atWeb.start(user.id, body))
  http.answer(completeUpload, ({ user, params }) => atWeb.complete(user.id, params.id))
  http.answer(uploadLocally, ({ user, body }) => local.keep(user.id, body))
  http.answer(relayUpload, ({ user, params }) => atWeb.relay(user.id, params.id))
  http.answer(downloadLocally, async ({ user, params, request }) =>
    downloadAnswer(request, await local.read(user, params.id)),
  )
  http.answer(readDownloadUrl, ({ user, params }) => atWeb.downloadUrl(user, params.id))
}
