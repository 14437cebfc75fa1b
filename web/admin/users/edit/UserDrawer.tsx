import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { useState } from 'react'
import type { Saving } from '#web/admin/form/useChanges.ts'
import type { ValueForm } from '#web/admin/plans/fields/valueForm.ts'
import { usePlanName } from '#web/admin/plans/values/Origin.tsx'
import { usePlans } from '#web/admin/plans/values/plans.ts'
import { useFieldNames } from '#web/admin/plans/fields/useFieldNames.ts'
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
import { PlanTab } from './PlanTab.tsx'
import { SourceTab } from './SourceTab.tsx'
import { usePolicyForm } from './usePolicyForm.ts'
import { nameOf } from './userDraft.ts'
import { UserMenu } from './UserMenu.tsx'
import styles from './edit.module.css'
import { type UserForm, useUserForm } from './useUserForm.ts'

const TABS = ['account', 'plan', 'openai_web', 'openai_api', 'records'] as const
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
  const policy = usePolicyForm(loaded.user.id)
  const [password, setPassword] = useState<string | null>(null)
  const { nameText, valueText } = useFieldTexts()
  const names = useFieldNames()
  const { user } = loaded
  const tabs = TABS.map(key => ({
    key,
    label: t(`users.tab.${key}`),
    count: key === 'plan' ? (policy?.changes.count ?? 0) : countOf(form, key),
  }))
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
      saving={{ ...bothOf(form.changes, policy?.changes ?? null), list: <ChangeList form={form} policy={policy} /> }}
      onClose={onClose}
    >
      {password !== null && <GeneratedPassword password={password} onClose={() => setPassword(null)} />}
      <Conflicts changes={form.changes} labelOf={nameText} show={valueText} />
      {policy !== null && <Conflicts changes={policy.changes} labelOf={names.nameText} show={names.valueText} />}
      {tab === 'plan' ? (
        policy !== null && <PlanTab form={policy} />
      ) : (
        <TabContent tab={tab} form={form} loaded={loaded} />
      )}
    </Drawer>
  )
}

/** The changes of the account with its settings, and those of the plan: saved one after the other. */
function bothOf(one: Saving, other: Saving | null): Saving {
  if (other === null) return one
  return {
    count: one.count + other.count,
    wrong: one.wrong + other.wrong,
    conflicts: [...one.conflicts, ...other.conflicts],
    pending: one.pending || other.pending,
    save: async () => (one.count === 0 || (await one.save())) && (other.count === 0 || (await other.save())),
    discard() {
      one.discard()
      other.discard()
    },
  }
}

type TabContentProps = { tab: Exclude<Tab, 'plan'>; form: UserForm; loaded: LoadedUser }

function TabContent({ tab, form, loaded: { user, row } }: TabContentProps) {
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
function ChangeList({ form: { changed, changes }, policy }: { form: UserForm; policy: ValueForm | null }) {
  const t = useTranslate()
  const { nameText, valueText } = useFieldTexts()
  const names = useFieldNames()
  const { plans = [] } = usePlans()
  const planName = usePlanName()
  const ofPolicy = policy?.changes.changed ?? []
  const policyText = (name: string, value: unknown): string => {
    const plan = name === 'plan_id' ? plans.find(each => each.plan.id === value)?.plan : undefined
    return plan === undefined ? names.valueText(name, value) : planName(plan)
  }
  if (changed.length + ofPolicy.length === 0) return null
  return (
    <ul className={styles.changes} aria-label={t('users.changes')} data-testid="changes">
      {changed.map(({ name, before, after }) => (
        <ChangeRow
          key={name}
          name={nameText(name)}
          before={valueText(name, before)}
          after={valueText(name, after)}
          onUndo={() => changes.undo(name)}
        />
      ))}
      {ofPolicy.map(name => (
        <ChangeRow
          key={`policy ${name}`}
          name={names.nameText(name)}
          before={policyText(name, policy?.stored(name))}
          after={policyText(name, policy?.changes.values[name])}
          onUndo={() => policy?.changes.undo(name)}
        />
      ))}
    </ul>
  )
}

type ChangeRowProps = { name: string; before: string; after: string; onUndo(): void }

function ChangeRow({ name, before, after, onUndo }: ChangeRowProps) {
  const t = useTranslate()
  return (
    <li>
      <span>{name}</span>
      <span>
        {before} <span aria-label={t('users.becomes')}>→</span> <b>{after}</b>
      </span>
      <IconButton size={24} label={t('users.takeBack', { name })} onClick={onUndo}>
        <IconArrowBackUp size={14} aria-hidden />
      </IconButton>
    </li>
  )
}
