import { type RateLimit, type TimeSlot, UNLIMITED, slotText } from '#contract/limits.ts'
import { coversWholeDay } from '#web/users/timeSlots.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { nameOf } from './userDraft.ts'

const LABELS = {
  nickname: 'users.nickname',
  username: 'users.username',
  email: 'users.email',
  remark: 'users.remark',
  is_active: 'users.active',
  is_superuser: 'users.superuser',
  is_verified: 'users.verified',
  credits: 'users.credits',
  allow_to_use: 'users.allow',
  valid_until: 'users.validUntil',
  total_ask_allowed: 'users.total',
  max_conv_count: 'users.conversations',
  rate_limits: 'users.windows',
  daily_available_time_slots: 'users.slots',
  available_models: 'users.models',
  disable_uploading: 'users.uploading',
  use_team: 'users.team',
  allow_custom_openai_api: 'users.ownApi',
  custom_openai_api_settings: 'users.ownApi.address',
} as const
export type LabelledField = keyof typeof LABELS

/** Names and values of a person's fields in words. */
export function useFieldTexts() {
  const t = useTranslate()
  const language = useLanguage()
  const modelName = useModelName()

  const label = (field: LabelledField) => t(LABELS[field])

  /** With the source that the field belongs to. */
  function nameText(text: string): string {
    const { part, field, model } = nameOf(text)
    const name = model === null ? label(field as LabelledField) : modelName(model) // a field of the draft
    return part === 'account' || part === 'setting' ? name : t('users.ofSource', { source: t(`sources.${part}`), name })
  }

  function valueText(text: string, value: unknown): string {
    const { field, model } = nameOf(text)
    if (model !== null) return count(value)
    switch (field) {
      case 'total_ask_allowed':
      case 'max_conv_count':
        return count(value)
      case 'valid_until':
        return value === null ? t('users.forever') : formatDateTime(new Date(value as string), language)
      case 'rate_limits':
        return list((value as RateLimit[]).map(windowText))
      case 'daily_available_time_slots':
        return coversWholeDay(value as TimeSlot[]) ? t('slots.allDay') : list((value as TimeSlot[]).map(slotText))
      case 'available_models':
        return list((value as string[]).map(code => modelName(code)))
      case 'custom_openai_api_settings':
        return (value as { url: string | null }).url ?? t('users.none')
      case 'disable_uploading':
        return t(value === true ? 'users.off' : 'users.on')
      default:
        return typeof value === 'boolean' ? t(value ? 'users.on' : 'users.off') : plain(value)
    }
  }

  const count = (value: unknown) => (value === UNLIMITED ? t('kit.unlimited') : String(value))
  const list = (texts: string[]) => (texts.length === 0 ? t('users.none') : texts.join(t('kit.comma')))
  const plain = (value: unknown) => (value === null || value === '' ? t('users.none') : String(value))
  const windowText = ({ window_seconds, max_requests }: RateLimit) =>
    t('users.window', { window_seconds, count: max_requests })

  return { label, nameText, valueText }
}
