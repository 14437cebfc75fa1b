import type { ReactNode } from 'react'
import type { Counted } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { UserRow } from '#contract/userAdministration.ts'
import { PersonAvatar } from '#web/admin/shell/PersonAvatar.tsx'
import { shortDay } from '#web/admin/shell/times.ts'
import { formatDateTime, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import { fullnessOf } from '#web/kit/Ruler.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { endingOf } from './edit/validity.ts'
import { lastActiveText } from './lastActive.ts'
import styles from './users.module.css'

export function PersonCell({ row: { id, nickname, username, is_superuser } }: { row: UserRow }) {
  const t = useTranslate()
  return (
    <span className={styles.person}>
      <PersonAvatar id={id} nickname={nickname} />
      <b>{nickname}</b>
      <span className={styles.username}>{username}</span>
      {is_superuser && (
        <span className={styles.role}>
          <Tag>{t('users.superuser')}</Tag>
        </span>
      )}
    </span>
  )
}

/** Dot and word. */
export function StateCell({ row: { is_active, chat_status, queue_position } }: { row: UserRow }) {
  const t = useTranslate()
  if (!is_active) return <State dot={<i className={styles.off} />}>{t('users.state.inactive')}</State>
  if (chat_status === 'asking') return <State dot={<BreathingDot />}>{t('users.state.asking')}</State>
  if (chat_status === 'idling') return <State dot={<i className={styles.free} />}>{t('users.state.idling')}</State>
  return (
    <State dot={<i className={styles.waiting} />}>
      {queue_position === null ? t('users.state.queueing') : t('users.state.place', { place: queue_position })}
    </State>
  )
}

function State({ dot, children }: { dot: ReactNode; children: ReactNode }) {
  return (
    <span className={styles.state}>
      {dot}
      {children}
    </span>
  )
}

export function ActiveCell({ time }: { time: string | null }) {
  const t = useTranslate()
  const language = useLanguage()
  const now = useNow()
  const exact = time === null ? undefined : formatDateTime(new Date(time), language)
  return (
    <span className={styles.active} data-tip={exact}>
      <span className={styles.onPhone}>{t('users.column.active')} </span>
      {lastActiveText(time, { now, t, language })}
    </span>
  )
}

type UsedCellProps = { counted: (Counted & { source: Source }) | null; isOfSeveral: boolean }

/** How much of a count is used, as a bar and in words; null when the person may not use it. Of several sources it says which it is. */
export function UsedCell({ counted, isOfSeveral }: UsedCellProps) {
  const t = useTranslate()
  if (counted === null) return <span className={styles.used}>–</span>
  const { used, allowed } = counted
  if (allowed === UNLIMITED)
    return (
      <span className={styles.used}>
        <span />
        {t('kit.unlimited')}
      </span>
    )
  const fullness = fullnessOf(used, allowed)
  const share = allowed === 0 ? 1 : Math.min(1, used / allowed)
  return (
    <span
      className={styles.used}
      data-tone={fullness === 'calm' ? undefined : fullness}
      data-tip={isOfSeveral ? t(`sources.${counted.source}`) : undefined}
    >
      <span className={styles.bar}>
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span>{fullness === 'full' ? t('users.usedUp') : `${used} / ${allowed}`}</span>
    </span>
  )
}

/** The earliest end among the sources that a person may use. */
export function ValidityCell({ row }: { row: UserRow }) {
  const t = useTranslate()
  const now = useNow()
  const language = useLanguage()
  const ends = SOURCES.filter(source => row[source].allow_to_use).map(source => row[source].valid_until)
  if (ends.length === 0) return t('users.validity.none')
  const first = ends.filter(end => end !== null).toSorted()[0]
  if (first === undefined) return <span className={styles.validity}>{t('users.forever')}</span>
  const date = shortDay(new Date(first), now)
  const { kind, days } = endingOf(first, now)
  return (
    <span className={styles.validity} data-tip={formatDateTime(new Date(first), language)}>
      {kind === 'over' ? (
        <Tag tone="red">{t('users.validity.over', { date })}</Tag>
      ) : kind === 'soon' ? (
        <Tag tone="amber">{t('users.validity.soon', { date, days })}</Tag>
      ) : (
        date
      )}
    </span>
  )
}
