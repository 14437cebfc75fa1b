import type { Verdict } from '#contract/allowance.ts'
import type { Source } from '#contract/models.ts'
import type { SourceSummary, UserRow } from '#contract/userAdministration.ts'
import { failureText } from '#web/foundation/failures.ts'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import { keyOf, LIMITS, sourceOf } from '#web/users/allowance.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { DrawerRow, DrawerSection, UnitInput } from '#web/admin/drawer/rows.tsx'
import { SlotsField } from '../slots/SlotStrip.tsx'
import { useUserAllowance } from '../state/useUsers.ts'
import { CountField, CountInput, SwitchField } from './CountField.tsx'
import { RowOrigin } from './PersonOrigin.tsx'
import type { UserForm } from './useUserForm.ts'
import { ValidityField } from './ValidityField.tsx'
import { WindowsField } from './WindowsField.tsx'
import styles from './edit.module.css'
import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { UNLIMITED } from '#contract/limits.ts'

type SourceTabProps = { source: Source; form: UserForm; row: UserRow }

/** The settings of a person for a source. */
export function SourceTab({ source, form, row }: SourceTabProps) {
  const t = useTranslate()
  const draft = form.draft[source]
  const change = (fields: Partial<typeof draft>) => form.change(source, fields)
  return (
    <>
      <DrawerSection>
        <SwitchField
          row={form.row(source, 'allow_to_use')}
          checked={draft.allow_to_use}
          onChange={allow_to_use => change({ allow_to_use })}
        />
        <ValidityField
          row={form.row(source, 'valid_until')}
          valid_until={draft.valid_until}
          onChange={valid_until => change({ valid_until })}
        />
      </DrawerSection>
      <DrawerSection title={t('users.counts')}>
        <CountFields form={form} source={source} summary={row[source]} />
        <WindowsField
          row={form.row(source, 'rate_limits')}
          windows={draft.rate_limits}
          onChange={rate_limits => change({ rate_limits })}
        />
        <SlotsRow form={form} source={source} />
      </DrawerSection>
      <DrawerSection title={t('users.models')}>
        <RowOrigin row={form.row(source, 'available_models')} />
        <ModelsTable source={source} form={form} summary={row[source]} />
      </DrawerSection>
      <DrawerSection title={t('users.others')}>
        {source === 'openai_web' ? <WebFields form={form} /> : <OwnApiFields form={form} />}
      </DrawerSection>
      <AllowancePreview id={row.id} source={source} />
    </>
  )
}

type OfSource = { form: UserForm; source: Source }

function CountFields({ form, source, summary: { total, conversations } }: OfSource & { summary: SourceSummary }) {
  const t = useTranslate()
  const { total_ask_allowed, max_conv_count } = form.draft[source]
  return (
    <>
      <CountField
        row={form.row(source, 'total_ask_allowed')}
        count={total_ask_allowed}
        used={t('users.used', { count: total.used })}
        unit={t('users.unit.asks')}
        onChange={count => form.change(source, { total_ask_allowed: count })}
      />
      <CountField
        row={form.row(source, 'max_conv_count')}
        count={max_conv_count}
        used={t('users.conversations.used', { count: conversations.used })}
        unit={t('users.unit.conversations')}
        onChange={count => form.change(source, { max_conv_count: count })}
      />
    </>
  )
}

function SlotsRow({ form, source }: OfSource) {
  const row = form.row(source, 'daily_available_time_slots')
  return (
    <DrawerRow label={row.label} changed={row.changed} below={<RowOrigin row={row} />}>
      {id => (
        <SlotsField
          id={id}
          slots={form.draft[source].daily_available_time_slots}
          onChange={daily_available_time_slots => form.change(source, { daily_available_time_slots })}
        />
      )}
    </DrawerRow>
  )
}

function WebFields({ form }: { form: UserForm }) {
  const { disable_uploading, use_team } = form.draft.openai_web
  return (
    <>
      <SwitchField
        row={form.row('openai_web', 'disable_uploading')}
        checked={!disable_uploading}
        onChange={allowed => form.change('openai_web', { disable_uploading: !allowed })}
      />
      <SwitchField
        row={form.row('openai_web', 'use_team')}
        checked={use_team}
        onChange={chosen => form.change('openai_web', { use_team: chosen })}
      />
    </>
  )
}

