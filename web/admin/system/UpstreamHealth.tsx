import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { formatDateTime, formatTimeOfDay, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { type Expiry, expiryOf } from '../upstreams/expiry.ts'
import { upstreamsQuery } from './queries.ts'
import styles from './system.module.css'

/** The state of each shared account and key. */
export function UpstreamHealth() {
  const t = useTranslate()
  const stateOf = useStateOf()
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
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
          return (
            <li key={upstream.id} className={styles.row}>
              <span className={styles.rowName}>
                <b>{upstream.label === '' ? t(`sources.${upstream.source}`) : upstream.label}</b>
                {reason !== null && (
                  <span className={styles.failure} data-tone={tone}>
                    {reason}
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

/** Of several states that apply, the first in this order is shown. */
function useStateOf(): (upstream: UpstreamRead) => State {
  const t = useTranslate()
  const say = useTranslateMessage()
  const language = useLanguage()
  const now = useNow()
  const said = (message: string | null) => (message === null ? null : say(message))
  const ofToken = ({ state, time }: Expiry): State => ({
    tone: state === 'over' ? 'red' : 'amber',
    word: t(state === 'over' ? 'system.state.expired' : 'system.state.expiring'),
    reason: t(state === 'over' ? 'system.token.over' : 'system.token.soon', {
      time: formatDateTime(new Date(time), language),
    }),
  })
  return upstream => {
    const { enabled, paused_since, health, last_test } = upstream
    const expiry = expiryOf(upstream, now)
    if (!enabled) return { tone: 'plain', word: t('system.source.off'), reason: null }
    if (paused_since !== null) return { tone: 'plain', word: t('system.state.paused'), reason: null }
    if (expiry?.state === 'over') return ofToken(expiry)
    if (health.state === 'attention')
      return { tone: 'red', word: t('system.state.attention'), reason: said(health.message) }
    if (health.state === 'cooling') {
      const until = health.until === null ? '' : formatTimeOfDay(new Date(health.until))
      return { tone: 'amber', word: t('meter.cooling', { time: until }), reason: said(health.message) }
    }
    if (expiry?.state === 'soon') return ofToken(expiry)
    return { tone: 'green', word: t('meter.calm'), reason: said(last_test?.message ?? null) }
  }
}
