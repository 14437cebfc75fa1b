import type { SourceAllowance } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { ApiSetting, WebSetting } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useAllowance } from './allowance/useAllowance.ts'
import { sourceOf } from './allowance/verdicts.ts'
import { CountRow, LimitRow } from './LimitRow.tsx'
import { ModelRows } from './ModelRows.tsx'
import styles from './ProfileDialog.module.css'
import { SlotsRow } from './SlotsRow.tsx'
import { SourceStatus } from './SourceStatus.tsx'
import { WindowRows } from './WindowRows.tsx'

/** The limits of a source: one row for each. */
export function SourceLimits({ source, setting }: { source: Source; setting: WebSetting | ApiSetting }) {
  const t = useTranslate()
  const told = useAllowance()
  const of = told === undefined ? null : sourceOf(told.allowance, source)
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
          <CountRow
            label={t('profile.totalAsks')}
            count={of?.total ?? { used: 0, allowed: total_ask_count }}
            words={{ left: 'allowance.remaining', none: 'allowance.usedUp' }}
          />
          <WindowRows windows={of?.windows} limits={rate_limits} />
          <ConversationsRow count={of?.conversations} allowed={max_conv_count} />
          <SlotsRow slots={daily_available_time_slots} />
        </dl>
      )}
    </section>
  )
}

function ConversationsRow({
  count,
  allowed,
}: {
  count: SourceAllowance['conversations'] | undefined
  allowed: number
}) {
  const t = useTranslate()
  const label = t('profile.conversations')
  if (count !== undefined)
    return (
      <CountRow
        label={label}
        count={count}
        words={{ left: 'allowance.conversations', none: 'allowance.conversationsFull' }}
      />
    )
  return (
    <LimitRow label={label}>
      {allowed === UNLIMITED ? t('kit.unlimited') : t('profile.atMost.conversations', { count: allowed })}
    </LimitRow>
  )
}
