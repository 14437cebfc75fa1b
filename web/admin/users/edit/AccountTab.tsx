import type { UserRow } from '#contract/userAdministration.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DrawerRow, DrawerSection, UnitInput } from '#web/admin/drawer/rows.tsx'
import { useIsLastSuperuser } from '../state/useUsers.ts'
import { SwitchField } from './CountField.tsx'
import type { UserForm } from './useUserForm.ts'

const TEXTS = ['nickname', 'username', 'email', 'remark'] as const

/** Who a person is, and what the account may. */
export function AccountTab({ form, row }: { form: UserForm; row: UserRow }) {
  const t = useTranslate()
  const { account } = form.draft
  return (
    <>
      <DrawerSection>
        {TEXTS.map(field => {
          const { label, changed, mistake } = form.row('account', field)
          return (
            <DrawerRow key={field} label={label} changed={changed}>
              {id => (
                <UnitInput
                  id={id}
                  inputMode={field === 'email' ? 'email' : 'text'}
                  value={account[field] ?? ''}
                  error={mistake}
                  onChange={value =>
                    form.change('account', { [field]: field === 'remark' && value === '' ? null : value })
                  }
                />
              )}
            </DrawerRow>
          )
        })}
      </DrawerSection>
      <DrawerSection title={t('users.rights')}>
        <Flags form={form} id={row.id} />
        <CreditsField form={form} />
      </DrawerSection>
    </>
  )
}

function Flags({ form, id }: { form: UserForm; id: number }) {
  const t = useTranslate()
  const locked = useIsLastSuperuser(id) ? t('users.lastSuperuser') : undefined
  const isOwn = useSession(({ user }) => user?.id === id)
  const { is_active, is_superuser, is_verified } = form.draft.account
  return (
    <>
      <SwitchField
        row={form.row('account', 'is_active')}
        checked={is_active}
        locked={locked}
        below={t(isOwn ? 'users.active.own' : 'users.active.help')}
        onChange={active => form.change('account', { is_active: active })}
      />
      <SwitchField
        row={form.row('account', 'is_superuser')}
        checked={is_superuser}
        locked={locked}
        below={t(isOwn ? 'users.superuser.own' : 'users.superuser.help')}
        onChange={superuser => form.change('account', { is_superuser: superuser })}
      />
      <SwitchField
        row={form.row('account', 'is_verified')}
        checked={is_verified}
        onChange={verified => form.change('account', { is_verified: verified })}
      />
    </>
  )
}

/** Text that is not a number, while it is typed, changes nothing. */
function CreditsField({ form }: { form: UserForm }) {
  const { label, changed, mistake } = form.row('setting', 'credits')
  return (
    <DrawerRow label={label} changed={changed}>
      {id => (
        <UnitInput
          id={id}
          type="number"
          inputMode="decimal"
          step="any"
          value={String(form.draft.setting.credits)}
          error={mistake}
          onChange={text => {
            if (text !== '' && Number.isFinite(Number(text))) form.change('setting', { credits: Number(text) })
          }}
        />
      )}
    </DrawerRow>
  )
}
