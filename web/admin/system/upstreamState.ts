import type { UpstreamRead } from '#contract/upstreams.ts'
import { formatDateTime, formatTimeOfDay, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { type Expiry, expiryOf } from '../upstreams/expiry.ts'

type State = { tone: 'plain' | 'green' | 'amber' | 'red'; word: string; reason: string | null }

/** How a shared account or key is, in a word, with the reason. Of several states that apply, the first in this order is shown. */
export function useUpstreamState(): (upstream: UpstreamRead) => State {
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
