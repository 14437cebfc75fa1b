import { accountOfToken, isOtherAccount, readWebToken } from '#contract/webToken.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { loadsQuery, upstreamsQuery } from './queries.ts'

/**
 * Asks before a token of another account takes the place of the present one: what it means for the conversations that
 * live there. True where the account is the same, or nothing says that it is not. `id`: null for the one whose token is
 * a credential.
 */
export async function confirmAccount(entered: string, id: number | null): Promise<boolean> {
  const read = readWebToken(entered)
  const next = 'token' in read ? accountOfToken(read.token) : null
  if (next === null) return true
  // Whoever cannot be asked decides nothing: the token is saved as it would be without the question.
  const [upstreams, load] = await Promise.all([
    queryClient.fetchQuery({ ...upstreamsQuery, staleTime: 0 }),
    queryClient.fetchQuery({ ...loadsQuery, staleTime: 0 }),
  ]).catch(() => [[], null] as const)
  const upstream = upstreams.find(each =>
    id === null ? each.credential === 'openai_web_access_token' : each.id === id && each.source === 'openai_web',
  )
  if (upstream === undefined || !isOtherAccount(upstream.token_account, next)) return true
  const count = load?.loads.find(each => each.id === upstream.id)?.conversations ?? 0
  return confirm({
    title: t('upstreams.otherAccount.title'),
    text: t('upstreams.otherAccount.text', { count }),
    verb: t('upstreams.otherAccount.verb'),
  })
}
