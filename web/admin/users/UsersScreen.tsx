import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { SOURCES } from '#contract/models.ts'
import { USER_EXPIRIES, USER_STATES } from '#contract/userAdministration.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus } from '#web/kit/icons.ts'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { PageHead } from '../shell/Page.tsx'
import { ScreenTabs } from '../shell/ScreenTabs.tsx'
import { DataTable } from '../table/DataTable.tsx'
import { FilterBar } from '../table/FilterBar.tsx'
import { ListLayout } from '../table/ListLayout.tsx'
import { Pager } from '../table/Pager.tsx'
import { useAddress } from '../table/useListAddress.ts'
import { UserBulk } from './bulk/UserBulk.tsx'
import { useBulk } from './bulk/useBulk.ts'
import { useUserColumns } from './columns.tsx'
import { UserDrawer } from './edit/UserDrawer.tsx'
import { NewUserDrawer } from './NewUserDrawer.tsx'
import styles from './users.module.css'
import { askForUsers, useUsers, type UserList } from './state/useUsers.ts'

/** The `open` of the address while an account is added. */
const NEW = 'new'

const [PEOPLE, KEYS] = ['people', 'keys']

const EverybodysKeys = lazyWithTexts('keys', () =>
  import('#web/keys/EverybodysKeys.tsx').then(module => module.EverybodysKeys),
)

export function askForRows(search: Readonly<Record<string, unknown>>): void {
  if (search.tab !== KEYS) askForUsers(search)
}

/** The people, or their keys. */
export function UsersScreen() {
  const { search } = useAddress()
  const t = useTranslate()
  const open = search.tab === KEYS ? KEYS : PEOPLE
  const tabs = (
    <ScreenTabs
      label={t('admin.user')}
      tabs={[
        { name: PEOPLE, text: t('users.tab.people'), testid: 'users-people' },
        { name: KEYS, text: t('users.tab.keys'), testid: 'users-keys' },
      ]}
      open={open}
    />
  )
  if (open === KEYS) return <EverybodysKeys title={t('admin.user')} tabs={tabs} onLoadError={nothing} />
  return <People tabs={tabs} />
}

/** A failure to load has been reported, and the page stays as it is. */
const nothing = (): void => undefined

function People({ tabs }: { tabs: ReactNode }) {
  const t = useTranslate()
  const { list, shown } = useUsers()
  const bulk = useBulk(list)
  const columns = useUserColumns(shown, bulk.outcomes)
  const counts = list.result?.counts
  return (
    <ListLayout
      head={
        <>
          <PageHead
            title={t('admin.user')}
            context={counts === undefined ? '' : t('users.context', { count: counts.all, online: counts.online })}
          >
            <Button
              size="xs"
              className={styles.add}
              leftSection={<IconPlus size={16} aria-hidden />}
              data-testid="add-user"
              onClick={() => list.address.open(NEW)}
            >
              {t('users.add')}
            </Button>
          </PageHead>
          {tabs}
          <UserFilters list={list} />
        </>
      }
      foot={<Pager list={list} />}
      bulk={<UserBulk bulk={bulk} list={list} />}
      drawer={<OpenedUser opened={list.address.opened} onOpen={list.address.open} />}
    >
      <DataTable
        label={t('admin.user')}
        columns={columns}
        list={list}
        selection={bulk.selection}
        empty={t('users.empty')}
      />
    </ListLayout>
  )
}

type OpenedUserProps = { opened: string | null; onOpen(key: string | null): void }

/** The open person. The tab is kept when another person is opened. */
function OpenedUser({ opened, onOpen }: OpenedUserProps) {
  const [tab, setTab] = useState('account')
  if (opened === null) return null
  const close = () => onOpen(null)
  if (opened === NEW) return <NewUserDrawer onClose={close} onMade={id => onOpen(String(id))} />
  return <UserDrawer key={opened} id={opened} tab={tab} onTab={setTab} onClose={close} />
}

function UserFilters({ list }: { list: UserList }) {
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
