import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { upstreamsQuery } from './queries.ts'
import styles from './system.module.css'

/** Each account and key that is shared: whether it answers, and why not. */
export function UpstreamHealth() {
  const t = useTranslate()
  const say = useTranslateMessage()
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
  if (upstreams.length === 0) return null
  return (
    <section className={styles.card}>
      <h2>
        {t('system.upstreams')}
        <Link to="/admin/openai_settings" className={styles.aside}>
          {t('system.upstreams.manage')}
        </Link>
      </h2>
      <ul className={styles.rows}>
        {upstreams.map(upstream => {
          const { tone, word, reason } = stateOf(upstream, t)
          return (
            <li key={upstream.id} className={styles.row}>
              <span className={styles.rowName}>
                <b>{upstream.label === '' ? t(`sources.${upstream.source}`) : upstream.label}</b>
                {reason !== null && <span className={styles.failure}>{say(reason)}</span>}
              </span>
              <span className={styles.rowState}>
                {t('system.offered', { count: upstream.models.filter(({ offered }) => offered).length })}
              </span>
              <Tag tone={tone}>{word}</Tag>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type State = { tone: 'plain' | 'green' | 'amber' | 'red'; word: string; reason: string | null }

function stateOf({ enabled, paused_since, health, last_test }: UpstreamRead, t: Translate): State {
  if (!enabled) return { tone: 'plain', word: t('system.source.off'), reason: null }
  if (paused_since !== null) return { tone: 'plain', word: t('system.state.paused'), reason: null }
  if (health.state === 'attention') return { tone: 'red', word: t('system.state.attention'), reason: health.message }
  if (health.state === 'cooling') {
    const until = health.until === null ? '' : formatTimeOfDay(new Date(health.until))
    return { tone: 'amber', word: t('meter.cooling', { time: until }), reason: health.message }
  }
  return { tone: 'green', word: t('meter.calm'), reason: last_test?.message ?? null }
}
