import { SOURCES } from '#contract/models.ts'
import { USER_EXPIRIES, USER_STATES } from '#contract/userAdministration.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { FilterBar } from '../table/FilterBar.tsx'
import type { UserList } from './useUsers.ts'

export function UserFilters({ list }: { list: UserList }) {
  const t = useTranslate()
  return (
    <FilterBar
      address={list.address}
      search={t('users.search')}
      count={list.phase === 'shown' ? t('users.count', { count: list.total }) : ''}
      filters={[
        {
          name: 'state',
          label: t('users.column.state'),
          options: USER_STATES.map(value => ({ value, label: t(`users.state.${value}`) })),
        },
        {
          name: 'role',
          label: t('users.role'),
          options: (['user', 'superuser'] as const).map(value => ({ value, label: t(`users.role.${value}`) })),
        },
        {
          name: 'allowed',
          label: t('users.source'),
          options: SOURCES.map(value => ({ value, label: t(`sources.${value}`) })),
        },
        {
          name: 'expiry',
          label: t('users.validity'),
          options: USER_EXPIRIES.map(value => ({ value, label: t(`users.expiry.${value}`) })),
        },
      ]}
    />
  )
}
