import type { SourceAllowance, Verdict } from '#contract/allowance.ts'
import { type ApiSetting, UNLIMITED, type WebSetting } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { formatDate, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { sourceOf, useAllowance } from './allowance.ts'
import { CountRow, LimitRow, ModelRows, WindowRows } from './LimitRows.tsx'
import { useMomentText } from './moments.ts'
import styles from './ProfileDialog.module.css'
import { SlotsRow } from './SlotsRow.tsx'

/** The limits of a source: one row for each. */
export function SourceLimits({ source, setting }: { source: Source; setting: WebSetting | ApiSetting }) {
  const t = useTranslate()
  const loaded = useAllowance()
  const of = loaded === undefined ? null : sourceOf(loaded.allowance, source)
  const { allow_to_use, total_ask_count, rate_limits, max_conv_count, daily_available_time_slots } = setting
  return (
    <section className={styles.source}>
      <div className={styles.head}>
        <h3>{t(`sources.${source}`)}</h3>
        <SourceStatus setting={setting} verdict={of?.verdict ?? null} />
      </div>
      {allow_to_use && (
        <dl>
          <ModelRows setting={setting} of={of} />
          <CountRow label={t('profile.totalAsks')} count={of?.total ?? { used: 0, allowed: total_ask_count }} />
          <WindowRows windows={of?.windows} limits={rate_limits} />
          <ConversationsRow count={of?.conversations} allowed={max_conv_count} />
          <SlotsRow slots={daily_available_time_slots} />
        </dl>
      )}
    </section>
  )
}

type ConversationsRowProps = { count: SourceAllowance['conversations'] | undefined; allowed: number }

function ConversationsRow({ count, allowed }: ConversationsRowProps) {
  const t = useTranslate()
  const label = t('profile.conversations')
  const words = { left: 'allowance.conversations', none: 'allowance.conversationsFull' } as const
  if (count !== undefined) return <CountRow label={label} count={count} words={words} />
  return (
    <LimitRow label={label}>
      {allowed === UNLIMITED ? t('kit.unlimited') : t('profile.atMost.conversations', { count: allowed })}
    </LimitRow>
  )
}

type SourceStatusProps = { setting: WebSetting | ApiSetting; verdict: Verdict | null }

/** Whether the user may use a source, whether now, and until when. */
function SourceStatus({ setting: { allow_to_use, valid_until }, verdict }: SourceStatusProps) {
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
