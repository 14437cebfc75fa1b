import type { ReactNode } from 'react'
import type { Source } from '#contract/models.ts'
import type { SystemInfo } from '#contract/statistics.ts'
import type { CommonStatus, Portal } from '#contract/status.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './system.module.css'

type PortalFactsProps = { portal: Portal; info: SystemInfo | undefined; status: CommonStatus | undefined }

/** Facts about the portal and the machine that it runs on. */
export function PortalFacts({ portal, info, status }: PortalFactsProps) {
  const t = useTranslate()
  const language = useLanguage()
  const nameOf = useModelName()
  const isEnabled = (source: Source) => portal.sources.some(entry => entry.source === source && entry.enabled)
  const models = portal.models
    .filter(({ source }) => isEnabled(source))
    .map(({ source, code }) => `${t(`sources.${source}`)} ${nameOf(code)}`)
  return (
    <section className={styles.card}>
      <h2>
        {t('system.portal')}
        {portal.demonstration && <Tag tone="amber">{t('system.demonstration.tag')}</Tag>}
      </h2>
      <dl className={styles.facts}>
        {status !== undefined && (
          <>
            <Fact name={t('system.replies')}>
              {status.is_chatbot_busy ? t('system.busy', { count: status.chatbot_waiting_count }) : t('system.free')}
            </Fact>
            <Fact name={t('system.gpt4')}>{t('system.times', { count: status.gpt4_count_in_3_hours })}</Fact>
          </>
        )}
        {info !== undefined && (
          <Fact name={t('system.since')}>{formatDateTime(new Date(info.startup_time * 1000), language)}</Fact>
        )}
        <Fact name={t('system.version')}>{portal.version}</Fact>
        {info !== undefined && (
          <Fact name={t('system.database')}>
            {info.database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}
            {info.database.bytes !== null && <span>{formatBytes(info.database.bytes, language)}</span>}
          </Fact>
        )}
        {info !== undefined && info.disk !== null && <DiskFact disk={info.disk} />}
        <Fact name={t('system.zone')}>{portal.time_zone}</Fact>
        <Fact name={t('system.sources')}>
          {portal.sources.map(({ source, enabled }) => (
            <span key={source}>
              {t(`sources.${source}`)}{' '}
              <Tag tone={enabled ? 'green' : 'plain'}>{t(enabled ? 'system.source.on' : 'system.source.off')}</Tag>
            </span>
          ))}
        </Fact>
        <Fact name={t('system.models')}>
          {models.length === 0 ? t('system.none') : models.map(model => <span key={model}>{model}</span>)}
        </Fact>
      </dl>
    </section>
  )
}

/** The share of the disk from which on it is shown as full. */
const FULL_FROM = 0.9

function DiskFact({ disk: { free_bytes, total_bytes } }: { disk: { free_bytes: number; total_bytes: number } }) {
  const t = useTranslate()
  const used = total_bytes === 0 ? 0 : 1 - free_bytes / total_bytes
  return (
    <Fact name={t('system.disk')}>
      <progress
        className={styles.disk}
        data-full={used > FULL_FROM || undefined}
        value={used}
        aria-label={t('system.disk')}
      />
      {t('system.diskFree', { free_bytes, total_bytes })}
      {used > FULL_FROM && <Tag tone="amber">{t('system.diskFull')}</Tag>}
    </Fact>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
