import type { FastifyRequest } from 'fastify'
import type { BodyOf, ParamsOf, QueryOf } from '#contract/call.ts'
import { readConversationSync, syncConversations } from '#contract/conversationSync.ts'
import { readInterpreter, readInterpreterDownload, readInterpreterFile } from '#contract/conversations.ts'
import { completeUpload, readDownloadUrl, relayUpload, sendContent, startUpload } from '#contract/files.ts'
import {
  listInstalledPlugins,
  listPlugins,
  readInstalledPlugin,
  updatePlugin,
  updatePluginSingular,
} from '#contract/plugins.ts'
import { checkUpstreamAccount, checkUpstreamAccounts } from '#contract/upstreamAccounts.ts'
import { openOwned } from '#server/conversations/owned.ts'
import { ANY_TYPE } from '#server/files/contentType.ts'
import type { MayReadOf } from '#server/files/localFiles.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Http } from '#server/foundation/http/http.ts'
import { relayedAnswer } from '#server/foundation/http/relayed.ts'
import { textAnswer } from '#server/foundation/http/route.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { AccountCheck } from './accountChecks.ts'
import type { WebFiles } from './files/files.ts'
import type { Interpreter } from './interpreter.ts'
import type { Plugins } from './plugins/plugins.ts'
import type { ConversationSyncService } from './sync/sync.ts'

export function accountRoutes<U extends SignedIn>(http: Http<U>, { check, checkFirst }: AccountCheck): void {
  http.answer(checkUpstreamAccount, () => checkFirst())
  http.answer(checkUpstreamAccounts, ({ params }) => check(Number(params.id)))
}

export function interpreterRoutes<U extends SignedIn>(
  http: Http<U>,
  interpreter: Interpreter,
  { open, mayReadOf }: { open: OpenDatabase; mayReadOf: MayReadOf },
): void {
  const { requireOwned: findOwned } = openOwned(open)
  async function requireOwned(user: SignedIn, id: string) {
    const conversation = await findOwned(user, id)
    if (conversation.user_id !== null)
      await mayReadOf(user, { owner_id: conversation.user_id, conversation_id: conversation.conversation_id })
    return conversation
  }
  http.answer(readInterpreter, async ({ user, params }) => interpreter.info(await requireOwned(user, params.id)))
  http.answer(readInterpreterDownload, async ({ user, params, query }) =>
    interpreter.fileUrl(await requireOwned(user, params.id), query),
  )
  http.answer(readInterpreterFile, async ({ user, params, query }) =>
    relayedAnswer(await interpreter.file(await requireOwned(user, params.id), query)),
  )
}

type ChangeRequest = {
  params: ParamsOf<typeof updatePlugin>
  query: QueryOf<typeof updatePlugin>
  body: BodyOf<typeof updatePlugin>
}
type AccountQuery = { upstream_id?: string | undefined; fresh?: 'true' | 'false' | undefined }

export function pluginRoutes<U extends SignedIn>(http: Http<U>, plugins: Plugins): void {
  http.answer(listPlugins, ({ user, query: { offset, limit, category = '', search = '', ...account } }) =>
    plugins.list({
      offset: Number(offset ?? 0),
      limit: limit === undefined ? null : Number(limit),
      category,
      search: search.trim(),
      ...accountOf(user, account),
    }),
  )
  http.answer(listInstalledPlugins, ({ user, query }) => {
    const account = accountOf(user, query)
    return account.upstream_id === null ? plugins.listInstalled() : plugins.listInstalledAt(account)
  })
  http.answer(readInstalledPlugin, ({ params }) => plugins.readInstalled(params.id))
  http.answer(updatePlugin, change)
  http.answer(updatePluginSingular, change)

  function change({ params, query, body }: ChangeRequest) {
    return plugins.change(params.id, body, {
      upstream_id: idOf(query.upstream_id),
      use_team: query.use_team === 'true',
    })
  }
}

/** Accounts are told apart by those who look after them. */
function accountOf(user: SignedIn, { upstream_id, fresh }: AccountQuery) {
  if (!user.is_superuser && (upstream_id !== undefined || fresh === 'true')) throw new Refusal('authorityDeny')
  return { upstream_id: idOf(upstream_id), fresh: fresh === 'true' }
}

const idOf = (id: string | undefined): number | null => (id === undefined ? null : Number(id))

export function conversationSyncRoutes<U extends SignedIn>(http: Http<U>, sync: ConversationSyncService): void {
  http.answer(readConversationSync, () => sync.read())
  http.answer(syncConversations, async ({ user, query }) => {
    await (query.wait === 'false' ? sync.start(user.id) : sync.startAndWait(user.id))
    return null
  })
}

export function webFileRoutes<U extends SignedIn>(http: Http<U>, { uploads, downloads }: WebFiles): void {
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
}

/** The portal as the browser knows it: that of the page that asks, which has been let in. */
function originOf({ headers, protocol, host }: FastifyRequest): string {
  const { origin } = headers
  return origin !== undefined && URL.parse(origin)?.host === host ? origin : `${protocol}://${host}`
}

/** Null where it comes in chunks. */
const lengthIn = ({ headers: { 'content-length': length } }: FastifyRequest): number | null =>
  length === undefined ? null : Number(length)

/** The type that the browser gives, for the storage host alone. */
const typeIn = ({ headers: { 'content-type': type } }: FastifyRequest): string =>
  type !== undefined && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : ANY_TYPE
