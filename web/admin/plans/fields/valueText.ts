import { UNLIMITED } from '#contract/limits.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { type FieldName, FIELDS } from './fields.ts'

/** A value of a plan in words, for "it would be …". */
export function useValueText(): (field: FieldName, value: unknown) => string {
  const t = useTranslate()
  return (field, value) => {
    const about = FIELDS[field]
    switch (about.kind) {
      case 'switch': {
        const isOn = 'inverted' in about ? value !== true : value === true
        return t(isOn ? 'plans.yes' : 'plans.no')
      }
      case 'text':
        return typeof value === 'string' && value !== '' ? value : t('plans.none')
      case 'slots':
        return Array.isArray(value) && value.length === 1 ? t('plans.slots.one') : t('plans.slots.several')
      case 'number': {
        if (typeof value !== 'number' || value === UNLIMITED) return t(`plans.empty.${about.empty ?? 'portal'}`)
        const count = Math.round(value / ('size' in about ? about.size : 1))
        return 'unit' in about ? t(`plans.count.${about.unit}`, { count }) : String(count)
      }
    }
  }
}
