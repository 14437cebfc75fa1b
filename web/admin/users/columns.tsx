import type { UserRow } from '#contract/userAdministration.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { Column } from '../table/DataTable.tsx'
import { BulkOutcome, type Outcomes } from './bulk/outcomes.tsx'
import { ActiveCell, PersonCell, StateCell, UsedCell, ValidityCell } from './cells.tsx'
import { countedOf, type ShownCount } from './useUsers.ts'

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