/**
 * What the person may ask now: each model, the reason if not, and when again. Evaluated by the server from what is
 * stored, as for an ask.
 */
function AllowancePreview({ id, source }: { id: number; source: Source }) {
  const t = useTranslate()
  const nameOf = useModelName()
  const { data, error } = useUserAllowance(id)
  const allowance = data === undefined ? null : sourceOf(data, source)
  return (
    <div data-testid="allowance-preview">
      <DrawerSection title={t('users.preview')}>
        {error !== null && (
          <p className={styles.hint}>
            {t('users.preview.failed')} {failureText(error)}
          </p>
        )}
        {allowance !== null && (
          <dl className={styles.verdicts}>
            {allowance.models.map(({ model, verdict }) => (
              <VerdictRow key={model} label={nameOf(model)} verdict={verdict} />
            ))}
            {allowance.models.length === 0 && <VerdictRow label={t('users.preview.any')} verdict={allowance.verdict} />}
            <VerdictRow label={t('users.preview.new')} verdict={allowance.new_conversation} />
          </dl>
        )}
        <p className={styles.hint}>{t('users.preview.help')}</p>
      </DrawerSection>
    </div>
  )
}

function VerdictRow({ label, verdict }: { label: string; verdict: Verdict }) {
  const t = useTranslate()
  const messageText = useTranslateMessage()
  const momentText = useMomentText()
  const { may_ask, message, values, opens_at } = verdict
  const key = keyOf(verdict)
  // Texts about the person; those of refusals address them.
  const reason = LIMITS.find(each => each === key)
  return (
    <div>
      <dt>{label}</dt>
      {may_ask ? (
        <dd className={styles.may}>{t('users.preview.may')}</dd>
      ) : (
        <dd className={styles.mayNot}>
          {reason !== undefined ? t(`users.why.${reason}`) : messageText(message ?? '', values)}
          {opens_at !== null && <span>{t('users.preview.opens', { time: momentText(opens_at) })}</span>}
        </dd>
      )}
    </div>
  )
}

/** Whether a person may bring an address and key, and which address they have brought. The key is never shown. */
function OwnApiFields({ form }: { form: UserForm }) {
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

type ModelsTableProps = { source: Source; form: UserForm; summary: SourceSummary }

/** Which models a person may ask, and how often each. */
function ModelsTable({ source, form, summary }: ModelsTableProps) {
  const t = useTranslate()
  const nameOf = useModelName()
  const enabled = useEnabledModels(source)
  const { available_models, per_model_ask_allowed } = form.draft[source]
  const before = form.base[source].available_models
  const choose = (code: string, chosen: boolean) => {
    const next = new Set(available_models)
    if (chosen) next.add(code)
    else next.delete(code)
    // Keeps the stored order, so that unticking and ticking a box is no change.
    form.change(source, { available_models: [...new Set([...before.filter(each => next.has(each)), ...next])] })
  }
  return (
    <table className={styles.models} aria-label={t('users.models')}>
      <tbody>
        {[...new Set([...enabled, ...before])].map(code => (
          <tr key={code}>
            <td>
              <Checkbox
                label={nameOf(code)}
                checked={available_models.includes(code)}
                onChange={event => choose(code, event.currentTarget.checked)}
              />
            </td>
            <td className={styles.used}>{enabled.includes(code) ? usedText(code) : t('users.model.off')}</td>
            <td>
              {available_models.includes(code) && (
                <CountInput
                  label={t('users.model.count', { model: nameOf(code) })}
                  count={per_model_ask_allowed[code] ?? UNLIMITED}
                  unit={t('users.unit.asks')}
                  onChange={count => form.change(source, { per_model_ask_allowed: { [code]: count } })}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )

  function usedText(code: string): string | null {
    const used = summary.models.find(({ model }) => model === code)?.count.used ?? 0
    return used === 0 ? null : t('users.used', { count: used })
  }
}

function useEnabledModels(source: Source): string[] {
  const portal = usePortal()
  return portal?.models.filter(model => model.source === source).map(({ code }) => code) ?? []
}
