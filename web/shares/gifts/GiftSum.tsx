import type { ShareReceiver } from '#contract/shareLedger.ts'
import type { ShareWindow } from '#contract/shares.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { PieceBar } from '../ShareBar.tsx'
import { useShareAmounts } from '../shareTexts.ts'
import { giftPieces, mineLeft } from './giving.ts'
import styles from './gifts.module.css'

type GiftSumProps = { window: ShareWindow; currency: string; receiver: ShareReceiver; amount: number }

/** My share once so much of it is given: what I used, what I keep, what is theirs; and what both have then. */
export function GiftSum({ window, currency, receiver: { name, left }, amount }: GiftSumProps) {
  const t = useTranslate()
  const { full } = useShareAmounts(currency)
  const { unit } = window
  const values = { name, mine: full(unit, mineLeft(window) - amount), amount: full(unit, amount) }
  return (
    <div className={styles.sum}>
      <PieceBar pieces={giftPieces(window, amount)} />
      <p role="status">
        {left === null ? t('gifts.sumNew', values) : t('gifts.sum', { ...values, theirs: full(unit, left + amount) })}
      </p>
    </div>
  )
}
