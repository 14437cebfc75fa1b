import { useEffect, useRef, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import type { CitedSource } from './citations.ts'
import styles from './citations.module.css'

const CitationCard = lazyComponent(() => import('./CitationCard.tsx').then(module => module.CitationCard))

/** Milliseconds the pointer rests before the card comes, and is away before it goes. */
const REST_MS = 200

/** The number of a source in the text. Its card opens on hover, or when it is pressed, and then it takes the focus. */
export function CitationChip({ source }: { source: CitedSource }) {
  const t = useTranslate()
  const chip = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<'no' | 'seen' | 'entered'>('no')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const later = (next: 'no' | 'seen') => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(now => (now === 'entered' ? now : next)), REST_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const close = (back: boolean) => {
    clearTimeout(timer.current)
    setOpen('no')
    if (back) chip.current?.focus()
  }
  return (
    <>
      <button
        type="button"
        ref={chip}
        className={styles.chip}
        aria-label={t('message.sourceNumber', { number: source.number, title: source.title })}
        aria-haspopup="dialog"
        aria-expanded={open !== 'no'}
        data-testid="citation"
        onPointerEnter={event => {
          if (event.pointerType !== 'touch') {
            CitationCard.preload().catch(() => null)
            later('seen')
          }
        }}
        onPointerLeave={event => {
          if (event.pointerType !== 'touch') later('no')
        }}
        onClick={() => (open === 'entered' ? close(false) : setOpen('entered'))}
      >
        {source.number}
      </button>
      {open !== 'no' && (
        <CitationCard
          source={source}
          chip={chip}
          entered={open === 'entered'}
          onClose={close}
          onStay={stay => (stay ? clearTimeout(timer.current) : later('no'))}
          needed={open === 'entered'}
          onLoadError={() => close(false)}
        />
      )}
    </>
  )
}
