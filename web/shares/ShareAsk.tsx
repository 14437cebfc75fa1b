import type { ReactNode } from 'react'
import type { Source } from '#contract/models.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { ownLeft } from './bar.ts'
import { lenderOf, nextAsk, refusingWindow } from './nextAsk.ts'
import { useShares } from './queries.ts'
import styles from './shares.module.css'
import { useShareAmounts } from './shareTexts.ts'
import { isEmpty } from './state.ts'

type ShareAskProps = { source: Source; model: string }

function useNextAsk(asked: ShareAskProps) {
  return nextAsk(useShares() ?? [], asked)
}

type ShareLineProps = ShareAskProps & { onOpen(): void }

/** Above the composer, before the first ask of a window that is borrowed: of whom. Nothing is to be confirmed. */
export function ShareLine({ onOpen, ...asked }: ShareLineProps) {
  const t = useTranslate()
  const next = useNextAsk(asked)
  const { short } = useShareAmounts(next?.share.currency ?? '')
  const mine = next?.window.mine ?? null
  if (next === null || mine === null || !next.isBorrowed || mine.borrowed > 0) return null
  const borrow = short(next.window.unit, mine.may_borrow)
  const name = lenderOf(next.window)?.name ?? null
  return (
    <p className={styles.line} role="status" data-testid="share-line">
      <i className={styles.borrowed} aria-hidden="true" />
      <span>{name === null ? t('shares.line.others', { borrow }) : t('shares.line.from', { name, borrow })}</span>
      <button type="button" onClick={onOpen}>
        {t('shares.line.see')}
      </button>
    </p>
  )
}

/** Beside the send button: that the ask is borrowed, or what is left of one's own where nothing else says so. */
export function ShareCost({ alone, ...asked }: ShareAskProps & { alone: boolean }) {
  const t = useTranslate()
  const next = useNextAsk(asked)
  const { short } = useShareAmounts(next?.share.currency ?? '')
  if (next === null) return null
  const { unit, mine } = next.window
  if (!next.isBorrowed) return alone && <span>{t('shares.cost.left', { left: short(unit, ownLeft(mine)) })}</span>
  // What an ask costs in tokens or money is known when it has been answered.
  return (
    <span data-testid="share-cost">
      {unit === 'asks' ? t('shares.cost.borrow', { amount: short(unit, 1) }) : t('shares.state.borrowing')}
    </span>
  )
}

type ShareRefusalProps = {
  source: Source
  model: string
  /** When it may be asked again. */
  opens_at: string | null
  /** The same without one's part, until that is known. */
  general: ReactNode
  /** Of the second line. */
  className: string | undefined
}

/** Why nothing can be asked of a shared account: mine is used up; when the next comes, and what is kept for others. */
export function ShareRefusal({ source, model, opens_at, general, className }: ShareRefusalProps) {
  const t = useTranslate()
  const momentText = useMomentText()
  const refusing = refusingWindow(useShares() ?? [], source, model)
  const { full, short } = useShareAmounts(refusing?.share.currency ?? '')
  const window = refusing?.window
  if (window?.mine == null) return general
  const { unit, capacity, used, mine } = window
  const isFull = isEmpty(window)
  const moment = opens_at ?? mine.next_own_at
  return (
    <>
      <p>
        {isFull
          ? t('shares.refusedEmpty', { capacity: full(unit, capacity) })
          : t('shares.refused', { share: full(unit, mine.share) })}
      </p>
      {moment !== null && (
        <p className={className}>
          {isFull
            ? t('shares.refused.next', { time: momentText(moment) })
            : t('shares.refused.nextKept', { time: momentText(moment), kept: short(unit, capacity - used) })}
        </p>
      )}
    </>
  )
}
