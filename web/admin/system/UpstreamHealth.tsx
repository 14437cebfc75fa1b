import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { useCoolingModels } from '#web/conversations/sharedMeter/meterTexts.ts'
import { formatDateTime, formatTimeOfDay, useNow } from '#web/foundation/times.ts'
import { useTranslate, useLanguage, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { conditionOf } from '../upstreams/state/condition.ts'
import { upstreamHealthQuery } from './queries.ts'
import styles from './system.module.css'

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

type State = { tone: 'plain' | 'green' | 'amber' | 'red'; word: string; reason: string | null }

/** How a shared account or key is, in a word, with the reason. */
export function useUpstreamState(): (upstream: UpstreamRead) => State {
  const t = useTranslate()
  const say = useTranslateMessage()
  const language = useLanguage()
  const now = useNow()
  const said = (message: string | null) => (message === null ? null : say(message))
  return upstream => {
    const condition = conditionOf(upstream, now)
    switch (condition.state) {
      case 'off':
        return { tone: 'plain', word: t('system.source.off'), reason: null }
      case 'paused':
        return { tone: 'plain', word: t('system.state.paused'), reason: null }
      case 'expiring': {
        const [tone, word, reason] = condition.isOver
          ? (['red', 'system.state.expired', 'system.token.over'] as const)
          : (['amber', 'system.state.expiring', 'system.token.soon'] as const)
        return { tone, word: t(word), reason: t(reason, { time: formatDateTime(new Date(condition.time), language) }) }
      }
      case 'cooling': {
        const time = formatTimeOfDay(new Date(condition.until))
        return { tone: 'amber', word: t('system.state.cooling', { time }), reason: said(condition.message) }
      }
      case 'attention':
        return { tone: 'red', word: t('system.state.attention'), reason: said(condition.message) }
      case 'normal':
        return { tone: 'green', word: t('meter.calm'), reason: null }
    }
  }
}
