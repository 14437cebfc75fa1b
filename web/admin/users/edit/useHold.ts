import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type HeldUser, holdUser, readHold } from '#contract/keeping.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { formatDate } from '#web/foundation/times.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'

const holdQuery = (id: number) =>
  queryOptions({
    queryKey: ['admin', 'hold', id],
    queryFn: ({ signal }) => call(readHold, { params: { id: String(id) } }, { signal }),
    meta: { quiet: true },
  })

/** Whether everything of a person is kept, and what changes that. */
export function useHold({ id, nickname }: { id: number; nickname: string }) {
  const t = useTranslate()
  const language = useLanguage()
  const client = useQueryClient()
  const held: HeldUser | undefined = useQuery(holdQuery(id)).data

  async function change(on: boolean, reason: string | null): Promise<void> {
    try {
      client.setQueryData(
        holdQuery(id).queryKey,
        await call(holdUser, { params: { id: String(id) }, body: { on, reason } }),
      )
      toast.success(t(on ? 'users.hold.held' : 'users.hold.released', { nickname }))
    } catch (error) {
      reportFailure(error)
    }
  }

  async function release(): Promise<void> {
    const since =
      held?.since == null
        ? ''
        : t('users.hold.since', { date: formatDate(new Date(held.since), language), reason: held.reason ?? '' })
    const sure = await confirm({
      title: t('users.hold.releaseTitle', { nickname }),
      text: [since, t('users.hold.releaseText')].filter(text => text !== '').join(t('users.sentence')),
      verb: t('users.hold.release'),
      danger: true,
    })
    if (sure) await change(false, null)
  }

  return { held, hold: (reason: string) => change(true, reason), release }
}
