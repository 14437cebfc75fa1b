import { useState } from 'react'
import type { Share, ShareWindow } from '#contract/shares.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Note.tsx'
import { barPieces } from './bar.ts'
import { PieceChoice } from './PieceChoice.tsx'
import { ShareBar, usePieceText } from './ShareBar.tsx'
import styles from './shares.module.css'
import { useShareAmounts, useShareSentence, useShareWindowText } from './shareTexts.ts'
import { isBlocked } from './state.ts'

/** Every window of an account, the shortest first: its bar, and what it leaves in a sentence. */
export function ShareWindows({ share, name }: { share: Share; name: string }) {
  return share.windows.map((window, at) => <WindowRow key={at} share={share} window={window} name={name} />)
}

function WindowRow({ share: { currency }, window, name }: { share: Share; window: ShareWindow; name: string }) {
  const t = useTranslate()
  const windowText = useShareWindowText()
  const sentence = useShareSentence({ currency })(window)
  const { figure } = useShareAmounts(currency)
  const [chosen, setChosen] = useState<number | null>(null)
  const pieceText = usePieceText({ window, currency })
  const pieces = barPieces(window)
  const piece = chosen === null ? undefined : pieces[chosen]
  const { unit, used, capacity, reported } = window
  const barName = `${name} ${windowText(window)}`
  return (
    <section className={styles.window} data-testid="share-window">
      <div className={styles.windowHead}>
        <b>{windowText(window)}</b>
        <span className={styles.aside} data-tip={t(reported ? 'shares.reported' : 'shares.asSet')} aria-live="polite">
          {piece === undefined
            ? t('shares.used', { used: figure(unit, used), capacity: figure(unit, capacity) })
            : pieceText(piece)}
        </span>
      </div>
      <div className={styles.named}>
        <ShareBar name={barName} window={window} currency={currency} chosen={piece === undefined ? null : chosen} />
        <PieceChoice count={pieces.length} chosen={chosen} name={barName} onChoose={setChosen} />
      </div>
      {sentence !== null && (
        <p>
          <Emphasised parts={sentence} />
        </p>
      )}
      <WhatComes window={window} currency={currency} />
    </section>
  )
}

/** When what comes back: of my own, or of everything. A sentence that already has the moment is not repeated. */
function WhatComes({ window, currency }: { window: ShareWindow; currency: string }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const { short } = useShareAmounts(currency)
  const { unit, mine, ends_at, reported } = window
  const said = [
    ...(mine?.next_own_at && mine.next_own !== null
      ? [t('shares.next', { time: momentText(mine.next_own_at), amount: short(unit, mine.next_own) })]
      : []),
    ...(ends_at !== null && !(isBlocked(window) && mine?.next_own_at)
      ? [t('shares.ends', { time: momentText(ends_at) })]
      : []),
    ...(reported ? [t('shares.reported')] : []),
  ]
  return said.length > 0 && <p className={styles.hint}>{said.join(t('kit.comma'))}</p>
}
