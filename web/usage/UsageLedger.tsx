import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { exportMyUsageLines, listMyUsageLines, type UsageLine } from '#contract/usage.ts'
import { addressOf, call } from '#web/foundation/call.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown, IconChevronRight } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { useAmounts } from './amounts.ts'
import styles from './usage.module.css'

const SIZE = '20'

/** Each ask and what was granted, in words; folded until somebody wants to read it. */
export function UsageLedger({ currency }: { currency: string }) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  const Icon = opened ? IconChevronDown : IconChevronRight
  return (
    <section className={styles.ledger}>
      <button type="button" className={styles.fold} aria-expanded={opened} onClick={() => setOpened(!opened)}>
        <b>{t('usage.ledger')}</b>
        <Icon size={14} aria-hidden />
      </button>
      {opened && <Lines currency={currency} />}
    </section>
  )
}

function Lines({ currency }: { currency: string }) {
  const t = useTranslate()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useLines()
  const rows = data?.pages.flatMap(page => page.rows)
  if (error !== null) return <NotLoaded error={error} onRetry={refetch} />
  if (rows?.length === 0) return <p className={styles.none}>{t('usage.ledger.none')}</p>
  return (
    <>
      <ul className={styles.lines} data-testid="usage-ledger">
        {rows?.map(row => (
          <Line key={row.id} row={row} currency={currency} />
        ))}
      </ul>
      <div className={styles.actions}>
        {hasNextPage && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t('usage.ledger.more')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          component="a"
          href={addressOf(exportMyUsageLines, { query: {} })}
          download
        >
          {t('usage.csv')}
        </Button>
      </div>
    </>
  )
}

function Line({ row, currency }: { row: UsageLine; currency: string }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const nameOf = useModelName()
  const amounts = useAmounts(currency)
  const source = t(`sources.${row.source}`)
  const of =
    row.reason === 'settled'
      ? t('usage.ledger.settled', { model: nameOf(row.model), source })
      : t(`usage.ledger.${row.reason}`, { source })
  const parts = [
    // Of an ask that was paid whole it says nothing.
    ...(row.asks === 0 || (row.reason === 'settled' && row.asks === 1) ? [] : [amounts.amount('asks', row.asks)]),
    ...(row.tokens === 0 ? [] : [amounts.amount('tokens', row.tokens)]),
    ...(row.money === 0 ? [] : [amounts.money(row.money)]),
    ...(row.estimated ? [t('usage.ledger.estimated')] : []),
  ]
  return (
    <li>
      <span className={styles.time}>{momentText(row.ask_time)}</span>
      <span>{of}</span>
      <b>{parts.join(t('kit.comma'))}</b>
    </li>
  )
}

function useLines() {
  return useInfiniteQuery({
    queryKey: ['usage', 'me', 'ledger'],
    queryFn: ({ pageParam, signal }) =>
      call(listMyUsageLines, { query: { page: String(pageParam), size: SIZE } }, { signal }),
    meta: { quiet: true },
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * Number(SIZE) < total ? pages.length + 1 : undefined),
  })
}
