import type { KeyState } from '#contract/upstreams.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'

/** Who entered a key and when, as far as is known. */
export function KeySetBy({ state: { changed_by, changed_at } }: { state: KeyState }) {
  const t = useTranslate()
  const language = useLanguage()
  if (changed_at === null) return null
  const date = formatDate(new Date(changed_at), language)
  return (
    <span>
      {changed_by === null ? t('upstreams.key.setOn', { date }) : t('upstreams.key.setBy', { name: changed_by, date })}
    </span>
  )
}
