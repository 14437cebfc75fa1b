import type { SourceAllowance } from '#contract/allowance.ts'
import { slotText } from '#web/accounts/timeSlots.ts'
import { useMomentText } from '#web/accounts/moments.ts'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { fullWindow, type Limit, mustGo } from './limit.ts'

export type LimitWords = { title: string; text: string }

/** Which rule it is, and when it opens or the one thing that helps. */
export function useLimitWords(limit: Limit): LimitWords {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const language = useLanguage()
  const modelName = useModelName()
  const momentText = useMomentText()
  const zone = usePortal()?.time_zone
  const {
    verdict: { message, values, opens_at },
    model,
    alternative,
    of,
  } = limit
  const other = alternative === null ? null : (modelName(alternative) ?? alternative)
  switch (limit.key) {
    case 'askedTooOften': {
      const window = fullWindow(limit)
      return { title: window === null ? generic() : t('limit.window', window), text: whenOr('limit.contact') }
    }
    case 'noAvailableModelAskCount':
      return { title: t('limit.model', { model: modelName(model) ?? model }), text: whenOr('limit.more') }
    case 'noAvailableTotalAskCount':
      return { title: t('limit.total'), text: whenOr('limit.more') }
    case 'userNotAllowToAskAtThisTime':
      return { title: t('limit.slots'), text: slotsWords() }
    case 'userChatTypeExpired':
      return {
        title:
          of.valid_until === null
            ? generic()
            : t('limit.expired', { date: formatDate(new Date(of.valid_until), language) }),
        text: t('limit.renew'),
      }
    case 'maxConversationCountReached':
      return conversationsWords(of.conversations)
    case 'cannotConnectMoreThanOneClient':
      return { title: t('limit.elsewhere'), text: '' }
    default:
      return { title: generic(), text: other === null && opens_at === null ? '' : whenOr('limit.contact') }
  }

  function generic(): string {
    return message === null ? '' : translateMessage(message, values)
  }

  function whenOr(help: 'limit.contact' | 'limit.more'): string {
    if (opens_at !== null && other !== null) return t('limit.opensOr', { time: momentText(opens_at), model: other })
    if (opens_at !== null) return t('limit.opens', { time: momentText(opens_at) })
    return other === null ? t(help) : t('limit.switchTo', { model: other })
  }

  /** A limit may be lower than what somebody has: it was set later. */
  function conversationsWords({ used, allowed }: SourceAllowance['conversations']): LimitWords {
    const count = mustGo(limit)
    return {
      title:
        count === 1 ? t('limit.conversations', { count: allowed }) : t('limit.conversationsOver', { used, allowed }),
      text: count === null ? t('limit.contact') : count === 1 ? t('limit.tidy') : t('limit.tidySome', { count }),
    }
  }

  /** The slots are hours of the portal's zone, which is named where it is not the viewer's. */
  function slotsWords(): string {
    const slots = of.daily_available_time_slots.map(slotText).join(t('kit.comma'))
    if (opens_at === null) return t('limit.contact')
    const time = momentText(opens_at)
    return zone === undefined || zone === Intl.DateTimeFormat().resolvedOptions().timeZone
      ? t('limit.nextSlot', { slots, time })
      : t('limit.nextSlotElsewhere', { slots, zone, time })
  }
}
