import { generalKeyOf } from '#web/users/allowance.ts'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { Link } from '@tanstack/react-router'
import { useMemo, useCallback } from 'react'
import type { LoggedAsk, LoggedOutcome } from '#contract/askLog.ts'
import type { Column } from '#web/admin/table/DataTable.tsx'
import { useModelName } from '#web/foundation/portal.ts'
import { moneyText } from '#web/usage/amounts.ts'
import { useCurrency } from '#web/admin/plans/values/limitTexts.ts'
import { formatDateTime, useNow, clockText } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import styles from './completions.module.css'

/** Seconds of waiting at which the bar is full. */
const LONG_WAIT = 240

export function useAskColumns(): Column<LoggedAsk>[] {
  const t = useTranslate()
  const duration = useDuration()
  const formats = useFormats()
  return [
    {
      key: 'time',
      title: t('logs.time'),
      sortable: 'desc',
      phone: 'aside',
      render: ask => <When time={ask.time} day={formats.day} />,
    },
    { key: 'person', title: t('logs.person'), phone: 'title', render: ask => <Person ask={ask} /> },
    { key: 'model', title: t('logs.sourceModel'), hideBelow: 800, render: ask => <SourceAndModel ask={ask} /> },
    {
      key: 'conversation',
      title: t('logs.conversation'),
      grow: true,
      phone: 'detail',
      render: ask => <Conversation ask={ask} />,
    },
    {
      key: 'queueing_time',
      title: t('logs.queued'),
      align: 'right',
      sortable: 'desc',
      hideBelow: 700,
      render: ({ queueing_time: seconds }) => (
        <span className={styles.wait}>
          {seconds > 0 && <progress aria-hidden value={Math.min(seconds, LONG_WAIT)} max={LONG_WAIT} />}
          {duration(seconds)}
        </span>
      ),
    },
    {
      key: 'ask_time',
      title: t('logs.answered'),
      align: 'right',
      sortable: 'desc',
      hideBelow: 900,
      render: ask => duration(ask.ask_time === 0 ? null : ask.ask_time),
    },
    {
      key: 'tokens',
      title: t('logs.tokens'),
      align: 'right',
      sortable: 'desc',
      hideBelow: 900,
      render: ask => <Tokens ask={ask} formats={formats} />,
    },
    { key: 'outcome', title: t('logs.outcome'), phone: 'state', render: ask => <Outcome ask={ask} /> },
  ]
}

/** Formatters shared by all rows: making one takes longer than using it fifty times. */
function useFormats() {
  const language = useLanguage()
  const currency = useCurrency()
  return useMemo(
    () => ({
      money: (money: number) => moneyText(money, currency, language),
      day: new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }),
      count: new Intl.NumberFormat(language),
    }),
    [language, currency],
  )
}

/** The time for today's asks, else the day; the tooltip has both. */
function When({ time, day }: { time: string; day: Intl.DateTimeFormat }) {
  const language = useLanguage()
  const at = new Date(time)
  const isToday = at.toDateString() === useNow().toDateString()
  const clock = at.toTimeString()
  return (
    <time className={styles.when} dateTime={time} title={`${formatDateTime(at, language)}${clock.slice(5, 8)}`}>
      {isToday ? clock.slice(0, 8) : `${day.format(at)} ${clock.slice(0, 5)}`}
    </time>
  )
}

function Person({ ask: { nickname, user_id } }: { ask: LoggedAsk }) {
  const t = useTranslate()
  const name = nickname ?? t('logs.gone')
  return (
    <span className={styles.person}>
      <UserAvatar id={nickname === null ? null : user_id} nickname={name} />
      <span className={styles.cut}>{name}</span>
    </span>
  )
}

function SourceAndModel({ ask: { source, model, upstream_label } }: { ask: LoggedAsk }) {
  const t = useTranslate()
  const nameOf = useModelName()
  return (
    <span title={upstream_label || undefined}>
      <span className={styles.quiet}>{t(`sources.${source}`)}</span> {nameOf(model)}
    </span>
  )
}

