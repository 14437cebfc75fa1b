import type { BodyOf, ParamsOf, QueryOf } from '#contract/call.ts'
import {
  listInstalledPlugins,
  listPlugins,
  readInstalledPlugin,
  updatePlugin,
  updatePluginSingular,
} from '#contract/plugins.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Plugins } from './plugins.ts'

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
