import type { Verdict } from '#contract/allowance.ts'
import type { ApiSetting, WebSetting } from '#contract/limits.ts'
import { useMomentText } from '#web/accounts/allowance/useMomentText.ts'
import { formatDate, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './ProfileDialog.module.css'

type SourceStatusProps = { setting: WebSetting | ApiSetting; verdict: Verdict | null }

/** Whether the user may use a source at all, whether now, and until when. */
export function SourceStatus({ setting: { allow_to_use, valid_until }, verdict }: SourceStatusProps) {
  const t = useTranslate()
  const language = useLanguage()
  const momentText = useMomentText()
  const now = useNow()
  if (!allow_to_use) return <Tag>{t('profile.source.denied')}</Tag>
  const end = valid_until === null ? null : new Date(valid_until)
  const over = end !== null && end <= now
  const opens_at = verdict?.opens_at ?? null
  return (
    <>
      <Tag tone={over ? 'red' : 'green'}>{t(over ? 'profile.source.expired' : 'profile.source.allowed')}</Tag>
      {opens_at !== null && <Tag tone="amber">{t('allowance.opens', { time: momentText(opens_at) })}</Tag>}
      <span className={styles.validity}>{validity()}</span>
    </>
  )

  function validity(): string {
    if (end === null) return t('profile.valid.forever')
    const date = formatDate(end, language)
    if (over) return t('profile.valid.ended', { date })
    return t('allowance.validUntil', { date, left_seconds: Math.ceil((end.getTime() - now.getTime()) / 1000) })
  }
}