/** A conversation that is gone has no title and cannot be opened. */
function Conversation({ ask: { conversation_id, title } }: { ask: LoggedAsk }) {
  const t = useTranslate()
  if (conversation_id === null) return <span className={styles.quiet}>{t('logs.noConversation')}</span>
  const id = <span className={styles.id}>{conversation_id.slice(-4)}</span>
  if (title === null) return id
  return (
    <>
      <Link to="/conv/$conversation_id" params={{ conversation_id }} dir="auto">
        {title || t('logs.untitled')}
      </Link>{' '}
      {id}
    </>
  )
}

/** Both together; the tooltip has each, and what they cost. */
function Tokens({ ask, formats }: { ask: LoggedAsk; formats: ReturnType<typeof useFormats> }) {
  const t = useTranslate()
  const { prompt_tokens, completion_tokens, cached_tokens, cost, tokens_estimated } = ask
  if (prompt_tokens === null && completion_tokens === null) return '–'
  const [input, output] = [prompt_tokens ?? 0, completion_tokens ?? 0]
  const parts = [
    t('logs.tokens.input', { count: formats.count.format(input) }),
    ...(cached_tokens === null ? [] : [t('logs.tokens.cached', { count: formats.count.format(cached_tokens) })]),
    t('logs.tokens.output', { count: formats.count.format(output) }),
    ...(cost === null ? [] : [formats.money(cost)]),
  ]
  return (
    <span
      title={parts.join(t('kit.comma'))}
    >{`${tokens_estimated ? '≈ ' : ''}${formats.count.format(input + output)}`}</span>
  )
}

const TONES: Record<LoggedOutcome, 'free' | 'quiet' | 'wait' | 'bad'> = {
  finished: 'free',
  stopped: 'quiet',
  left: 'quiet',
  interrupted: 'wait',
  failed: 'bad',
  refused: 'bad',
}

/** Frequent refusals, which have a short text: a row has room for two words. */
const BRIEFLY = [
  'noAvailableModelAskCount',
  'noAvailableTotalAskCount',
  'askedTooOften',
  'limitReached',
  'tokensReached',
  'budgetReached',
  'poolEmpty',
  'shareUsed',
  'modelHasNoPrice',
  'userNotAllowToAskAtThisTime',
  'userChatTypeExpired',
  'userNotAllowToUseModel',
  'userNotAllowToUseChatType',
  'upstreamTimeout',
  'queueFull',
] as const

/** The outcome in a word with a short reason; the tooltip has the whole reason. */
function Outcome({ ask: { outcome, failure, charged } }: { ask: LoggedAsk }) {
  const t = useTranslate()
  const tm = useTranslateMessage()
  const ended = t(`logs.outcome.${outcome}`)
  // Whoever asks when it is quiet pays half.
  const word = charged === 0.5 ? t('logs.half', { outcome: ended, count: charged }) : ended
  const why = failure === null ? null : tm(`errors.${failure}`)
  const status = /^openai\.(\d{3})$/.exec(failure ?? '')?.[1]
  const general = failure === null ? null : generalKeyOf(`errors.${failure}`)
  const known = BRIEFLY.find(key => key === general)
  const briefly = known === undefined ? why : t(`logs.reason.${known}`)
  const reason = status === undefined ? briefly : t('logs.upstreamStatus', { status })
  return (
    <span className={styles.outcome} data-tone={TONES[outcome]} title={why ?? undefined}>
      <i />
      <span className={styles.cut}>{reason === null ? word : t('logs.because', { outcome: word, reason })}</span>
    </span>
  )
}

/** Seconds as in a table: 8.3 s, 38 s, 4:12; a dash where nothing was measured. */
export function useDuration(): (seconds: number | null) => string {
  const t = useTranslate()
  return useCallback(
    seconds => {
      if (seconds === null) return '–'
      if (seconds >= 120) return clockText(Math.round(seconds))
      const digits = seconds > 0 && seconds < 60 && !Number.isInteger(seconds) ? 1 : 0
      return t('logs.seconds', { seconds: seconds.toFixed(digits) })
    },
    [t],
  )
}
