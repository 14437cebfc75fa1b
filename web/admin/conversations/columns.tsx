import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { ConversationRow } from '#contract/conversationAdministration.ts'
import type { NamedUser } from '#contract/jobs.ts'
import type { Column } from '../table/DataTable.tsx'
import { UserAvatar } from '../shell/UserAvatar.tsx'
import { useModelName } from '#web/foundation/portal.ts'
import { daysBetween, formatDateTime, formatTimeOfDay, relativeDay, useNow } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { translateMessage, useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconAlertTriangle, IconCheck } from '#web/kit/icons.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './conversations.module.css'
import type { ConversationChange } from './useConversationChange.ts'
import type { Language } from '#contract/preferences.ts'
import { shortDay } from '../shell/times.ts'

/** The columns of the list. After a change, its rows show what became of them. */
export function useConversationColumns(
  change: ConversationChange | null,
  onRestore: (row: ConversationRow) => void,
): readonly Column<ConversationRow>[] {
  const t = useTranslate()
  const modelName = useModelName()
  return useMemo(
    () => [
      {
        key: 'title',
        title: t('conv.title'),
        sortable: 'asc',
        grow: true,
        phone: 'title',
        render: row => <Title row={row} change={change} />,
      },
      {
        key: 'owner',
        title: t('conv.owner'),
        sortable: 'asc',
        phone: 'detail',
        render: row => <Owner owner={ownerOf(row, change)} />,
      },
      {
        key: 'source',
        title: t('conv.source'),
        hideBelow: 800,
        render: row => <SourceTag row={row} />,
      },
      {
        key: 'model',
        title: t('conv.model'),
        hideBelow: 1000,
        render: ({ model }) =>
          model === null ? <span className={styles.hint}>{t('conv.noModel')}</span> : modelName(model),
      },
      {
        key: 'create_time',
        title: t('conv.created'),
        sortable: 'desc',
        phone: 'aside',
        render: ({ create_time }) => (
          <span className={styles.hint}>
            <Moment time={create_time} />
          </span>
        ),
      },
      {
        key: 'update_time',
        title: t('conv.updated'),
        sortable: 'desc',
        hideBelow: 1000,
        render: ({ update_time }) => (
          <span className={styles.hint}>{update_time === null ? '—' : <Moment time={update_time} />}</span>
        ),
      },
      {
        key: 'state',
        title: t('conv.state'),
        phone: 'state',
        render: row => <State row={row} change={change} onRestore={onRestore} />,
      },
    ],
    [t, modelName, change, onRestore],
  )
}

function ownerOf(row: ConversationRow, change: ConversationChange | null): NamedUser | null {
  const isAssigned = change?.action === 'assign' && change.outcomes.get(row.id)?.kind === 'done'
  return isAssigned && change.person !== null ? change.person : row.owner
}

function Title({ row, change }: { row: ConversationRow; change: ConversationChange | null }) {
  const t = useTranslate()
  const outcome = change?.outcomes.get(row.id)
  const isGone = change?.action === 'vanish' && outcome !== undefined && outcome.kind !== 'failed'
  const title = row.title === null || row.title === '' ? t('conv.untitled') : row.title
  const className = row.title ? styles.title : `${styles.title} ${styles.untitled}`
  return (
    <>
      <span className={styles.titleLine}>
        {isGone ? (
          <span className={className}>{title}</span>
        ) : (
          <Link
            to="/conv/$conversation_id"
            params={{ conversation_id: row.conversation_id }}
            className={className}
            dir="auto"
          >
            {title}
          </Link>
        )}
        <span className={styles.id}>{row.conversation_id.slice(-4)}</span>
        {isFound(row) && <Tag tone="green">{t('conv.found')}</Tag>}
        {row.is_public && <Tag tone="outline">{t('conv.public')}</Tag>}
      </span>
      {outcome?.kind === 'failed' && <span className={styles.why}>{translateMessage(`errors.${outcome.reason}`)}</span>}
    </>
  )
}

/** Whether a sync has found it, and nobody has opened or been assigned it since. */
const isFound = ({ source, owner, model, update_time, is_valid }: ConversationRow): boolean =>
  source === 'openai_web' && owner === null && model === null && update_time === null && is_valid

