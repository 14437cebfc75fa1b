import type { ReactNode } from 'react'
import type { Counted } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { BulkReason } from '#contract/bulk.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { Language } from '#contract/preferences.ts'
import type { UserRow } from '#contract/userAdministration.ts'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { shortDay } from '#web/admin/shell/times.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { formatDateTime, useNow, daysBetween, formatDate, formatTimeOfDay, relativeDay } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate, useLanguage } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import { fullnessOf } from '#web/kit/UsageMeter.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import type { Column } from '../table/DataTable.tsx'
import type { Outcomes } from './bulk/useBulk.ts'
import { endingOf } from './edit/ValidityField.tsx'
import { countedOf, type ShownCount } from './state/useUsers.ts'
import styles from './users.module.css'

/** After a bulk change, the state column shows its outcomes. */
export function useUserColumns(shown: ShownCount, outcomes: Outcomes): Column<UserRow>[] {
  const t = useTranslate()
  const modelName = useModelName()
  return [
    {
      key: 'nickname',
      title: t('users.column.person'),
      sortable: 'asc',
      phone: 'title',
      render: row => <PersonCell row={row} />,
    },
    {
      key: 'state',
      title: t('users.column.state'),
      phone: 'state',
      render: row => {
        const reason = outcomes.get(row.id)
        return reason === undefined ? <StateCell row={row} /> : <BulkOutcome reason={reason} />
      },
    },
    {
      key: 'last_active_time',
      title: t('users.column.active'),
      sortable: 'desc',
      phone: 'detail',
      hideBelow: 600,
      render: row => <ActiveCell time={row.last_active_time} />,
    },
    {
      key: 'used_share',
      title: t('users.column.used', { model: shown.model === null ? t('users.column.asks') : modelName(shown.model) }),
      sortable: 'desc',
      phone: 'aside',
      render: row => <UsedCell counted={countedOf(row, shown)} isOfSeveral={shown.sources.length > 1} />,
    },
    {
      key: 'valid_until',
      title: t('users.validity'),
      sortable: 'asc',
      hideBelow: 700,
      render: row => <ValidityCell row={row} />,
    },
  ]
}

function PersonCell({ row: { id, nickname, username, is_superuser } }: { row: UserRow }) {
  const t = useTranslate()
  return (
    <span className={styles.person}>
      <UserAvatar id={id} nickname={nickname} />
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
function StateCell({ row: { is_active, chat_status, queue_position } }: { row: UserRow }) {
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

function ActiveCell({ time }: { time: string | null }) {
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

/**
 * How much of a count is used, as a bar and in words; null when the person may not use it. Of several sources it says
 * which it is.
 */
function UsedCell({ counted, isOfSeveral }: UsedCellProps) {
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
function ValidityCell({ row }: { row: UserRow }) {
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

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Context = { now: Date; t: Translate; language: Language }

/** "刚刚", "4 分钟前", "2 小时前" on the same day, "昨天 21:14", then the day, with the year unless it is this one. */
function lastActiveText(time: string | null, { now, t, language }: Context): string {
  if (time === null) return t('users.never')
  const date = new Date(time)
  const passed = now.getTime() - date.getTime()
  if (passed < MINUTE) return t('message.justNow')
  if (passed < HOUR) return t('message.minutesAgo', { count: Math.trunc(passed / MINUTE) })
  const days = daysBetween(date, now)
  if (days === 0) return t('message.hoursAgo', { count: Math.trunc(passed / HOUR) })
  if (days === 1) return `${relativeDay(-1, language)} ${formatTimeOfDay(date)}`
  return dayText(date, now, language)
}

/** "11月2日", with the year where it is another one. */
function dayText(date: Date, now: Date, language: Language): string {
  if (date.getFullYear() !== now.getFullYear()) return formatDate(date, language)
  return new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }).format(date)
}

function BulkOutcome({ reason }: { reason: BulkReason | null }) {
  const t = useTranslate()
  return (
    <span className={reason === null ? styles.result : styles.unchanged}>
      {reason === null ? t('users.bulk.changed') : t(`users.bulk.why.${reason}`)}
    </span>
  )
}
