import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SOURCES } from '#contract/models.ts'
import { listPlans } from '#contract/plans.ts'
import { exportUsage, readUsage, type UsageTable } from '#contract/usage.ts'
import { Page } from '#web/admin/shell/Page.tsx'
import { type Filter, FilterBar } from '#web/admin/table/FilterBar.tsx'
import { PersonChoice } from '#web/admin/table/PersonChoice.tsx'
import { type ListAddress, useListAddress } from '#web/admin/table/useListAddress.ts'
import { addressOf, call } from '#web/foundation/call.ts'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import { useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronLeft, IconChevronRight, IconDownload } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { Figures } from './Figures.tsx'
import { monthAfter, monthIn, monthText, zoneText } from './months.ts'
import { PrintButton } from './PrintButton.tsx'
import { Requests } from './Requests.tsx'
import { StatementView } from './StatementView.tsx'
import { UsageMatrix } from './UsageMatrix.tsx'
import styles from './usage.module.css'

const EVERY_SECONDS = 60
/** People who are listed until somebody wants to see the others, and then at most. */
const FIRST = '20'
const ALL = '200'

type UsageAddress = ReturnType<typeof useUsageAddress>

const useUsageAddress = () => useListAddress(readUsage.query)

/** What everybody used in a month, and who asks for more. With a person opened, the statement of that month. */
export function UsageScreen() {
  const address = useUsageAddress()
  const portal = usePortal()
  const now = useNow()
  if (portal === undefined) return null
  const present = monthIn(now, portal.time_zone)
  const month = address.query.month ?? present
  return address.opened === null ? (
    <Everybody address={address} month={month} present={present} />
  ) : (
    <StatementView user_id={address.opened} month={month} onBack={() => address.open(null)}>
      <MonthSwitch address={address} month={month} present={present} />
    </StatementView>
  )
}

/** `present`: the month that it is now. */
type OfMonth = { address: UsageAddress; month: string; present: string }

function Everybody({ address, month, present }: OfMonth) {
  const t = useTranslate()
  const language = useLanguage()
  const [size, setSize] = useState<typeof FIRST | typeof ALL>(FIRST)
  const { person, plan, source, model, sort, order } = address.query
  const filters = { month, person, plan, source, model, sort, order }
  const { data, error, refetch } = useUsageTable({ ...filters, size })
  const timeOf = (moment: string) => zoneText(new Date(moment), data?.time_zone ?? 'UTC', language)
  return (
    <Page
      title={t('admin.usage')}
      context={
        data === undefined
          ? '\u00a0'
          : t('usageTable.span', { from: timeOf(data.from), to: timeOf(data.to), zone: data.time_zone })
      }
      actions={
        <>
          <MonthSwitch address={address} month={month} present={present} />
          <PrintButton />
          <Button
            component="a"
            variant="default"
            size="xs"
            className={styles.action}
            href={addressOf(exportUsage, { query: filters })}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('usage.csv')}
          </Button>
        </>
      }
    >
      <Requests currency={data?.currency ?? null} />
      {data === undefined && error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {data !== undefined && (
        <div data-printed data-title={`${t('admin.usage')} ${monthText(month, language)}`}>
          <Figures table={data} />
          <div className={styles.filters}>
            <Filters address={address} table={data} />
          </div>
          <UsageMatrix table={data} address={address} onShowOthers={size === ALL ? null : () => setSize(ALL)} />
          <p className={styles.note}>{t('usageTable.note')}</p>
        </div>
      )}
    </Page>
  )
}

function useUsageTable(query: Parameters<typeof addressOf>[1]['query']) {
  return useQuery({
    queryKey: ['admin', readUsage.path, query],
    queryFn: ({ signal }) => call(readUsage, { query: query as never }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_SECONDS * 1000,
    meta: { quiet: true },
  })
}

function MonthSwitch({ address, month, present }: OfMonth) {
  const t = useTranslate()
  const language = useLanguage()
  const go = (to: string) => address.change({ month: to === present ? undefined : to })
  return (
    <span className={styles.month} role="group" aria-label={t('usageTable.month')}>
      <button type="button" aria-label={t('usageTable.before')} onClick={() => go(monthAfter(month, -1))}>
        <IconChevronLeft size={16} aria-hidden />
      </button>
      <span aria-live="polite">{monthText(month, language)}</span>
      <button
        type="button"
        aria-label={t('usageTable.after')}
        disabled={month >= present}
        onClick={() => go(monthAfter(month, 1))}
      >
        <IconChevronRight size={16} aria-hidden />
      </button>
    </span>
  )
}

function Filters({ address, table }: { address: UsageAddress; table: UsageTable }) {
  const t = useTranslate()
  return <FilterBar address={address} filters={useFilters(address, table)} count={t('usageTable.cells')} />
}

function useFilters({ query, change }: ListAddress<UsageAddress['query']>, table: UsageTable): Filter[] {
  const t = useTranslate()
  const nameOf = useModelName()
  const { data: plans } = useQuery({
    queryKey: ['admin', listPlans.path],
    queryFn: ({ signal }) => call(listPlans, {}, { signal }),
    meta: { quiet: true },
  })
  const people = [...new Map(table.rows.map(row => [row.user_id, row.nickname]))].flatMap(([id, nickname]) =>
    id === null || nickname === null ? [] : [{ id, nickname }],
  )
  const { person } = query
  const nameOfPerson = people.find(({ id }) => String(id) === person)?.nickname ?? `#${person}`
  return [
    {
      name: 'person',
      label: t('usageTable.person'),
      shown: person === undefined ? undefined : nameOfPerson,
      content: close => (
        <PersonChoice
          first={people}
          onChoose={id => {
            change({ person: String(id) })
            close()
          }}
        />
      ),
    },
    {
      name: 'plan',
      label: t('usageTable.plan'),
      options: (plans ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    },
    {
      name: 'source',
      label: t('usageTable.source'),
      options: SOURCES.map(source => ({ value: source, label: t(`sources.${source}`) })),
    },
    {
      name: 'model',
      label: t('usageTable.model'),
      options: [...new Set(table.models.map(({ model }) => model))].map(code => ({ value: code, label: nameOf(code) })),
    },
  ]
}
