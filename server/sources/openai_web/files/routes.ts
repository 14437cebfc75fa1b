import type { FastifyRequest } from 'fastify'
import { completeUpload, readContent, readDownloadUrl, relayUpload, sendContent, startUpload } from '#contract/files.ts'
import { ANY_TYPE } from '#server/files/contentType.ts'
import type { Reader } from '#server/files/localFiles.ts'
import type { Http } from '#server/foundation/http/http.ts'
import { relayedAnswer } from '#server/foundation/http/relayed.ts'
import { textAnswer } from '#server/foundation/http/route.ts'
import type { WebFiles } from './files.ts'

export function webFileRoutes<U extends Reader>(http: Http<U>, { uploads, downloads }: WebFiles): void {
  http.answer(startUpload, ({ user, query, body, request }) =>
    uploads.start(
      { user_id: user.id, conversation_id: query.conversation_id ?? null, origin: originOf(request) },
      body,
    ),
  )
  http.answer(sendContent, async ({ user, params, body, request }) => {
    await uploads.send(user.id, params.id, { content: body, content_type: typeIn(request), length: lengthIn(request) })
    return textAnswer(201, '')
  })
  http.answer(completeUpload, ({ user, params }) => uploads.complete(user.id, params.id))
  http.answer(relayUpload, ({ user, params, query: { conversation_id = null, use_case = null } }) =>
    uploads.relay({ user_id: user.id, conversation_id, use_case }, params.id),
  )
  http.answer(readDownloadUrl, ({ user, params }) => downloads.downloadUrl(user, params.id))
  http.answer(readContent, async ({ user, params }) => relayedAnswer(await downloads.content(user, params.id)))
}

/** The portal as the browser knows it: that of the page that asks, which has been let in. */
function originOf({ headers, protocol, host }: FastifyRequest): string {
  const { origin } = headers
  return origin !== undefined && URL.parse(origin)?.host === host ? origin : `${protocol}://${host}`
}

/** Null where it comes in chunks. */
const lengthIn = ({ headers: { 'content-length': given } }: FastifyRequest): number | null =>
  given === undefined ? null : Number(given)

/** The type that the browser gives, for the storage host alone. */
const typeIn = ({ headers: { 'content-type': given } }: FastifyRequest): string =>
  given !== undefined && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(given) ? given : ANY_TYPE