function Owner({ owner }: { owner: NamedUser | null }) {
  const t = useTranslate()
  if (owner === null)
    return (
      <span className={styles.person}>
        <UserAvatar id={null} nickname="" className={styles.avatar} />
        <span className={styles.hint}>{t('conv.nobodys')}</span>
      </span>
    )
  return (
    <span className={styles.person} data-tip={owner.username}>
      <UserAvatar id={owner.id} nickname={owner.nickname} className={styles.avatar} />
      <span className={styles.name}>{owner.nickname}</span>
    </span>
  )
}

function SourceTag({ row: { source, upstream } }: { row: ConversationRow }) {
  const t = useTranslate()
  const label = upstream === null ? '' : (upstream.label ?? t('conv.upstreamGone'))
  return (
    <span data-tip={label === '' ? undefined : label}>
      <Tag tone="outline">{t(`sources.${source}`)}</Tag>
    </span>
  )
}

type StateProps = {
  row: ConversationRow
  change: ConversationChange | null
  onRestore(row: ConversationRow): void
}

function State({ row, change, onRestore }: StateProps) {
  const t = useTranslate()
  const outcome = change?.outcomes.get(row.id)
  const action = change?.action ?? null
  if (outcome === undefined || action === null) return <StoredState row={row} onRestore={onRestore} />
  if (outcome.kind === 'already') return <span className={styles.hint}>{t(`conv.already.${action}`)}</span>
  return outcome.kind === 'done' ? (
    <Sign icon={<IconCheck size={16} aria-hidden />} text={t(`conv.is.${action}`)} />
  ) : (
    <Sign icon={<IconAlertTriangle size={16} aria-hidden />} text={t(`conv.not.${action}`)} failed />
  )
}

function Sign({ icon, text, failed = false }: { icon: ReactNode; text: string; failed?: boolean }) {
  return (
    <span className={failed ? `${styles.sign} ${styles.failed}` : styles.sign}>
      {icon}
      {text}
    </span>
  )
}

function StoredState({ row, onRestore }: Omit<StateProps, 'change'>) {
  const t = useTranslate()
  const language = useLanguage()
  const now = useNow()
  const { hidden, gone_upstream } = row
  const format = (time: string) => formatDateTime(new Date(time), language)
  if (hidden === null && gone_upstream !== null)
    return (
      <span className={styles.state}>
        <span className={styles.dot} />
        <span data-tip={t('conv.goneUpstream', { time: format(gone_upstream) })}>{t('conv.readOnly')}</span>
      </span>
    )
  if (hidden === null)
    return (
      <span className={styles.state}>
        <span className={styles.free} />
        {t('conv.valid')}
      </span>
    )
  return (
    <span className={`${styles.state} ${styles.hint}`}>
      <span className={styles.dot} />
      <span data-tip={hiddenText(hidden, t, format)}>{t('conv.hidden')}</span>
      {hidden.ends !== null && (
        <span data-testid="ends" data-tip={t('conv.endsOn', { date: format(hidden.ends) })}>
          {t('conv.endsOn', { date: shortDay(new Date(hidden.ends), now) })}
        </span>
      )}
      <button type="button" className={styles.link} onClick={() => onRestore(row)}>
        {t('conv.restore')}
      </button>
    </span>
  )
}

/** Who hid it and when, as far as that is known. */
function hiddenText(
  { time, by }: NonNullable<ConversationRow['hidden']>,
  t: Translate,
  format: (time: string) => string,
): string | undefined {
  if (time === null) return undefined
  return by === null
    ? t('conv.hiddenAt', { time: format(time) })
    : t('conv.hiddenBy', { time: format(time), name: by.nickname })
}

/**
 * A time of the past, short: "13:09" today, "昨天 21:14", "11-17" this year, "2025-11-17" before. Whole under the
 * pointer.
 */
export function Moment({ time }: { time: string }) {
  const language = useLanguage()
  const now = useNow()
  const date = new Date(time)
  return (
    <time dateTime={time} data-tip={formatDateTime(date, language)}>
      {shortMoment(date, now, language)}
    </time>
  )
}

export function shortMoment(time: Date, now: Date, language: Language): string {
  const days = daysBetween(time, now)
  if (days === 0) return formatTimeOfDay(time)
  return days === 1 ? `${relativeDay(-1, language)} ${formatTimeOfDay(time)}` : shortDay(time, now)
}
