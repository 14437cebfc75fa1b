import type { Replay } from '#contract/lending.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './lending.module.css'

/** People that are named. */
const MAX_NAMED = 6

type ReplayResultProps = {
  replay: Replay
  /** Of the account, where there may be several. */
  label?: string
}

/** What the asks of a time would have met by other rules: how many refusals fewer, and who gains and loses. */
export function ReplayResult({ replay, label }: ReplayResultProps) {
  const t = useTranslate()
  const language = useLanguage()
  const { before, after, asks, people, until } = replay
  const fewer = before.refused - after.refused
  const change =
    fewer === 0
      ? t('replay.same', { count: after.refused })
      : fewer > 0
        ? t('replay.fewer', { count: fewer })
        : t('replay.more', { count: -fewer })
  const named = people.slice(0, MAX_NAMED).flatMap(({ user, before: one, after: other }) => {
    const gain = other.answered - one.answered
    return gain === 0 ? [] : [t('replay.person', { name: user.nickname, count: gain > 0 ? `+${gain}` : `−${-gain}` })]
  })
  return (
    <div>
      <p>
        {label !== undefined && <b>{label} </b>}
        {change}
      </p>
      {named.length > 0 && <p>{named.join(t('replay.and'))}</p>}
      <p className={styles.note}>{t('replay.asks', { count: asks })}</p>
      {isCut(until) && (
        <p className={styles.note}>{t('replay.until', { date: formatDate(new Date(until), language) })}</p>
      )}
    </div>
  )
}

const HOUR = 3_600_000

/** Whether it ended before it came to the present: what was read a while ago has not. */
const isCut = (until: string): boolean => Date.now() - Date.parse(until) > 12 * HOUR
