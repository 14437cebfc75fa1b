import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type LedgerRow, listLedger } from '#contract/userAdministration.ts'
import { useMomentText } from '#web/users/moments.ts'
import { call } from '#web/foundation/call.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './records.module.css'

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
