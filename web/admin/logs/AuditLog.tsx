import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { AUDIT_ACTIONS, AuditActorKind, AuditSubjectKind, exportAudit, listAudit } from '#contract/audit.ts'
import { RangeSwitch, useRange } from '../range/RangeSwitch.tsx'
import { PageHead } from '#web/admin/shell/Page.tsx'
import { DataTable } from '#web/admin/table/DataTable.tsx'
import { type Filter, FilterBar } from '#web/admin/table/FilterBar.tsx'
import { ListLayout } from '#web/admin/table/ListLayout.tsx'
import { Pager } from '#web/admin/table/Pager.tsx'
import { useList } from '#web/admin/table/useList.ts'
import { addressOf } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDownload } from '#web/kit/icons.ts'
import { AuditDrawer } from './AuditDrawer.tsx'
import { useAuditColumns } from './auditColumns.tsx'
import styles from './completions.module.css'
import logs from './logs.module.css'
import { useUndo } from './useUndo.ts'

const USUAL_RANGE = '7d'
const NEWEST_FIRST = { sort: 'time', order: 'desc' } as const

/** Everything that was changed, by whom and from where, with what it was before; and how to undo it. */
export function AuditLog({ tabs }: { tabs: ReactNode }) {
  const t = useTranslate()
  const [now] = useState(() => Date.now())
  const range = useRange(now, USUAL_RANGE)
  const list = useAuditList(range.query)
  const { query, opened, open } = list.address
  const undo = useUndo(list.reload)
  const at = list.rows.findIndex(({ id }) => String(id) === opened)
  const row = list.rows[at]
  const { from, to, actor, kind, action, subject, words } = { ...range.query, ...query }
  return (
    <ListLayout
      head={
        <div className={logs.head}>
          <PageHead
            title={t('admin.log')}
            context={list.result === undefined ? '\u00a0' : t('logs.audit.kept', { count: list.result.kept_days })}
          >
            <RangeSwitch range={range} />
            <Button
              component="a"
              variant="default"
              size="xs"
              className={styles.export}
              href={addressOf(exportAudit, { query: { from, to, actor, kind, action, subject, words } })}
              download
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {t('logs.csv')}
            </Button>
          </PageHead>
          {tabs}
          <FilterBar
            address={list.address}
            search={t('audit.search')}
            filters={useAuditFilters(list)}
            count={list.phase === 'shown' ? t('audit.count', { count: list.total }) : undefined}
          />
        </div>
      }
      foot={<Pager list={list} />}
      drawer={
        row !== undefined && (
          <AuditDrawer
            row={row}
            beside={{ newer: list.rows[at - 1], older: list.rows[at + 1] }}
            undo={undo}
            onShow={({ id }) => open(String(id))}
            onClose={() => open(null)}
          />
        )
      }
    >
      <DataTable label={t('logs.audit')} columns={useAuditColumns(undo)} list={list} empty={<p>{t('audit.none')}</p>} />
    </ListLayout>
  )
}

const useAuditList = (given: { from: string; to?: string }) =>
  useList(listAudit, { keyOf: row => String(row.id), sorted: NEWEST_FIRST, given, test_id: 'audit-row' })

function useAuditFilters({ result }: ReturnType<typeof useAuditList>): Filter[] {
  const t = useTranslate()
  return [
    {
      name: 'actor',
      label: t('audit.actor'),
      options: (result?.actors ?? []).map(({ id, name }) => ({ value: String(id), label: name ?? `#${id}` })),
    },
    {
      name: 'kind',
      label: t('audit.kind'),
      options: AuditActorKind.options.map(kind => ({ value: kind, label: t(`audit.kind.${kind}`) })),
    },
    {
      name: 'action',
      label: t('audit.action'),
      options: AUDIT_ACTIONS.map(action => ({ value: action, label: t(`audit.actions.${action}`, { subject: '…' }) })),
    },
    {
      name: 'subject',
      label: t('audit.subject'),
      options: AuditSubjectKind.options.map(kind => ({ value: kind, label: t(`audit.subjects.${kind}`) })),
    },
  ]
}
