import { createContext, use } from 'react'
import { Button } from '@mantine/core'
import type { SourceAllowance } from '#contract/allowance.ts'
import { slotText } from '#contract/limits.ts'
import { countdownText, useCountdown, useMomentText } from '#web/foundation/moments.ts'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { IconCalendar, IconClock, IconInfoCircle, IconMessage } from '#web/kit/icons.ts'
import styles from './limit.module.css'
import { ShareRefusal, Ways } from '#web/shares/lazyShares.ts'
import { fullWindow, isOfShares, isUsedUp, type Limit, mustGo, refusingAccount, unitOf } from './limit.ts'
import type { CurrentLimit } from './useLimit.ts'

/** Shows the list of conversations, in which some can be deleted. */
export const ShowConversationList = createContext<() => void>(() => undefined)

/** Above the composer: the rule that refuses the next question, and when it ends or what helps. */
export function LimitHead({ limit }: { limit: CurrentLimit }) {
  const { title, text } = useLimitText(limit)
  const usedUp = isUsedUp(limit)
  const { opens_at } = limit.verdict
  const general = (
    <>
      <p>{title}</p>
      {text !== '' && <p className={styles.text}>{text}</p>}
    </>
  )
  return (
    <div
      className={`${styles.head} ${usedUp ? styles.amber : styles.tint}`}
      data-testid="limit-head"
      data-rule={limit.key}
    >
      {!usedUp && <RuleIcon limit={limit} />}
      <div className={styles.words} role="status">
        {isOfShares(limit) ? (
          <ShareRefusal
            source={limit.of.source}
            {...{ model: limit.model, opens_at, general }}
            className={styles.text}
            fallback={general}
            onLoadError={() => undefined}
          />
        ) : (
          general
        )}
      </div>
      {opens_at !== null && <Countdown opens_at={opens_at} limit={limit} />}
      {limit.key === 'maxConversationCountReached' && mustGo(limit) !== null && <ShowListButton />}
    </div>
  )
}

function RuleIcon({ limit: { key } }: { limit: Limit }) {
  const Icon =
    key === 'userNotAllowToAskAtThisTime'
      ? IconClock
      : key === 'userChatTypeExpired'
        ? IconCalendar
        : key === 'maxConversationCountReached'
          ? IconMessage
          : IconInfoCircle
  return <Icon size={18} aria-hidden className={styles.icon} />
}

/** Counts down and refetches the allowance at the end; nothing is sent by itself. */
function Countdown({ opens_at, limit }: { opens_at: string; limit: CurrentLimit }) {
  const t = useTranslate()
  const left = useCountdown(opens_at, limit.ahead_ms, limit.refresh)
  const clock = countdownText(left)
  const words = t('limit.countdown', { left_seconds: Math.ceil(left / 1000) })
  return (
    <span
      className={clock === null ? styles.longWait : styles.countdown}
      role="timer"
      aria-live="off"
      aria-label={words}
      data-testid="countdown"
    >
      {clock ?? words}
    </span>
  )
}

function ShowListButton() {
  const t = useTranslate()
  const showList = use(ShowConversationList)
  return (
    <Button variant="default" size="xs" onClick={showList}>
      {t('limit.goTidy')}
    </Button>
  )
}

type SwitchModelProps = { limit: Limit; onChoose(model: string): void }

/** What can be done where something is used up. */
export function LimitWays({ limit, onChoose }: { limit: CurrentLimit; onChoose(model: string): void }) {
  const { of, model, alternative, verdict, ahead_ms } = limit
  if (!isUsedUp(limit)) return null
  return (
    <Ways
      source={of.source}
      model={model}
      more={refusingAccount(limit) ?? unitOf(limit)}
      alternative={alternative === null ? null : { model: alternative, onChoose: () => onChoose(alternative) }}
      wait={verdict.opens_at === null ? null : { opens_at: verdict.opens_at, ahead_ms }}
      onLoadError={() => undefined}
    />
  )
}

/**
 * Offers another model that may be asked now, where LimitWays does not. For screen readers it also says when the chosen
 * one may be asked again.
 */
export function SwitchModel({ limit, onChoose }: SwitchModelProps) {
  const t = useTranslate()
  const modelName = useModelName()
  const momentText = useMomentText()
  const { verdict } = limit
  const alternative = isUsedUp(limit) ? null : limit.alternative
  return (
    <>
      {verdict.opens_at !== null && (
        <span className="visually-hidden">{t('limit.sendableAt', { time: momentText(verdict.opens_at) })}</span>
      )}
      {alternative !== null && (
        <Button variant="light" size="xs" data-testid="switch-model" onClick={() => onChoose(alternative)}>
          {t('limit.switch', { model: modelName(alternative) ?? alternative })}
        </Button>
      )}
    </>
  )
}

type LimitText = { title: string; text: string }

/** The title names the rule; the text says when it ends, or what helps. */
function useLimitText(limit: Limit): LimitText {
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
      return { title: window === null ? generic() : t('limit.window', window), text: opensOr('limit.contact') }
    }
    case 'noAvailableModelAskCount':
      return { title: t('limit.model', { model: modelName(model) ?? model }), text: opensOr('limit.more') }
    case 'noAvailableTotalAskCount':
      return { title: t('limit.total'), text: opensOr('limit.more') }
    case 'limitReached':
    case 'tokensReached':
    case 'budgetReached':
      return { title: generic(), text: opensOr('limit.more') }
    case 'userNotAllowToAskAtThisTime':
      return { title: t('limit.slots'), text: slotsText() }
    case 'userChatTypeExpired':
      return {
        title:
          of.valid_until === null
            ? generic()
            : t('limit.expired', { date: formatDate(new Date(of.valid_until), language) }),
        text: t('limit.renew'),
      }
    case 'maxConversationCountReached':
      return conversationsText(of.conversations)
    case 'cannotConnectMoreThanOneClient':
      return { title: t('limit.elsewhere'), text: '' }
    default:
      return { title: generic(), text: other === null && opens_at === null ? '' : opensOr('limit.contact') }
  }

  function generic(): string {
    return message === null ? '' : translateMessage(message, values)
  }

  function opensOr(help: 'limit.contact' | 'limit.more'): string {
    if (opens_at !== null && other !== null) return t('limit.opensOr', { time: momentText(opens_at), model: other })
    if (opens_at !== null) return t('limit.opens', { time: momentText(opens_at) })
    return other === null ? t(help) : t('limit.switchTo', { model: other })
  }

  /** A user may have more conversations than a limit that was set later allows. */
  function conversationsText({ used, allowed }: SourceAllowance['conversations']): LimitText {
    const count = mustGo(limit)
    return {
      title:
        count === 1 ? t('limit.conversations', { count: allowed }) : t('limit.conversationsOver', { used, allowed }),
      text: count === null ? t('limit.contact') : count === 1 ? t('limit.tidy') : t('limit.tidySome', { count }),
    }
  }

  /** Slots are in the portal's time zone, named where it is not the user's. */
  function slotsText(): string {
    const slots = of.daily_available_time_slots.map(slotText).join(t('kit.comma'))
    if (opens_at === null) return t('limit.contact')
    const time = momentText(opens_at)
    return zone === undefined || zone === Intl.DateTimeFormat().resolvedOptions().timeZone
      ? t('limit.nextSlot', { slots, time })
      : t('limit.nextSlotElsewhere', { slots, zone, time })
  }
}
