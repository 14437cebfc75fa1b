import { useEffect, useRef, useState } from 'react'
import styles from './TooltipHost.module.css'

/** Milliseconds under the pointer; with the keyboard there is no delay. */
const DELAY_MS = 400
const GAP = 6
const EDGE = 8

type Tip = { text: string; anchor: DOMRect }

/**
 * Shows the `data-tip` of the element under the pointer or with the focus. One for the page, since one shows at a time.
 */
export function TooltipHost() {
  const [tip, setTip] = useState<Tip | null>(null)
  useEffect(() => followTips(setTip), [])
  return tip === null ? null : <Tooltip key={tip.text} tip={tip} />
}

function Tooltip({ tip }: { tip: Tip }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (box.current !== null) positionBox(box.current, tip.anchor)
  }, [tip])
  // Hidden from screen readers, because the anchor's name is the same text.
  return (
    <div ref={box} className={styles.tip} aria-hidden="true">
      {tip.text}
    </div>
  )
}

/** Below the anchor and centred, as far as the window allows. */
function positionBox(box: HTMLElement, anchor: DOMRect): void {
  const { width, height } = box.getBoundingClientRect()
  const left = anchor.left + anchor.width / 2 - width / 2
  const below = anchor.bottom + GAP + height < window.innerHeight
  box.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - width - EDGE))}px`
  box.style.top = `${below ? anchor.bottom + GAP : anchor.top - GAP - height}px`
  box.style.visibility = 'visible'
}

function followTips(show: (tip: Tip | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = () => {
    clearTimeout(timer)
    show(null)
  }
  const wait = (target: EventTarget | null, delay: number) => {
    hide()
    const anchor = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null
    if (anchor === null) return
    timer = setTimeout(() => {
      if (anchor.isConnected) show({ text: anchor.dataset.tip ?? '', anchor: anchor.getBoundingClientRect() })
    }, delay)
  }
  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener(
    'pointerover',
    event => {
      if (event.pointerType !== 'touch') wait(event.target, DELAY_MS)
    },
    { signal },
  )
  document.addEventListener(
    'focusin',
    event => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) wait(event.target, 0)
    },
    { signal },
  )
  for (const name of ['focusout', 'pointerdown', 'keydown', 'wheel'])
    document.addEventListener(name, hide, { signal, passive: true })
  return () => {
    listening.abort()
    clearTimeout(timer)
  }
}
