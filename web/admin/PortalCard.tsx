import type { Source } from '#contract/models.ts'
import type { Portal } from '#contract/status.ts'
import { useModelName } from '#web/foundation/modelName.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './admin.module.css'

/** What this portal is and offers. */
export function PortalCard({ portal }: { portal: Portal }) {
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
