import type { KeyboardEvent, PointerEvent } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './shares.module.css'

type PieceChoiceProps = {
  /** How many pieces the bar before it has. */
  count: number
  chosen: number | null
  /** Of the bar and its window. */
  name: string
  onChoose(piece: number | null): void
}

/**
 * Lies over a bar, so that its pieces, which may be two pixels wide, are named under the pointer, at a tap, and by the
 * arrow keys.
 */
export function PieceChoice({ count, chosen, name, onChoose }: PieceChoiceProps) {
  const t = useTranslate()
  const choose = (event: PointerEvent<HTMLButtonElement>) => onChoose(pieceAt(event.currentTarget, event.clientX))
  return (
    <button
      type="button"
      className={styles.pieces}
      aria-label={t('shares.pieces', { name })}
      data-testid="share-pieces"
      onPointerDown={choose}
      onPointerMove={event => {
        if (event.pointerType === 'mouse') choose(event)
      }}
      onPointerLeave={event => {
        if (event.pointerType === 'mouse') onChoose(null)
      }}
      onFocus={() => onChoose(chosen ?? 0)}
      onBlur={() => onChoose(null)}
      onKeyDown={event => {
        const next = afterKey(event, chosen, count)
        if (next === null) return
        event.preventDefault()
        onChoose(next)
      }}
    />
  )
}

function afterKey({ key }: KeyboardEvent, chosen: number | null, count: number): number | null {
  const at = chosen ?? -1
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(count - 1, at + 1)
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(0, at - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/** The piece under a point of the bar, or next to it. */
function pieceAt(button: HTMLElement, x: number): number | null {
  const pieces = button.previousElementSibling?.querySelectorAll('i') ?? []
  const distances = [...pieces].map(piece => {
    const { left, right } = piece.getBoundingClientRect()
    return Math.max(left - x, x - right, 0)
  })
  const at = distances.indexOf(Math.min(...distances))
  return at < 0 ? null : at
}
