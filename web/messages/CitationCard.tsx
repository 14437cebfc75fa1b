import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconFile, IconWorld } from '#web/kit/icons.ts'
import styles from './citations.module.css'
import type { CitedSource } from './citations.ts'

/** Pixels between the chip and its card, and from the card to the edge of the window. */
const GAP = 6
const EDGE = 12

type CitationCardProps = {
  source: CitedSource
  chip: RefObject<HTMLElement | null>
  /** It was opened by a press, and so takes the focus. */
  entered: boolean
  onClose(focusChip: boolean): void
  onHover(isHovered: boolean): void
}

/** The host, title and excerpt of a source. */
export function CitationCard({ source, chip, entered, onClose, onHover }: CitationCardProps) {
  const t = useTranslate()
  const card = useRef<HTMLDivElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    if (card.current !== null && chip.current !== null) positionCard(card.current, chip.current.getBoundingClientRect())
  }, [chip])
  useEffect(() => {
    if (entered) (link.current ?? card.current)?.focus()
  }, [entered])
  useEffect(() => closeOnLeaving(card, chip, onClose), [chip, onClose])
  return createPortal(
    <div
      ref={card}
      className={styles.card}
      role="dialog"
      tabIndex={-1}
      aria-label={t('message.sourceNumber', { number: source.number, title: source.title })}
      data-testid="citation-card"
      onPointerEnter={() => onHover(true)}
      onPointerLeave={() => onHover(false)}
    >
      <div className={styles.domain}>
        {source.url === null ? (
          <IconFile size={14} stroke={1.6} aria-hidden />
        ) : (
          <IconWorld size={14} stroke={1.6} aria-hidden />
        )}
        {source.domain ?? t('message.citedFile')}
      </div>
      {source.url === null ? (
        <b dir="auto" className={styles.cardTitle}>
          {source.title}
        </b>
      ) : (
        <a
          ref={link}
          dir="auto"
          className={styles.cardTitle}
          href={source.url}
          target="_blank"
          rel="noopener noreferrer"
          referrerPolicy="no-referrer"
        >
          {source.title}
        </a>
      )}
      {source.quote !== null && (
        <p dir="auto" className={styles.cardQuote}>
          {source.quote}
        </p>
      )}
    </div>,
    document.body,
  )
}

/**
 * Closes the card on Escape, which returns the focus to the chip, on a press or focus outside, and when the page
 * scrolls.
 */
function closeOnLeaving(
  card: RefObject<HTMLElement | null>,
  chip: RefObject<HTMLElement | null>,
  onClose: (focusChip: boolean) => void,
): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const isOurs = (target: EventTarget | null) =>
    target instanceof Node && (card.current?.contains(target) === true || chip.current?.contains(target) === true)
  document.addEventListener(
    'keydown',
    event => {
      const inside = card.current?.contains(document.activeElement) === true
      // The card is at the end of the document, but Tab continues from the chip.
      if (event.key === 'Tab' && inside) onClose(true)
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onClose(inside)
    },
    { signal, capture: true },
  )
  for (const name of ['pointerdown', 'focusin', 'scroll']) {
    document.addEventListener(
      name,
      event => {
        if (!isOurs(event.target)) onClose(false)
      },
      { signal, capture: true, passive: true },
    )
  }
  return () => listening.abort()
}

function positionCard(card: HTMLElement, anchor: DOMRect): void {
  const { width, height } = card.getBoundingClientRect()
  const left = Math.max(EDGE, Math.min(anchor.left + anchor.width / 2 - width / 2, window.innerWidth - width - EDGE))
  const below = anchor.bottom + GAP + height < window.innerHeight - EDGE
  card.style.left = `${left}px`
  card.style.top = `${below ? anchor.bottom + GAP : Math.max(EDGE, anchor.top - GAP - height)}px`
  card.style.visibility = 'visible'
}
