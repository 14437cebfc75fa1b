import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  endUserSession,
  endUserSessions,
  type LedgerRow,
  listLedger,
  listUserPage,
  listUserSessions,
  type UserSession,
} from '#contract/userAdministration.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { listKey } from '#web/admin/table/useList.ts'
import styles from './records.module.css'
import { useModelName } from '#web/foundation/portal.ts'

/** The sessions of a person; each can be ended. */
export function Sessions({ id }: { id: number }) {
  const t = useTranslate()
  const { sessions, error, reload, endOne, endAll } = useSessions(id)
  const others = sessions?.filter(session => !session.is_current).length ?? 0
  return (
    <section>
      <div className={styles.head}>
        <h4>{t('users.sessions')}</h4>
        {others > 1 && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={endAll}>
            {t('users.sessions.endAll')}
          </Button>
        )}
      </div>
      {sessions === undefined && error !== null && <NotLoaded error={error} onRetry={reload} />}
      {sessions?.length === 0 && <p className={styles.hint}>{t('users.sessions.none')}</p>}
      <ul className={styles.sessions}>
        {sessions?.map(session => (
          <Session key={session.id} session={session} onEnd={() => endOne(session)} />
        ))}
      </ul>
    </section>
  )
}

function Session({ session, onEnd }: { session: UserSession; onEnd(): void }) {
  const t = useTranslate()
  const pastText = useMomentText()
  const device = deviceOf(session.user_agent, t('kit.comma')) ?? t('users.sessions.unknown')
  return (
    <li data-testid="session">
      <span className={styles.device} title={session.user_agent ?? undefined}>
        {device}
        {session.is_current && <Tag tone="green">{t('users.sessions.current')}</Tag>}
      </span>
      <span className={styles.hint}>
        {t('users.sessions.seen', {
          time: pastText(session.last_seen_time),
          from: session.address ?? t('users.sessions.nowhere'),
        })}
        {t('kit.comma')}
        {t(`users.sessions.proof.${session.proof}`)}
      </span>
      {!session.is_current && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={t('users.sessions.endOne', { device })}
          onClick={onEnd}
        >
          {t('users.sessions.end')}
        </Button>
      )}
    </li>
  )
}

function useSessions(id: number) {
  const t = useTranslate()
  const client = useQueryClient()
  const queryKey = ['admin', 'user', String(id), 'sessions']
  const params = { id: String(id) }
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listUserSessions, { params }, { signal }),
    meta: { quiet: true },
  })

  const end = async (ending: Promise<{ ended: number }>) => {
    try {
      const { ended } = await ending
      toast.success(t('users.sessions.ended', { count: ended }))
    } catch (error) {
      reportFailure(error)
    }
    void client.invalidateQueries({ queryKey })
    void client.invalidateQueries({ queryKey: listKey(listUserPage) })
  }
  return {
    sessions: data,
    error,
    reload: refetch,
    endOne: (session: UserSession) => void end(call(endUserSession, { params: { ...params, session: session.id } })),
    endAll: () => void end(call(endUserSessions, { params })),
  }
}

const BROWSERS = [
  ['Edge', /\bEdgA?\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Opera', /\bOPR\//],
  ['Chrome', /\bChrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** "Chrome, Windows" of a browser's user agent; of any other program the first word. Null without one. */
function deviceOf(user_agent: string | null, comma: string): string | null {
  if (user_agent === null || user_agent.trim() === '') return null
  const known = [nameIn(BROWSERS, user_agent), nameIn(SYSTEMS, user_agent)].filter(name => name !== undefined)
  return known.length > 0 ? known.join(comma) : (user_agent.trim().split(/\s/)[0] ?? null)
}

function nameIn(table: readonly (readonly [string, RegExp])[], user_agent: string): string | undefined {
  return table.find(([, pattern]) => pattern.test(user_agent))?.[0]
}

const SIZE = '20'

/** The ledger of a person's counts: changes by asks and by administrators. */
export function Ledger({ id }: { id: number }) {
  const t = useTranslate()
  const { data, error, refetch, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useLedger(id)
  const rows = data?.pages.flatMap(page => page.rows)
  return (
    <section>
      <div className={styles.head}>
        <h4>{t('users.ledger')}</h4>
      </div>
      {isPending && <p className={styles.hint}>{t('kit.loading')}</p>}
      {error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {rows?.length === 0 && <p className={styles.hint}>{t('users.ledger.none')}</p>}
      <ul className={styles.ledger}>
        {rows?.map(row => (
          <LedgerLine key={row.id} row={row} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('users.ledger.more')}
        </Button>
      )}
    </section>
  )
}

function LedgerLine({ row: { create_time, source, model, change, reason } }: { row: LedgerRow }) {
  const t = useTranslate()
  const nameOf = useModelName()
  const momentText = useMomentText()
  // 0: set to the same value, or to unlimited.
  const sign = change === 0 ? '' : change > 0 ? `+${change}` : String(change).replace('-', '−')
  return (
    <li>
      <span className={styles.time}>{momentText(create_time)}</span>
      <span>
        {t('users.ledger.line', {
          what: t(`users.ledger.${reason}`),
          source: t(`sources.${source}`),
          model: model === null ? t('users.total') : nameOf(model),
        })}
      </span>
      <b>{sign}</b>
    </li>
  )
}

function useLedger(id: number) {
  return useInfiniteQuery({
    queryKey: ['admin', 'user', String(id), 'ledger'],
    queryFn: ({ pageParam, signal }) =>
      call(listLedger, { params: { id: String(id) }, query: { page: String(pageParam), size: SIZE } }, { signal }),
    meta: { quiet: true },
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * Number(SIZE) < total ? pages.length + 1 : undefined),
  })
}
