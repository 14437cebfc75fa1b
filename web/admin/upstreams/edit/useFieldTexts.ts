import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { FieldName, Fields } from './fields.ts'

/** What the fields are called, and their values in words, where two people have changed the same. */
export function useFieldTexts() {
  const t = useTranslate()
  return {
    labelOf: (name: FieldName): string => t(`upstreams.field.${name}`),
    show(name: FieldName, value: unknown): string {
      if (name === 'models') {
        const models = value as Fields['models'] // of this field
        return models === null
          ? t('upstreams.models.all')
          : models.map(model => model.label ?? model.name).join(t('kit.comma'))
      }
      if (name === 'enabled') return t(value === true ? 'upstreams.on' : 'upstreams.off')
      if (name === 'secret') return t('upstreams.key.another')
      return value === '' ? t('upstreams.nothingEntered') : String(value)
    },
  }
}
