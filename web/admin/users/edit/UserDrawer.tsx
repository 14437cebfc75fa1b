import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { useState } from 'react'
import { RefusedCall } from '#web/foundation/call.ts'
import { formatMonth } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { IconArrowBackUp } from '#web/kit/icons.ts'
import { Conflicts, Drawer } from '#web/admin/drawer/Drawer.tsx'
import { GeneratedPassword } from './GeneratedPassword.tsx'
import { Ledger, Sessions } from './Records.tsx'
import { type LoadedUser, useUser } from '../state/useUsers.ts'
import { AccountTab } from './AccountTab.tsx'
import { useFieldTexts } from './fieldTexts.ts'
import { SourceTab } from './SourceTab.tsx'
import { nameOf } from './userDraft.ts'
import { UserMenu } from './UserMenu.tsx'
import styles from './edit.module.css'
import { type UserForm, useUserForm } from './useUserForm.ts'

const TABS = ['account', 'openai_web', 'openai_api', 'records'] as const
type Tab = (typeof TABS)[number]

/** Refusals that mean there is no such person: deleted, perhaps just now by somebody else, or not a valid id. */
const NOBODY: readonly (string | null)[] = ['userNotExist', 'requestValidationError']

type UserDrawerProps = { id: string; tab: string; onTab(tab: string): void; onClose(): void }

/** One person: the account, the settings of each source, and their records. */
export function UserDrawer({ id, tab, onTab, onClose }: UserDrawerProps) {
  const t = useTranslate()
  const { data, error, refetch } = useUser(id)
  const gone = error instanceof RefusedCall && NOBODY.includes(error.key)
  if (data !== undefined && !gone)
    return <LoadedDrawer loaded={data} tab={tabOf(tab)} onTab={onTab} onClose={onClose} />
  return (
    <Drawer head={{ title: t(gone ? 'users.gone' : 'users.loading') }} onClose={onClose}>
      {error !== null && !gone && <NotLoaded title={t('users.notLoaded')} error={error} onRetry={refetch} />}
    </Drawer>
  )
}

type LoadedDrawerProps = { loaded: LoadedUser; tab: Tab; onTab(tab: string): void; onClose(): void }

function LoadedDrawer({ loaded, tab, onTab, onClose }: LoadedDrawerProps) {
  const t = useTranslate()
  const language = useLanguage()
  const form = useUserForm(loaded)
  const [password, setPassword] = useState<string | null>(null)
  const { nameText, valueText } = useFieldTexts()
  const { user } = loaded
  const tabs = TABS.map(key => ({ key, label: t(`users.tab.${key}`), count: countOf(form, key) }))
  return (
    <Drawer
      head={{
        title: user.nickname,
        context: t('users.identity', {
          username: user.username,
          month: formatMonth(new Date(user.create_time), language),
        }),
        picture: <UserAvatar id={user.id} nickname={user.nickname} large />,
        actions: <UserMenu user={user} onPassword={setPassword} onRemoved={onClose} />,
      }}
      tabs={{ entries: tabs, chosen: tab, onChoose: onTab }}
      saving={{ ...form.changes, list: <ChangeList form={form} /> }}
      onClose={onClose}
    >
      {password !== null && <GeneratedPassword password={password} onClose={() => setPassword(null)} />}
      <Conflicts changes={form.changes} labelOf={nameText} show={valueText} />
      <TabContent tab={tab} form={form} loaded={loaded} />
    </Drawer>
  )
}

function TabContent({ tab, form, loaded: { user, row } }: { tab: Tab; form: UserForm; loaded: LoadedUser }) {
  switch (tab) {
    case 'account':
      return <AccountTab form={form} row={row} />
    case 'openai_web':
    case 'openai_api':
      return <SourceTab key={tab} source={tab} form={form} row={row} />
    case 'records':
      return (
        <>
          <Sessions id={user.id} />
          <Ledger id={user.id} />
        </>
      )
  }
}

function tabOf(tab: string): Tab {
  return TABS.find(each => each === tab) ?? 'account'
}

/** How many changes a tab has. */
function countOf({ changed }: UserForm, tab: Tab): number {
  return changed.filter(({ name }) => {
    const { part } = nameOf(name)
    return (part === 'setting' ? 'account' : part) === tab
  }).length
}

/** The unsaved changes: each field before and after, with an undo. */
function ChangeList({ form: { changed, changes } }: { form: UserForm }) {
  const t = useTranslate()
  const { nameText, valueText } = useFieldTexts()
  if (changed.length === 0) return null
  return (
    <ul className={styles.changes} aria-label={t('users.changes')} data-testid="changes">
      {changed.map(({ name, before, after }) => (
        <li key={name}>
          <span>{nameText(name)}</span>
          <span>
            {valueText(name, before)} <span aria-label={t('users.becomes')}>→</span> <b>{valueText(name, after)}</b>
          </span>
          <IconButton
            size={24}
            label={t('users.takeBack', { name: nameText(name) })}
            onClick={() => changes.undo(name)}
          >
            <IconArrowBackUp size={14} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
