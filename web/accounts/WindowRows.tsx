import type { WindowState } from '#contract/allowance.ts'
import type { RateLimit } from '#contract/limits.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useMomentText } from './allowance/useMomentText.ts'
import { CountRow, LimitRow } from './LimitRow.tsx'

const HOUR = 3600
const DAY = 86_400

/** Rate limits: what is left in each window, and when the next ask comes back. */
export function WindowRows({
  windows,
  limits,
}: {
  windows: readonly WindowState[] | undefined
  limits: readonly RateLimit[]
}) {
  const t = useTranslate()
  const momentText = useMomentText()
  const label = (window_seconds: number) =>
    window_seconds === HOUR
      ? t('allowance.everyHour')
      : window_seconds === DAY
        ? t('allowance.everyDay')
        : t('allowance.window', { window_seconds })
  if (windows === undefined) {
    return limits.map(({ window_seconds, max_requests }) => (
      <LimitRow key={`${window_seconds} ${max_requests}`} label={label(window_seconds)}>
        {t('profile.atMost.asks', { count: max_requests })}
      </LimitRow>
    ))
  }
  return windows.map(({ window_seconds, max_requests, used, frees_at }) => (
    <CountRow
      key={`${window_seconds} ${max_requests}`}
      label={label(window_seconds)}
      count={{ used, allowed: max_requests }}
      words={{ left: 'allowance.remaining', none: 'allowance.usedUp' }}
      returns={frees_at === null ? null : t('allowance.opensOne', { time: momentText(frees_at) })}
    />
  ))
}
