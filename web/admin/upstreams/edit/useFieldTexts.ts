import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import type { FieldName, Fields } from './fields.ts'

/** Names and values of the fields in words, for a conflict between two people's changes. */
export function useFieldTexts() {
  const t = useTranslate()
  const language = useLanguage()

  /** Describes a stored key by who entered it, a new one by its last characters. */
  function keyText(secret: Fields['secret']): string {
    if (typeof secret === 'string') return t('upstreams.key.entered', { count: secret.length, last4: secret.slice(-4) })
    if (secret?.set !== true) return t('upstreams.key.none')
    const { changed_by, changed_at } = secret
    if (changed_by === null || changed_at === null) return t('upstreams.key.another')
    return t('upstreams.key.setBy', { name: changed_by, date: formatDate(new Date(changed_at), language) })
  }

  return {
    labelOf: (name: FieldName): string => t(`upstreams.field.${name}`),
    show(name: FieldName, value: unknown): string {
      if (name === 'models') {
        const models = value as Fields['models'] // of this field
        return models === null
          ? t('upstreams.models.all')
          : models.map(model => model.label ?? model.name).join(t('kit.comma'))
      }
      if (name === 'model_settings') {
        const settings = value as Fields['model_settings'] // of this field
        return settings.map(model => model.name).join(t('kit.comma'))
      }
      if (name === 'enabled') return t(value === true ? 'upstreams.on' : 'upstreams.off')
      if (name === 'secret') return keyText(value as Fields['secret']) // of this field
      return value === '' ? t('upstreams.nothingEntered') : String(value)
    },
  }
}
