import { type ReactNode, useMemo } from 'react'
import { listOversight, type OversightRow } from '#contract/oversight.ts'
import { PageHead } from '#web/admin/shell/Page.tsx'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { type Column, DataTable } from '#web/admin/table/DataTable.tsx'
import { ListLayout } from '#web/admin/table/ListLayout.tsx'
import { Pager } from '#web/admin/table/Pager.tsx'
import { useList } from '#web/admin/table/useList.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './audit.module.css'
import logs from './logs.module.css'

const EVERY_SECONDS = 30
const MINUTE_MS = 60_000

/** Who opened whose conversations, when, for how long and why. */
export function OversightLog({ tabs }: { tabs: ReactNode }) {
  const t = useTranslate()
  const list = useList(listOversight, {
    keyOf: row => String(row.id),
    sorted: { sort: 'time', order: 'desc' },
    every_seconds: EVERY_SECONDS,
    linked: true,
    test_id: 'oversight-row',
  })
  return (
    <ListLayout
      head={
        <div className={logs.head}>
          <PageHead title={t('admin.log')} context={t('audit.seen.note')} />
          {tabs}
        </div>
      }
      foot={<Pager list={list} />}
    >
      <DataTable
        label={t('logs.oversight')}
        columns={useOversightColumns()}
        list={list}
        empty={<p>{t('audit.seen.none')}</p>}
      />
    </ListLayout>
  )
}

function useOversightColumns(): Column<OversightRow>[] {
  const t = useTranslate()
  const language = useLanguage()
  return useMemo(
    () => [
      {
        key: 'time',
        title: t('audit.seen.time'),
        phone: 'aside',
        render: row => <span className={styles.when}>{formatDateTime(new Date(row.time), language)}</span>,
      },
      {
        key: 'viewer',
        title: t('audit.seen.viewer'),
        phone: 'detail',
        render: ({ viewer }) => <Person id={viewer.id} name={viewer.name || t('logs.gone')} />,
      },
      {
        key: 'owner',
        title: t('audit.seen.owner'),
        phone: 'state',
        render: ({ owner }) => <Person id={owner?.id ?? null} name={owner?.name ?? t('logs.gone')} />,
      },
      {
        key: 'conversation',
        title: t('audit.seen.conversation'),
        grow: true,
        phone: 'title',
        render: ({ title }) => <span className={styles.cut}>{title ?? t('logs.untitled')}</span>,
      },
      { key: 'long', title: t('audit.seen.long'), hideBelow: 700, render: row => <HowLong row={row} /> },
      {
        key: 'why',
        title: t('audit.seen.why'),
        hideBelow: 700,
        render: ({ reason, text }) => (
          <span className={styles.why} title={text}>
            <b>{t(`audit.reason.${reason}`)}</b> {text}
          </span>
        ),
      },
    ],
    [t, language],
  )
}

function Person({ id, name }: { id: number | null; name: string }) {
  return (
    <span className={styles.person}>
      <UserAvatar id={id} nickname={name} />
      <span className={styles.cut}>{name}</span>
    </span>
  )
}

function HowLong({ row: { time, latest_time } }: { row: OversightRow }) {
  const t = useTranslate()
  if (latest_time === null) return <span className={styles.quiet}>{t('audit.seen.unread')}</span>
  const minutes = Math.max(1, Math.ceil((Date.parse(latest_time) - Date.parse(time)) / MINUTE_MS))
  return t('audit.seen.minutes', { count: minutes })
}
