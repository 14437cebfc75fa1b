import type { KeyOfUser } from '#contract/keys.ts'
import { agoText, formatDate, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { daysUntilEnd } from './newKey.ts'

/** When it was used last, and by which tool. */
export function LastUse({
  of: { last_used_time, last_tool },
}: {
  of: Pick<KeyOfUser, 'last_used_time' | 'last_tool'>
}) {
  const t = useTranslate()
  const language = useLanguage()
  const now = useNow()
  if (last_used_time === null) return <small>{t('keys.neverUsed')}</small>
  return (
    <>
      {agoText(new Date(last_used_time), now, t, language)}
      <small>{last_tool ?? t('keys.someTool')}</small>
    </>
  )
}

export function KeyEnd({ expires_at }: { expires_at: string | null }) {
  const t = useTranslate()
  const language = useLanguage()
  const days = daysUntilEnd(expires_at, useNow())
  if (expires_at === null) return t('keys.expiry.never')
  const date = formatDate(new Date(expires_at), language)
  if (days === null) return date
  if (days === 0) return <Tag tone="red">{t('keys.ended', { date })}</Tag>
  return <Tag tone="amber">{t('keys.endsSoon', { date, days })}</Tag>
}
