import { type Source, SOURCES } from '#contract/models.ts'
import { useLimitTexts } from '#web/admin/plans/values/limitTexts.ts'
import { identityOf, isLimitField } from '#web/admin/plans/values/plans.ts'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { type FieldName, FIELDS } from './fields.ts'
import { useValueText } from './valueText.ts'

const NAMES: Readonly<Record<string, PlainKey>> = {
  name: 'plans.name',
  parent_id: 'plans.parent',
  plan_id: 'person.plan',
}

/** For fields that somebody else has changed, too: their names and values in words. */
export function useFieldNames() {
  const t = useTranslate()
  const valueOf = useValueText()
  const { limitText, amountText } = useLimitTexts()
  const fieldOf = (name: string): FieldName | undefined =>
    (Object.keys(FIELDS) as FieldName[]).find(field => field === name.split('.').at(-1)) // its own keys
  const sourceOf = (name: string): Source | undefined => SOURCES.find(source => name.startsWith(`${source}.`))
  return {
    nameText(name: string): string {
      if (isLimitField(name)) return limitText(identityOf(name), -1)
      const field = fieldOf(name)
      if (field === undefined) return t(NAMES[name] ?? 'plans.tab.models')
      const source = sourceOf(name)
      const label = t(`plans.field.${field}`)
      return source === undefined ? label : t('plans.fieldOf', { label, source: t(`sources.${source}`) })
    },
    valueText(name: string, value: unknown): string {
      if (isLimitField(name))
        return typeof value === 'number' ? amountText(identityOf(name).unit, value) : t('plans.none')
      const field = fieldOf(name)
      if (field === undefined)
        return Array.isArray(value) ? value.join(t('kit.comma')) : String(value ?? t('plans.none'))
      return value === null ? t('plans.none') : valueOf(field, value)
    },
  }
}
