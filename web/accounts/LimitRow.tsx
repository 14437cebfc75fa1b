import type { ReactNode } from 'react'
import { UNLIMITED } from '#contract/limits.ts'
import { useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Emphasised.tsx'
import { Ruler } from '#web/kit/Ruler.tsx'
import { useAllowance } from './allowance/useAllowance.ts'
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

export type Count = { used: number; allowed: number }

type CountRowProps = {
  label: string
  count: Count
  /** The text for so many left, and for none. */
  words: {
    left: 'allowance.remaining' | 'allowance.conversations'
    none: 'allowance.usedUp' | 'allowance.conversationsFull'
  }
  /** When some of it comes back, instead of what is used. */
  returns?: string | null
}

/** One limit: the ruler shows what is used, the text what remains. */
export function CountRow({ label, count: { used, allowed }, words, returns = null }: CountRowProps) {
  const t = useTranslate()
  const around = useTranslateAround()
  const known = useAllowance() !== undefined
  if (allowed === UNLIMITED) return <LimitRow label={label}>{t('kit.unlimited')}</LimitRow>
  // Before the allowance is loaded only what remains is known, not what was used.
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
