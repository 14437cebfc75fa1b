import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import { UnitInput } from '../../drawer/inputs.tsx'
import { DrawerRow } from '../../drawer/rows.tsx'
import { SwitchField } from './SwitchField.tsx'
import type { UserForm } from './useUserForm.ts'

/** Whether a person may bring an address and key, and which address they have brought. The key is never shown. */
export function OwnApiFields({ form }: { form: UserForm }) {
  const t = useTranslate()
  const { allow_custom_openai_api, custom_openai_api_settings: custom } = form.draft.openai_api
  const change = (fields: Partial<typeof custom>) =>
    form.change('openai_api', { custom_openai_api_settings: { ...custom, ...fields } })
  const isUnreadable = form.base.openai_api.custom_openai_api_settings.key_unreadable === true
  const hasKey = form.base.openai_api.custom_openai_api_settings.key !== null
  const { label, changed, mistake } = form.row('openai_api', 'custom_openai_api_settings')
  return (
    <>
      <SwitchField
        row={form.row('openai_api', 'allow_custom_openai_api')}
        checked={allow_custom_openai_api}
        below={t('users.ownApi.help')}
        onChange={allowed => form.change('openai_api', { allow_custom_openai_api: allowed })}
      />
      {allow_custom_openai_api && (
        <>
          <DrawerRow label={label} changed={changed}>
            {id => (
              <UnitInput
                id={id}
                type="url"
                inputMode="url"
                placeholder={t('users.ownApi.none')}
                value={custom.url ?? ''}
                error={mistake}
                onChange={value => change({ url: value === '' ? null : value })}
              />
            )}
          </DrawerRow>
          <DrawerRow label={t('users.ownApi.key')}>
            {id => (
              <SecretInput
                id={id}
                size="xs"
                autoComplete="off"
                placeholder={t(hasKey ? 'users.ownApi.kept' : 'users.ownApi.noKey')}
                value={custom.key ?? ''}
                error={isUnreadable && !custom.key ? t('settings.secret.unreadable') : undefined}
                onChange={({ currentTarget: { value } }) => change({ key: value === '' && !hasKey ? null : value })}
              />
            )}
          </DrawerRow>
        </>
      )}
    </>
  )
}
