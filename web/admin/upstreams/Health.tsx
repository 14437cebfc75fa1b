import type { UpstreamRead } from '#contract/upstreams.ts'
import { countdownText, useCountdown, useMomentText } from '#web/users/moments.ts'
import { useCoolingModels } from '#web/conversations/sharedMeter/meterTexts.ts'
import { agoText, formatDate, formatDateTime, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { refreshUpstreams } from './state/queries.ts'
import { reasonOf, conditionOf, type Condition } from './state/condition.ts'
import styles from './upstreams.module.css'

type HealthProps = {
  upstream: UpstreamRead
  /** Who has paused it. */
  pausedBy: string | null
  ahead_ms: number
}

/** The state in a word, and its reason. */
export function Health({ upstream, pausedBy, ahead_ms }: HealthProps) {
  const condition = conditionOf(upstream, useNow())
  const word = wordOf(condition)
  const coolingModels = useCoolingModels()(upstream.cooling_models)
  return (
    <div
      className={styles.health}
      data-state={word === 'expired' ? 'refused' : word === 'expiring' ? 'attention' : word}
    >
      <b>
        {condition.state === 'cooling' ? (
          <Cooling until={condition.until} ahead_ms={ahead_ms} />
        ) : (
          <Word state={word === 'cooling' ? 'normal' : word} />
        )}
      </b>
      <span className={styles.small}>
        <Why condition={condition} upstream={upstream} pausedBy={pausedBy} />
      </span>
      {coolingModels !== null && <span className={styles.small}>{coolingModels}</span>}
    </div>
  )
}

type WordKey = Condition['state'] | 'refused' | 'expired'

function wordOf(condition: Condition): WordKey {
  if (condition.state === 'expiring') return condition.isOver ? 'expired' : 'expiring'
  return condition.state === 'attention' && reasonOf(condition.message) === 'openai.401' ? 'refused' : condition.state
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

type WhyProps = { condition: Condition; upstream: UpstreamRead; pausedBy: string | null }

function Why({ condition, upstream, pausedBy }: WhyProps) {
  const t = useTranslate()
  const say = useTranslateMessage()
  const language = useLanguage()
  const now = useNow()
  switch (condition.state) {
    case 'paused': {
      const date = formatDate(new Date(condition.since), language)
      return pausedBy === null
        ? t('upstreams.pausedSince', { date })
        : t('upstreams.pausedBy', { name: pausedBy, date })
    }
    case 'cooling':
    case 'attention': {
      const reason = reasonOf(condition.message)
      return reason === null
        ? condition.message === null
          ? ''
          : say(condition.message)
        : t(`upstreams.reason.${reason}`)
    }
    case 'expiring':
      return t(condition.isOver ? 'upstreams.tokenOver' : 'upstreams.tokenEnds', {
        time: formatDateTime(new Date(condition.time), language),
      })
    case 'off':
      return t('upstreams.offWhy')
    case 'normal':
      return upstream.last_tested === null
        ? t('upstreams.neverTested')
        : t('upstreams.tested', { ago: agoText(new Date(upstream.last_tested), now, t, language) })
  }
}
