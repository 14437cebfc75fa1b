import { DrawerRow, UnitInput } from '#web/admin/drawer/rows.tsx'
import type { Changes } from '#web/admin/form/useChanges.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { type FieldName, type Fields, mistakesIn, TIMEOUTS } from './fields.ts'

/** Those that are typed. */
type TextName = {
  [Name in FieldName]: Fields[Name] extends string ? (string extends Fields[Name] ? Name : never) : never
}[FieldName]
type TextRowProps = { form: Changes<Fields>; name: TextName; help?: string; unit?: string }

export function TextRow({ form, name, help, unit }: TextRowProps) {
  const t = useTranslate()
  return (
    <DrawerRow label={t(`upstreams.field.${name}`)} changed={form.isChanged(name)} below={help}>
      {id => <FieldInput form={form} name={name} id={id} {...(unit !== undefined && { unit })} />}
    </DrawerRow>
  )
}

/** Fields whose blank value means the value of the settings. */
const BY_SETTINGS: readonly FieldName[] = ['concurrency', 'proxy', ...TIMEOUTS]
const OPENAI = 'https://api.openai.com/v1/'

/** A blank field shows the value that applies. A mistake is shown once something is typed. */
export function FieldInput({ form, name, id, unit }: Omit<TextRowProps, 'help'> & { id?: string }) {
  const t = useTranslate()
  const isWrong = form.isChanged(name) && mistakesIn(form.values, false, 'openai_api').includes(name)
  return (
    <UnitInput
      {...(id === undefined ? { 'aria-label': t(`upstreams.field.${name}`) } : { id })}
      inputMode={unit === undefined ? 'text' : 'decimal'}
      placeholder={name === 'base_url' ? OPENAI : BY_SETTINGS.includes(name) ? t('upstreams.asInSettings') : undefined}
      spellCheck={false}
      {...(unit !== undefined && { unit })}
      value={form.values[name]}
      error={isWrong ? t(`upstreams.wrong.${name}`) : null}
      onChange={value => form.change({ [name]: value })}
    />
  )
}
