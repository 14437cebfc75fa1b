import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCoolingModels } from '#web/conversations/sharedMeter/coolingModels.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { upstreamHealthQuery } from './queries.ts'
import styles from './system.module.css'
import { useUpstreamState } from './upstreamState.ts'

/** The state of each shared account and key. */
export function UpstreamHealth() {
  const t = useTranslate()
  const stateOf = useUpstreamState()
  const coolingModelsOf = useCoolingModels()
  const { data: upstreams = [] } = useQuery(upstreamHealthQuery)
  if (upstreams.length === 0) return null
  return (
    <section className={styles.card}>
      <div className={styles.cardHead}>
        <h2>{t('system.upstreams')}</h2>
        <Link to="/admin/openai_settings" className={styles.aside}>
          {t('system.upstreams.manage')}
        </Link>
      </div>
      <ul className={styles.rows}>
        {upstreams.map(upstream => {
          const { tone, word, reason } = stateOf(upstream)
          const coolingModels = coolingModelsOf(upstream.cooling_models)
          return (
            <li key={upstream.id} className={styles.row}>
              <span className={styles.rowName}>
                <b>
                  <Link to="/admin/openai_settings" search={{ open: String(upstream.id) }}>
                    {upstream.label === '' ? t(`sources.${upstream.source}`) : upstream.label}
                  </Link>
                </b>
                {reason !== null && (
                  <span className={styles.failure} data-tone={tone}>
                    {reason}
                  </span>
                )}
                {coolingModels !== null && (
                  <span className={styles.failure} data-tone="amber">
                    {coolingModels}
                  </span>
                )}
              </span>
              {/* The models of a web account are those of the settings. */}
              {upstream.source === 'openai_api' && (
                <span className={styles.rowState}>
                  {t('system.offered', { count: upstream.models.filter(({ offered }) => offered).length })}
                </span>
              )}
              <Tag tone={tone}>{word}</Tag>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
