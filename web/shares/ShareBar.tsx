import type { ShareWindow } from '#contract/shares.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { barPieces, type Piece, type PieceKind } from './bar.ts'
import styles from './shares.module.css'
import { useShareAmounts, useShareSentence, useShareWindowText } from './shareTexts.ts'

const TEST_IDS: Partial<Record<PieceKind, string>> = { mine: 'share-own', borrowed: 'share-borrowed' }

type ShareBarProps = {
  /** Of the account. */
  name: string
  window: ShareWindow
  currency: string
  /** The piece that is named beside it. */
  chosen?: number | null
}

/** One bar: mine, borrowed by me, others', mine left, kept for others, free. It never turns amber or red. */
export function ShareBar({ name, window, currency, chosen = null }: ShareBarProps) {
  const text = useBarText({ window, currency })
  const { used, capacity } = window
  return (
    <div
      className={styles.meter}
      role="meter"
      data-testid="share-bar"
      aria-label={name}
      aria-valuenow={used}
      aria-valuemin={0}
      aria-valuemax={Math.max(capacity, used)}
      aria-valuetext={text}
    >
      <BarPieces window={window} currency={currency} chosen={chosen} />
    </div>
  )
}

/** Without its role, where something else says the same. */
export function BarPieces({ window, currency, chosen = null }: Omit<ShareBarProps, 'name'>) {
  const pieceText = usePieceText({ window, currency })
  return <PieceBar pieces={barPieces(window)} chosen={chosen} tipOf={pieceText} />
}

type PieceBarProps = { pieces: readonly Piece[]; chosen?: number | null; tipOf?(piece: Piece): string }

/** Pieces whose lengths are amounts. What they say stands beside them in words. */
export function PieceBar({ pieces, chosen = null, tipOf }: PieceBarProps) {
  return (
    <span className={styles.bar} aria-hidden="true">
      {pieces.map((piece, at) => (
        <i
          key={at}
          className={styles[piece.kind]}
          style={{ flexGrow: piece.amount }}
          data-testid={TEST_IDS[piece.kind]}
          data-amount={piece.amount}
          data-dim={(chosen !== null && chosen !== at) || undefined}
          data-tip={tipOf?.(piece)}
        />
      ))}
    </span>
  )
}

/** "何小满 5 次": whose, and how much. */
export function usePieceText({ window: { unit }, currency }: Omit<ShareBarProps, 'name'>): (piece: Piece) => string {
  const t = useTranslate()
  const amounts = useShareAmounts(currency)
  return ({ kind, amount, name }) =>
    t('shares.piece', { what: name ?? t(`shares.piece.${kind}`), amount: amounts.full(unit, amount) })
}

/** What the bar says, in words: "5小时内共用 35 / 50，你的 8 次里还有 2 次；另有 4 次可以借". */
function useBarText({ window, currency }: Omit<ShareBarProps, 'name'>): string {
  const t = useTranslate()
  const windowText = useShareWindowText()
  const { figure } = useShareAmounts(currency)
  const sentence = useShareSentence({ currency })(window)?.join('')
  const { unit, used, capacity } = window
  const all = t('shares.bar', {
    window: windowText(window),
    used: figure(unit, used),
    capacity: figure(unit, capacity),
  })
  return sentence === undefined ? all : `${all}${t('kit.comma')}${sentence}`
}
