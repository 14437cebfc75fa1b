import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { AskPlot, SystemInfo } from '#contract/statistics.ts'
import type { UnreadableKey } from '#contract/status.ts'
import { useSettingTexts } from '#web/admin/configuration/settings/useSettingTexts.ts'
import { RangeSwitch, useRange } from '../range/RangeSwitch.tsx'
import { Page } from '#web/admin/shell/Page.tsx'
import { systemInfoQuery } from '#web/admin/shell/times.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { usePortal } from '#web/foundation/portal.ts'
import { formatTimeOfDay, clockText } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import { ConnectCard, PortalFacts } from './PortalFacts.tsx'
import { Jobs } from './Jobs.tsx'
import { AskPlotCard, RequestPlotCard } from './Plots.tsx'
import {
  askPlotQuery,
  LIVE_SECONDS,
  queueQuery,
  requestPlotQuery,
  statusQuery,
  SUM_SECONDS,
  unreadableKeysQuery,
} from './queries.ts'
import { SharedAccounts, UpstreamHealth } from './SharedAccounts.tsx'
import styles from './system.module.css'
import { useGranularity } from './granularity.ts'

/** The overview: the state of the portal now and over a time range. */
export function SystemScreen() {
  const t = useTranslate()
  const portal = usePortal()
  const live = useQuery(queueQuery)
  const { data: queue, dataUpdatedAt } = live
  const [opened] = useState(() => Date.now())
  // Advances with each fetch: a hidden page fetches nothing, and so does not ask for new ranges.
  const now = Math.max(opened, dataUpdatedAt)
  const range = useRange(now, '24h')
  const [each, eachRequest] = [useGranularity(range, 'asks', now), useGranularity(range, 'requests', now)]
  const common = useQuery(statusQuery)
  const about = useQuery({ ...systemInfoQuery, refetchInterval: SUM_SECONDS * 1000 })
  const [status, info] = [common.data, about.data]
  const ask = { ...range.query, granularity: String(each.chosen) }
  const request = { ...range.query, granularity: String(eachRequest.chosen) }
  const asked = useQuery(askPlotQuery(ask))
  const requested = useQuery(requestPlotQuery(request))
  const [asks, requests] = [asked.data, requested.data]
  const updated = dataUpdatedAt === 0 ? null : formatTimeOfDay(new Date(dataUpdatedAt))
  return (
    <Page
      title={t('admin.system')}
      context={
        updated === null
          ? t('system.context', { count: LIVE_SECONDS })
          : t('system.updated', { count: LIVE_SECONDS, time: updated })
      }
      actions={<RangeSwitch range={range} />}
    >
      <div className={styles.overview}>
        <UnreadableKeys />
        <NotRead queries={[live, common, about, asked, requested]} />
        {portal?.demonstration === true && <ConnectCard />}
        <Figures info={info} asks={asks} range={t(`range.${range.name}`)} />
        {queue !== undefined && <SharedAccounts queue={queue} />}
        <div className={`${styles.two} ${styles.plots}`}>
          <AskPlotCard granularities={each} plot={asks} />
          <RequestPlotCard granularities={eachRequest} plot={requests} />
        </div>
        <div className={styles.two}>
          {portal !== undefined && <PortalFacts portal={portal} info={info} status={status} />}
          <div className={styles.column}>
            <UpstreamHealth />
            <Jobs />
          </div>
        </div>
      </div>
    </Page>
  )
}

type ReadQuery = { data: unknown; error: Error | null; refetch(): unknown }

/** Why parts of the overview are missing. */
function NotRead({ queries }: { queries: readonly ReadQuery[] }) {
  const missing = queries.filter(({ data, error }) => data === undefined && error !== null)
  const error = missing[0]?.error ?? null
  return error && <NotLoaded error={error} onRetry={() => missing.forEach(query => query.refetch())} />
}

/** Names every stored key that cannot be opened, each with the way to where it is entered again. */
function UnreadableKeys() {
  const t = useTranslate()
  const { data: keys = [] } = useQuery(unreadableKeysQuery)
  if (keys.length === 0) return null
  return (
    <Note tone="red" title={t('system.unreadableKeys')}>
      {t('system.unreadableKeys.why')}
      <ul className={styles.named}>
        {keys.map(key => (
          <li key={`${key.of} ${key.of === 'settings' ? key.name : key.id}`}>
            <KeyLink of={key} />
          </li>
        ))}
      </ul>
    </Note>
  )
}

function KeyLink({ of: key }: { of: UnreadableKey }) {
  const t = useTranslate()
  const { nameOf } = useSettingTexts()
  switch (key.of) {
    case 'settings':
      return <Link to="/admin/config">{nameOf(`credentials.${key.name}`)}</Link>
    case 'account':
      return (
        <Link to="/admin/openai_settings" search={{ open: String(key.id) }}>
          {key.label === '' ? t(`sources.${key.source}`) : key.label}
        </Link>
      )
    case 'user':
      return (
        // The router keeps a type for each route; that one takes what its list has.
        <Link to="/admin/user" search={{ open: String(key.id) } as never}>
          {t('system.unreadableKeys.user', { name: key.nickname, username: key.username })}
        </Link>
      )
  }
}

type FiguresProps = {
  info: SystemInfo | undefined
  asks: AskPlot | undefined
  range: string
}

/** Four numbers and their parts. Until it is known, a number is a dash, so that the layout does not shift. */
function Figures({ info, asks, range }: FiguresProps) {
  const t = useTranslate()
  const figures = asks?.figures
  const hidden = info === undefined ? undefined : info.total_conversation_count - info.valid_conversation_count
  return (
    <section className={styles.figures} aria-label={t('system.figures')}>
      <Figure
        label={t('system.users')}
        value={info?.total_user_count}
        parts={[
          [t('system.active.5m'), info?.active.in_5m],
          [t('system.active.1h'), info?.active.in_1h],
          [t('system.active.1d'), info?.active.in_1d],
        ]}
      />
      <Figure
        label={t('system.conversations')}
        value={info?.total_conversation_count}
        parts={[
          [t('system.valid'), info?.valid_conversation_count],
          [t('system.hidden'), hidden],
        ]}
      />
      <Figure
        label={t('system.asksIn', { range })}
        value={figures?.asks}
        parts={[
          [t('system.failed'), figures?.failed],
          [t('system.refused'), figures?.refused],
        ]}
      />
      <Figure
        label={t('system.queueing')}
        value={figures === undefined ? undefined : Math.round(figures.mean_queueing_time ?? 0)}
        unit={t('system.seconds')}
        parts={[
          [
            t('system.longest'),
            figures === undefined ? undefined : clockText(Math.floor(figures.longest_queueing_time ?? 0)),
          ],
          [t('system.left'), figures?.left_queue],
        ]}
      />
    </section>
  )
}

type Value = number | string | undefined
type FigureProps = {
  label: string
  value: Value
  unit?: string
  parts: readonly (readonly [name: string, value: Value])[]
}

function Figure({ label, value, unit, parts }: FigureProps) {
  return (
    <div className={styles.figure}>
      <p className={styles.label}>{label}</p>
      <p className={styles.value}>
        {shown(value)}
        {unit !== undefined && <small> {unit}</small>}
      </p>
      <p className={styles.parts}>
        {parts.map(([name, part]) => (
          <span key={name}>
            {name} <b>{shown(part)}</b>
          </span>
        ))}
      </p>
    </div>
  )
}

const shown = (value: Value) => (typeof value === 'number' ? value.toLocaleString('en-US') : (value ?? '–'))
