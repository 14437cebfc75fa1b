import type { AskTotals } from '#contract/askLog.ts'
import { formatDate } from '#web/foundation/times.ts'
import type { Parts } from '#web/i18n/dictionary.ts'
import { useLanguage, useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import styles from './completions.module.css'
import { useDuration } from './askColumns.tsx'

/** Names that a narrow screen has room for. */
const NAMED_ON_PHONES = 3
/** People with a segment of their own; the others share one. */
const MAX_SEGMENTS = 8

type UserSharesProps = {
  /** Of the asks that match the filters. */
  totals: AskTotals
  /** Of everybody, without the filter by person. */
  everybody: AskTotals
  person: string | undefined
  onPerson(person: string | undefined): void
}

/** The totals of the asks, and each person's share as a segment of a bar. */
export function UserShares({ totals, everybody, person, onPerson }: UserSharesProps) {
  const t = useTranslate()
  return (
    <section className={styles.sum} aria-label={t('logs.totals')}>
      <Totals totals={totals} />
      {everybody.asks > 0 && (
        <div className={styles.bench} role="group" aria-label={t('logs.shares')}>
          {segmentsOf(everybody).map((segment, at) => (
            <Segment
              key={segment.key}
              segment={segment}
              isNamedOnPhones={at < NAMED_ON_PHONES}
              all={everybody.asks}
              person={person}
              onPerson={onPerson}
            />
          ))}
        </div>
      )}
    </section>
  )
}

function Totals({ totals }: { totals: AskTotals }) {
  const around = useTranslateAround()
  const language = useLanguage()
  const duration = useDuration()
  const { asks: count, prompt_tokens, completion_tokens, tokens_estimated, outcomes } = totals
  const tokens = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 2 }).format(
    prompt_tokens + completion_tokens,
  )
  const figures: Parts[] = [
    around('logs.total.asks', 'count', { count }),
    around(tokens_estimated ? 'logs.total.tokensEstimated' : 'logs.total.tokens', 'count', { count: tokens }),
    around('logs.total.queued', 'time', { time: duration(totals.mean_queueing_time) }),
    around('logs.total.answered', 'time', { time: duration(totals.mean_ask_time) }),
    around('logs.total.failed', 'count', { count: outcomes.failed }),
    around('logs.total.refused', 'count', { count: outcomes.refused }),
  ]
  return (
    <div className={styles.totals}>
      {figures.map(([before, value, behind], at) => (
        <span key={at}>
          {before}
          <b>{value}</b>
          {behind}
        </span>
      ))}
      <span>{[totals.from, totals.to].map(time => formatDate(new Date(time), language)).join(' – ')}</span>
    </div>
  )
}

/** `person` is null for a segment that cannot be filtered by. */
type SegmentOf = {
  key: string
  person: string | null
  name: string | null
  asks: number
  others: number
}

function segmentsOf({ people, others }: AskTotals): SegmentOf[] {
  const own = people.slice(0, MAX_SEGMENTS).map(({ user_id, nickname, asks }) => ({
    key: String(user_id),
    person: user_id === null ? null : String(user_id),
    name: nickname,
    asks,
    others: 0,
  }))
  const rest = people.slice(MAX_SEGMENTS)
  const count = others.people + rest.length
  const asks = others.asks + rest.reduce((sum, each) => sum + each.asks, 0)
  return count === 0 ? own : [...own, { key: 'others', person: null, name: null, asks, others: count }]
}

type SegmentProps = {
  segment: SegmentOf
  isNamedOnPhones: boolean
  all: number
  person: string | undefined
  onPerson(person: string | undefined): void
}

function Segment({ segment, isNamedOnPhones, all, person, onPerson }: SegmentProps) {
  const t = useTranslate()
  const { person: own, name, asks, others } = segment
  const isChosen = own !== null && own === person
  const label = others > 0 ? t('logs.others', { count: others }) : (name ?? t('logs.gone'))
  return (
    <button
      type="button"
      ref={button => button?.style.setProperty('--asks', String(asks))}
      data-others={others > 0 || undefined}
      data-later={!isNamedOnPhones || undefined}
      data-dim={(person !== undefined && !isChosen) || undefined}
      aria-pressed={isChosen}
      disabled={own === null}
      onClick={() => onPerson(isChosen || own === null ? undefined : own)}
    >
      <i />
      <span className={styles.cut}>{label}</span>
      <span className={styles.share}>
        {t('logs.share', { percent: Math.round((asks / all) * 100) })}
        <span className={styles.shareCount}>{t('logs.share.count', { count: asks })}</span>
      </span>
    </button>
  )
}
