import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RangeSwitch } from '#web/admin/range/RangeSwitch.tsx'
import { useRange } from '#web/admin/range/useRange.ts'
import { Page } from '#web/admin/shell/Page.tsx'
import { systemInfoQuery } from '#web/admin/shell/uptime.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { usePortal } from '#web/foundation/portal.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { ConnectCard } from './ConnectCard.tsx'
import { Figures } from './Figures.tsx'
import { Jobs } from './Jobs.tsx'
import { AskPlotCard, RequestPlotCard } from './Plots.tsx'
import { PortalFacts } from './PortalFacts.tsx'
import { askPlotQuery, LIVE_SECONDS, queueQuery, requestPlotQuery, statusQuery, SUM_SECONDS } from './queries.ts'
import { SharedAccounts } from './SharedAccounts.tsx'
import styles from './system.module.css'
import { UnreadableKeys } from './UnreadableKeys.tsx'
import { UpstreamHealth } from './UpstreamHealth.tsx'
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
