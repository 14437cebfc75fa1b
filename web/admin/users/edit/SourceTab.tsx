import type { Source } from '#contract/models.ts'
import type { SourceSummary, UserRow } from '#contract/userAdministration.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DrawerRow, DrawerSection } from '../../drawer/rows.tsx'
import { SlotsField } from '../slots/SlotsField.tsx'
import { AllowancePreview } from './AllowancePreview.tsx'
import { CountField } from './CountField.tsx'
import { ModelsTable } from './ModelsTable.tsx'
import { OwnApiFields } from './OwnApiFields.tsx'
import { SwitchField } from './SwitchField.tsx'
import type { UserForm } from './useUserForm.ts'
import { ValidityField } from './ValidityField.tsx'
import { WindowsField } from './WindowsField.tsx'

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
  const { label, changed } = form.row(source, 'daily_available_time_slots')
  return (
    <DrawerRow label={label} changed={changed}>
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
