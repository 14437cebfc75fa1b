import type { Source } from '#contract/models.ts'
import type { LimitUse } from '#contract/usage.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { countText } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { UsageMeter } from '#web/kit/UsageMeter.tsx'
import { useAmounts, useWindowText } from './amounts.ts'
import { useMyUsage } from './queries.ts'
import styles from './usage.module.css'

/** The limits of a source that the person's own setting does not list: of tokens, of money, of days and weeks. */
export function FurtherLimits({ source }: { source: Source }) {
  const { data } = useMyUsage()
  if (data === undefined) return null
  return data.limits
    .filter(limit => limit.source === source && !isListed(limit))
    .map(limit => (
      <Limit key={JSON.stringify([limit.unit, limit.window, limit.models])} limit={limit} currency={data.currency} />
    ))
}

/** Whether the setting has a field for it: asks in all, of a model, or within a rolling time. */
function isListed({ unit, window: { kind }, models }: LimitUse): boolean {
  if (unit !== 'asks') return false
  return kind === 'rolling' ? models === null : kind === 'ever' && (models?.length ?? 1) === 1
}

function Limit({ limit, currency }: { limit: LimitUse; currency: string }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const amounts = useAmounts(currency)
  const language = useLanguage()
  const label = useWindowText()(limit)
  const { unit, amount, used, left, opens_at } = limit
  const usedText = t('usage.limit.used', {
    used: unit === 'asks' ? countText(used, language) : amounts.amount(unit, used),
    amount: amounts.amount(unit, amount),
  })
  return (
    <div className={styles.limit} data-testid="usage-limit">
      <dt>{label}</dt>
      <dd className={styles.middle}>
        <UsageMeter {...shareOf(limit)} text={`${label}${t('kit.comma')}${usedText}`} />
      </dd>
      <dd>
        {left > 0 ? (
          t('usage.limit.left', { amount: amounts.amount(unit, left) })
        ) : (
          <span className={styles.empty}>{t('usage.limit.usedUp')}</span>
        )}
        <small>{opens_at === null ? usedText : t('usage.limit.back', { time: momentText(opens_at) })}</small>
      </dd>
    </div>
  )
}

/** Only asks are few enough to have a tick each. */
const shareOf = ({ unit, used, amount: allowed }: LimitUse) =>
  unit === 'asks' ? { used, allowed } : { used: allowed === 0 ? 100 : (used / allowed) * 100, allowed: 100 }
