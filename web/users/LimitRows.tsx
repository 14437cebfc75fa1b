import type { ReactNode } from 'react'
import {
  type SourceAllowance,
  type WindowState,
  type ApiSetting,
  type RateLimit,
  UNLIMITED,
  type WebSetting,
} from '#contract/limits.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Note.tsx'
import { Ruler } from '#web/kit/Ruler.tsx'
import { useAllowance } from './allowance.ts'
import { useMomentText } from './moments.ts'
import styles from './ProfileDialog.module.css'

type LimitRowProps = { label: string; middle?: ReactNode; children: ReactNode }

export function LimitRow({ label, middle, children }: LimitRowProps) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd className={styles.middle}>{middle}</dd>
      <dd>{children}</dd>
    </div>
  )
}

type Count = { used: number; allowed: number }

type CountRowProps = {
  label: string
  count: Count
  /** The keys of the texts for some left and for none left. */
  words?: typeof ASKS | { left: 'allowance.conversations'; none: 'allowance.conversationsFull' }
  /** When some of it comes back; shown in place of what is used. */
  returns?: string | null
}

const ASKS = { left: 'allowance.remaining', none: 'allowance.usedUp' } as const

/** One limit: the ruler shows what is used, the text what remains. */
export function CountRow({ label, count: { used, allowed }, words = ASKS, returns = null }: CountRowProps) {
  const t = useTranslate()
  const around = useTranslateAround()
  const known = useAllowance() !== undefined
  if (allowed === UNLIMITED) return <LimitRow label={label}>{t('kit.unlimited')}</LimitRow>
  // Until the allowance is loaded, only the remaining count is known.
  const left = Math.max(0, allowed - used)
  const usedText = t('allowance.used', { used, allowed })
  return (
    <LimitRow
      label={label}
      middle={known && <Ruler used={used} allowed={allowed} text={`${label}${t('kit.comma')}${usedText}`} />}
    >
      {left === 0 ? (
        <span className={styles.empty}>{t(words.none)}</span>
      ) : (
        <span>
          <Emphasised parts={around(words.left, 'count', { count: left })} />
        </span>
      )}
      {known && allowed > 0 && <span className={styles.hint}>{returns ?? usedText}</span>}
    </LimitRow>
  )
}

type ModelRowsProps = { setting: WebSetting | ApiSetting; of: SourceAllowance | null }

/** A row for each limited model, and one for all the others. */
export function ModelRows({ setting: { available_models, per_model_ask_count }, of }: ModelRowsProps) {
  const t = useTranslate()
  const nameOf = useModelName()
  if (available_models.length === 0) return <LimitRow label={t('profile.models')}>{t('profile.models.none')}</LimitRow>
  const counts = available_models.map(code => ({ code, ...countOf(code) }))
  const unlimited = counts.filter(({ allowed }) => allowed === UNLIMITED).map(({ code }) => nameOf(code))
  return (
    <>
      {counts
        .filter(({ allowed }) => allowed !== UNLIMITED)
        .map(({ code, used, allowed }) => (
          <CountRow key={code} label={nameOf(code)} count={{ used, allowed }} />
        ))}
      {unlimited.length > 0 && (
        <LimitRow label={t('profile.models')} middle={unlimited.join(t('kit.comma'))}>
          {t('kit.unlimited')}
        </LimitRow>
      )}
    </>
  )

  /** Until the allowance is loaded, the counts of the account are used. */
  function countOf(code: string): { used: number; allowed: number } {
    return (
      of?.models.find(({ model }) => model === code)?.count ?? {
        used: 0,
        allowed: per_model_ask_count[code] ?? UNLIMITED,
      }
    )
  }
}

const HOUR = 3600
const DAY = 86_400

type WindowRowsProps = { windows: readonly WindowState[] | undefined; limits: readonly RateLimit[] }

/** Rate limits: what is left in each window, and when the next ask comes back. */
export function WindowRows({ windows, limits }: WindowRowsProps) {
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
      returns={frees_at === null ? null : t('allowance.opensOne', { time: momentText(frees_at) })}
    />
  ))
}
