import type { AuditRow } from '#contract/audit.ts'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import type { Column } from '#web/admin/table/DataTable.tsx'
import { daysBetween, formatDate, formatTimeOfDay, relativeDay, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowBackUp } from '#web/kit/icons.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { type Difference, useAuditWords } from './auditWords.ts'
import styles from './audit.module.css'
import type { Undo } from './useUndo.ts'

export function useAuditColumns(undo: Undo): Column<AuditRow>[] {
  const t = useTranslate()
  const dayText = useDayText()
  const { what, who, details, differences } = useAuditWords()
  return [
    {
      key: 'time',
      title: t('audit.time'),
      phone: 'aside',
      headOf: row => dayText(new Date(row.time)),
      render: row => <span className={styles.when}>{formatTimeOfDay(new Date(row.time))}</span>,
    },
    {
      key: 'actor',
      title: t('audit.actor'),
      phone: 'detail',
      render: row => (
        <span className={styles.person}>
          <UserAvatar id={row.actor.kind === 'user' ? (row.actor.id ?? 0) : 0} nickname={who(row)} />
          <span className={styles.cut}>{who(row)}</span>
        </span>
      ),
    },
    {
      key: 'what',
      title: t('audit.what'),
      grow: true,
      phone: 'title',
      render: row => (
        <span className={styles.what}>
          <span className={styles.cut}>{what(row)}</span>
          <small className={styles.cut}>{details(row)}</small>
        </span>
      ),
    },
    {
      key: 'change',
      title: t('audit.change'),
      hideBelow: 700,
      render: row => <FirstChange change={differences(row)[0]} />,
    },
    { key: 'undo', title: '', align: 'right', phone: 'state', render: row => <UndoCell row={row} undo={undo} /> },
  ]
}

/** "今天，11月20日" of the last two days, then the date alone; with its year where that is another one. */
function useDayText(): (time: Date) => string {
  const t = useTranslate()
  const language = useLanguage()
  const now = useNow()
  return time => {
    const days = daysBetween(time, now)
    const isThisYear = time.getFullYear() === now.getFullYear()
    const date = isThisYear
      ? new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric' }).format(time)
      : formatDate(time, language)
    if (days > 1) return date
    const day = relativeDay(-days, language)
    return t('audit.day', { day: day.charAt(0).toLocaleUpperCase(language) + day.slice(1), date })
  }
}

/** The first field of a change; how many there are stands beside it. */
function FirstChange({ change }: { change: Difference | undefined }) {
  if (change === undefined) return <span className={styles.quiet}>–</span>
  return (
    <span className={styles.change} title={change.field}>
      {change.before !== '' && <span className={styles.quiet}>{`${change.before} → `}</span>}
      <b>{change.after === '' ? '–' : change.after}</b>
    </span>
  )
}

function UndoCell({ row: { id, undo: state }, undo }: { row: AuditRow; undo: Undo }) {
  const t = useTranslate()
  if (state === 'undone') return <Tag>{t('audit.undo.undone')}</Tag>
  if (state !== 'possible') return <span className={styles.quiet}>{t(`audit.undo.${state}`)}</span>
  return (
    <button
      type="button"
      className={styles.undo}
      disabled={undo.pending === id}
      data-testid="undo"
      onClick={() => undo.undo(id)}
    >
      <IconArrowBackUp size={14} aria-hidden />
      {t('audit.undo')}
    </button>
  )
}
