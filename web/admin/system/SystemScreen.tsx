import { useQuery } from '@tanstack/react-query'
import type { Source } from '#contract/models.ts'
import { type CommonStatus, type Portal, readCommonStatus, type SharedMeter } from '#contract/status.ts'
import { MeterDetails } from '#web/conversations/sharedMeter/MeterDetails.tsx'
import { useSharedMeter } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { call } from '#web/foundation/call.ts'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from '#web/admin/shell/page.module.css'
import { ConnectCard } from './ConnectCard.tsx'
import { Page } from '#web/admin/shell/Page.tsx'

const EVERY_SECONDS = 5
const SPANS = ['5m', '1h', '1d'] as const

/** How the portal is doing now; the rest of this page follows with the statistics. */
export function SystemScreen() {
  const t = useTranslate()
  const portal = usePortal()
  const meter = useSharedMeter()
  const { data: status } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => call(readCommonStatus, {}, { signal }),
    refetchInterval: EVERY_SECONDS * 1000,
  })
  return (
    <Page title={t('admin.system')} context={t('system.context', { count: EVERY_SECONDS })}>
      <div className={styles.cards}>
        {portal?.demonstration === true && <ConnectCard />}
        {status !== undefined && <ActiveCard status={status} />}
        {meter !== undefined && meter.accounts.length > 0 && <SharingCard meter={meter} />}
        {portal !== undefined && <PortalCard portal={portal} />}
      </div>
    </Page>
  )
}

function ActiveCard({ status }: { status: CommonStatus }) {
  const t = useTranslate()
  return (
    <section className={styles.card}>
      <h2>{t('system.active')}</h2>
      <dl className={styles.figures}>
        {SPANS.map(span => (
          <div key={span}>
            <dt>{t(`system.active.${span}`)}</dt>
            <dd>{status[`active_user_in_${span}`]}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The shared accounts, as everybody sees them at the foot of the list. */
function SharingCard({ meter: { accounts, now } }: { meter: SharedMeter }) {
  return (
    <section className={`${styles.card} ${styles.meters}`}>
      {accounts.map(account => (
        <MeterDetails key={account.upstream_id} account={account} alone={accounts.length === 1} now={now} />
      ))}
    </section>
  )
}

/** What this portal is and offers. */
function PortalCard({ portal }: { portal: Portal }) {
  const t = useTranslate()
  const nameOf = useModelName()
  const isEnabled = (source: Source) => portal.sources.some(entry => entry.source === source && entry.enabled)
  const models = portal.models
    .filter(({ source }) => isEnabled(source))
    .map(({ source, code }) => `${t(`sources.${source}`)} ${nameOf(code)}`)
  return (
    <section className={`${styles.card} ${styles.wide}`}>
      <h2>
        {t('system.portal')}
        {portal.demonstration && <Tag tone="amber">{t('system.demonstration.tag')}</Tag>}
      </h2>
      <dl className={styles.facts}>
        <dt>{t('system.version')}</dt>
        <dd>{portal.version}</dd>
        <dt>{t('system.zone')}</dt>
        <dd>{portal.time_zone}</dd>
        <dt>{t('system.sources')}</dt>
        <dd>
          {portal.sources.map(({ source, enabled }) => (
            <span key={source}>
              {t(`sources.${source}`)}{' '}
              <Tag tone={enabled ? 'green' : 'plain'}>{t(enabled ? 'system.source.on' : 'system.source.off')}</Tag>
            </span>
          ))}
        </dd>
        <dt>{t('system.models')}</dt>
        <dd>{models.length === 0 ? t('system.none') : models.map(model => <span key={model}>{model}</span>)}</dd>
      </dl>
    </section>
  )
}
