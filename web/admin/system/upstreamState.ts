import type { UpstreamRead } from '#contract/upstreams.ts'
import { formatDateTime, formatTimeOfDay, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { conditionOf } from '../upstreams/condition.ts'

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
