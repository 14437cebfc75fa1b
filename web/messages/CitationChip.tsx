import { useEffect, useRef, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import styles from './citations.module.css'
import type { CitedSource } from './citations.ts'

const CitationCard = lazyComponent(() => import('./CitationCard.tsx').then(module => module.CitationCard))

/** Milliseconds that the pointer rests on the chip before the card opens, and is away before it closes. */
const REST_MS = 200

/** The number of a source in the text. Its card opens on hover; when the chip is pressed, the card also takes the focus. */
export function CitationChip({ source }: { source: CitedSource }) {
  const t = useTranslate()
  const chip = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<'closed' | 'hovered' | 'entered'>('closed')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const later = (next: 'closed' | 'hovered') => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(now => (now === 'entered' ? now : next)), REST_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const close = (focusChip: boolean) => {
    clearTimeout(timer.current)
    setOpen('closed')
    if (focusChip) chip.current?.focus()
  }
  return (
    <>
      <button
        type="button"
        ref={chip}
        className={styles.chip}
        aria-label={t('message.sourceNumber', { number: source.number, title: source.title })}
        aria-haspopup="dialog"
        aria-expanded={open !== 'closed'}
        data-testid="citation"
        data-source={source.url ?? ''}
        onPointerEnter={event => {
          if (event.pointerType !== 'touch') {
            CitationCard.preload().catch(() => null)
            later('hovered')
          }
        }}
        onPointerLeave={event => {
          if (event.pointerType !== 'touch') later('closed')
        }}
        onClick={() => (open === 'entered' ? close(false) : setOpen('entered'))}
      >
        {source.number}
      </button>
      {open !== 'closed' && (
        <CitationCard
          source={source}
          chip={chip}
          entered={open === 'entered'}
          onClose={close}
          onHover={isHovered => (isHovered ? clearTimeout(timer.current) : later('closed'))}
          needed={open === 'entered'}
          onLoadError={() => close(false)}
        />
      )}
    </>
  )
}
