import type { UpstreamRead } from '#contract/upstreams.ts'
import { countdownText, useCountdown } from '#web/accounts/countdown.ts'
import { useMomentText } from '#web/accounts/moments.ts'
import { formatDate, formatDateTime, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { agoText } from '#web/messages/RelativeTime.tsx'
import { refreshUpstreams } from './queries.ts'
import { reasonOf, standingOf, type Standing } from './standing.ts'
import styles from './upstreams.module.css'

type HealthProps = {
  upstream: UpstreamRead
  /** Who has paused it. */
  pausedBy: string | null
  ahead_ms: number
}

/** The state in a word, and its reason. */
export function Health({ upstream, pausedBy, ahead_ms }: HealthProps) {
  const standing = standingOf(upstream, useNow())
  const word = wordOf(standing)
  return (
    <div
      className={styles.health}
      data-state={word === 'expired' ? 'refused' : word === 'expiring' ? 'attention' : word}
    >
      <b>
        {standing.state === 'cooling' ? (
          <Cooling until={standing.until} ahead_ms={ahead_ms} />
        ) : (
          <Word state={word === 'cooling' ? 'normal' : word} />
        )}
      </b>
      <span className={styles.small}>
        <Why standing={standing} upstream={upstream} pausedBy={pausedBy} />
      </span>
    </div>
  )
}

type WordKey = Standing['state'] | 'refused' | 'expired'

function wordOf(standing: Standing): WordKey {
  if (standing.state === 'expiring') return standing.isOver ? 'expired' : 'expiring'
  return standing.state === 'attention' && reasonOf(standing.message) === 'openai.401' ? 'refused' : standing.state
}

function Word({ state }: { state: Exclude<WordKey, 'cooling'> }) {
  return useTranslate()(`upstreams.state.${state}`)
}

/** Counts down, and fetches the state again at the end. */
function Cooling({ until, ahead_ms }: { until: string; ahead_ms: number }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const left = useCountdown(until, ahead_ms, () => void refreshUpstreams().catch(() => undefined))
  return t('upstreams.state.cooling', { left: countdownText(left) ?? momentText(until) })
}

type WhyProps = { standing: Standing; upstream: UpstreamRead; pausedBy: string | null }

function Why({ standing, upstream, pausedBy }: WhyProps) {
  const t = useTranslate()
  const say = useTranslateMessage()
  const language = useLanguage()
  const now = useNow()
  switch (standing.state) {
    case 'paused': {
      const date = formatDate(new Date(standing.since), language)
      return pausedBy === null
        ? t('upstreams.pausedSince', { date })
        : t('upstreams.pausedBy', { name: pausedBy, date })
    }
    case 'cooling':
    case 'attention': {
      const reason = reasonOf(standing.message)
      return reason === null
        ? standing.message === null
          ? ''
          : say(standing.message)
        : t(`upstreams.reason.${reason}`)
    }
    case 'expiring':
      return t(standing.isOver ? 'upstreams.tokenOver' : 'upstreams.tokenEnds', {
        time: formatDateTime(new Date(standing.time), language),
      })
    case 'off':
      return t('upstreams.offWhy')
    case 'normal':
      return upstream.last_tested === null
        ? t('upstreams.neverTested')
        : t('upstreams.tested', { ago: agoText(new Date(upstream.last_tested), now, t, language) })
  }
}
