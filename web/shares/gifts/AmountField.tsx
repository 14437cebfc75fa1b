import { TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import type { LimitUnit } from '#contract/plans.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { typedAmount } from './giving.ts'
import styles from './gifts.module.css'

type AmountFieldProps = {
  unit: LimitUnit
  value: string
  error: string | null
  /** What stands beside it. */
  hint: string
  onChange(value: string): void
}

/** How much: asks one by one as well. */
export function AmountField({ unit, value, error, hint, onChange }: AmountFieldProps) {
  const t = useTranslate()
  const amount = typedAmount(value, unit) ?? 0
  const step = (by: number) => onChange(String(Math.max(1, amount + by)))
  return (
    <div className={styles.amount}>
      {unit === 'asks' && (
        <button type="button" aria-label={t('gifts.less')} disabled={amount <= 1} onClick={() => step(-1)}>
          −
        </button>
      )}
      <TextInput
        label={t(`gifts.amount.${unit}`)}
        inputMode={unit === 'money' ? 'decimal' : 'numeric'}
        autoComplete="off"
        className={styles.number}
        value={value}
        error={error}
        onChange={event => onChange(event.currentTarget.value)}
      />
      {unit === 'asks' && (
        <button type="button" aria-label={t('gifts.more')} onClick={() => step(1)}>
          +
        </button>
      )}
      <span>{hint}</span>
    </div>
  )
}
