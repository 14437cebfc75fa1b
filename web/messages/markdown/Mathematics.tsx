import { useContext, useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { inOwnTurns, inTurn } from './drawingTurns.ts'
import edges from './edges.module.css'
import type { Drawing } from './drawMathematics.ts'
import styles from './mathematics.module.css'
import { Growing } from './settings.ts'
import { idle } from './turns.ts'

type Draw = typeof import('./drawMathematics.ts').drawMathematics

/** Ten kilobytes: beyond that a formula is a burden, not a formula. */
const LONGEST = 10_240

/** Milliseconds that a formula waits for its fonts. */
const FONTS_MS = 1_000

/** Cells of matrices and the like: each becomes dozens of elements. */
const MOST_CELLS = 600

let draw: Draw | null = null
let loading = false
const waiting = new Set<() => void>()

function load(): void {
  if (draw || loading) return
  loading = true
  import('./drawMathematics.ts').then(
    async module => {
      await Promise.race([fontsLoaded(), longEnough()])
      await idle()
      draw = module.drawMathematics
      for (const tell of [...waiting]) tell()
    },
    // Offline, or a new version was put in place: the source stays readable and the next formula asks again.
    () => { loading = false },
  )
}

/**
 * Those that nearly every formula uses: drawn without them it would be laid out twice, the first time with whatever the machine has.
 * Where they cannot be fetched it is drawn all the same.
 */
function fontsLoaded(): Promise<unknown> {
  return Promise.allSettled(['1em KaTeX_Main', 'italic 1em KaTeX_Math'].map(font => document.fonts.load(font)))
}

const longEnough = () => new Promise(resolve => { setTimeout(resolve, FONTS_MS) })

function subscribe(listener: () => void): () => void {
  waiting.add(listener)
  load()
  return () => { waiting.delete(listener) }
}
const neverChanges = () => () => {}

type MathematicsProps = { tex: string; display: boolean; pending?: boolean }

export function Mathematics({ tex, display, pending = false }: MathematicsProps) {
  const drawable = !pending && isBearable(tex)
  const drawIt = useSyncExternalStore(drawable ? subscribe : neverChanges, () => draw, () => null)
  const host = useRef<HTMLSpanElement>(null)
  const growing = useContext(Growing)
  const inTurns = useEffectEvent((steps: readonly (() => void)[]) =>
    (growing ? inOwnTurns(steps) : inTurn(() => { for (const step of steps) step() })))
  const drawn = drawable && drawIt !== null
  useLayoutEffect(() => {
    const into = host.current
    if (!drawn || !into) return
    into.textContent = tex
    into.dataset.source = ''
    let drawing: Drawing | null = null
    return inTurns([
      () => { drawing = drawIt(tex, display) },
      () => {
        delete into.dataset.source
        into.replaceChildren(...drawing?.nodes ?? [])
      },
      () => drawing?.addSpoken(),
    ])
  }, [drawn, drawIt, tex, display])
  const className = display ? `${edges.edges} ${styles.display}` : styles.inline
  if (drawn) return <span key="drawn" dir="ltr" ref={host} className={className} />
  return <span key="source" dir="ltr" className={display ? styles.displaySource : styles.inlineSource}>{tex}</span>
}

function isBearable(tex: string): boolean {
  return tex !== '' && tex.length <= LONGEST && (tex.length < MOST_CELLS || (tex.match(/[&@]|\\\\/g)?.length ?? 0) <= MOST_CELLS)
}
