import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { type AskTotals, exportAsks, listLoggedAsks, LOGGED_OUTCOMES, readAskTotals } from '#contract/askLog.ts'
import { readConfiguration } from '#contract/configuration/configuration.ts'
import { SOURCES } from '#contract/models.ts'
import { minuteOf, rangeOf, RangeSwitch, useRange } from '../range/RangeSwitch.tsx'
import { PageHead } from '#web/admin/shell/Page.tsx'
import { DataTable } from '#web/admin/table/DataTable.tsx'
import { type Filter, FilterBar } from '#web/admin/table/FilterBar.tsx'
import { ListLayout } from '#web/admin/table/ListLayout.tsx'
import { Pager } from '#web/admin/table/Pager.tsx'
import { PersonChoice } from '#web/admin/table/PersonChoice.tsx'
import { askAhead, useList } from '#web/admin/table/useList.ts'
import { addressOf, call } from '#web/foundation/call.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDownload } from '#web/kit/icons.ts'
import { useAskColumns } from './askColumns.tsx'
import styles from './completions.module.css'
import logs from './logs.module.css'
import { UserShares } from './UserShares.tsx'

const EVERY_SECONDS = 30
const USUAL_RANGE = '7d'
const NEWEST_FIRST = { sort: 'time', order: 'desc' } as const

/** Prefetches the rows of an address. */
export function askForCompletions(search: Readonly<Record<string, unknown>>): void {
  const { query: given } = rangeOf(search, minuteOf(Date.now()), USUAL_RANGE)
  askAhead(listLoggedAsks, { sorted: NEWEST_FIRST, given }, search)
}

/** The log of everybody's asks, newest first. */
export function Completions({ tabs }: { tabs: ReactNode }) {
  const t = useTranslate()
  // The time at which the page was opened: a moving range would make every fetch another query.
  const [now] = useState(() => Date.now())
  const range = useRange(now, USUAL_RANGE)
  const given = range.query
  const list = useOpenedAsks(given)
  const { query, change } = list.address
  const { data: totals, isPending } = useTotals({ ...given, ...query })
  const { data: everybody } = useTotals({ ...given, ...query, person: undefined })
  return (
    <ListLayout
      head={
        <div className={logs.head}>
          <PageHead title={t('admin.log')} context={<Kept />}>
            <RangeSwitch range={range} />
            <Button
              component="a"
              variant="default"
              size="xs"
              className={styles.export}
              href={addressOf(exportAsks, { query: filtersOf({ ...given, ...query }) })}
              download
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {t('logs.csv')}
            </Button>
          </PageHead>
          {tabs}
          {totals !== undefined && everybody !== undefined ? (
            <UserShares
              totals={totals}
              everybody={everybody}
              person={query.person}
              onPerson={person => change({ person })}
            />
          ) : (
            isPending && <div className={styles.noSumYet} />
          )}
          <FilterBar
            address={list.address}
            search={t('logs.search')}
            filters={useAskFilters(list, everybody)}
            count={list.phase === 'shown' ? t('logs.count', { count: list.total }) : undefined}
          />
        </div>
      }
      foot={
        <div className={styles.foot}>
          {list.rows.some(ask => ask.tokens_estimated) && <p>{t('logs.estimatedHint')}</p>}
          <Pager list={list} />
        </div>
      }
    >
      <DataTable label={t('logs.completions')} columns={useAskColumns()} list={list} empty={<p>{t('logs.none')}</p>} />
    </ListLayout>
  )
}

/** The list. A row opens its conversation. */
function useOpenedAsks(given: { from: string; to?: string }) {
  const navigate = useNavigate()
  const list = useList(listLoggedAsks, {
    keyOf: ask => String(ask.id),
    sorted: NEWEST_FIRST,
    every_seconds: EVERY_SECONDS,
    given,
  })
  const open = (key: string | null) => {
    const ask = list.rows.find(({ id }) => String(id) === key)
    if (ask?.conversation_id != null && ask.title !== null)
      void navigate({ to: '/conv/$conversation_id', params: { conversation_id: ask.conversation_id } })
  }
  return { ...list, address: { ...list.address, open } }
}

type AskList = ReturnType<typeof useOpenedAsks>
type AskQuery = AskList['address']['query']

/** The part of the list's query that the totals and the export take as well. */
function filtersOf({ from, to, person, source, model, outcome, words }: AskQuery) {
  return { from, to, person, source, model, outcome, words }
}

function useTotals(query: AskQuery) {
  const filters = filtersOf(query)
  return useQuery({
    queryKey: ['admin', readAskTotals.path, filters],
    queryFn: ({ signal }) => call(readAskTotals, { query: filters }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_SECONDS * 1000,
    meta: { quiet: true },
  })
}

function useAskFilters({ rows, address }: AskList, everybody: AskTotals | undefined): Filter[] {
  const t = useTranslate()
  const nameOf = useModelName()
  const asked = (everybody?.people ?? []).flatMap(({ user_id, nickname }) =>
    user_id === null || nickname === null ? [] : [{ id: user_id, nickname }],
  )
  const { person } = address.query
  const name = (id: string) =>
    (asked.find(each => String(each.id) === id) ?? rows.find(row => String(row.user_id) === id))?.nickname ?? `#${id}`
  return [
    {
      name: 'person',
      label: t('logs.person'),
      shown: person === undefined ? undefined : name(person),
      content: close => (
        <PersonChoice
          first={asked}
          onChoose={id => {
            address.change({ person: String(id) })
            close()
          }}
        />
      ),
    },
    {
      name: 'source',
      label: t('logs.source'),
      options: SOURCES.map(source => ({ value: source, label: t(`sources.${source}`) })),
    },
    { name: 'model', label: t('logs.model'), options: modelOptions(everybody, nameOf) },
    {
      name: 'outcome',
      label: t('logs.outcome'),
      options: LOGGED_OUTCOMES.map(outcome => ({ value: outcome, label: t(`logs.outcome.${outcome}`) })),
    },
  ]
}

/** Both sources may have a model of the same code. */
function modelOptions(totals: AskTotals | undefined, nameOf: (code: string) => string) {
  const codes = [...new Set(totals?.models.map(({ model }) => model))]
  return codes.map(code => ({ value: code, label: nameOf(code) }))
}

const WithRetention = z.object({ stats: z.object({ ask_stats_ttl: z.int() }) })

/** Says how long asks are kept. */
function Kept() {
  const t = useTranslate()
  const { data } = useQuery({
    queryKey: ['admin', readConfiguration.path],
    queryFn: ({ signal }) => call(readConfiguration, {}, { signal }),
    meta: { quiet: true },
  })
  const read = WithRetention.safeParse(data)
  if (!read.success) return '\u00a0'
  const { ask_stats_ttl: seconds } = read.data.stats
  return seconds === -1 ? t('logs.keptForEver') : t('logs.kept', { kept_seconds: seconds })
}
