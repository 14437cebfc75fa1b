import { createContext, useContext, useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { drawInSteps, drawWithinBudget } from './drawQueue.ts'
import edges from '../edges.module.css'
import type { Drawing } from './drawFormula.ts'
import styles from './mathematics.module.css'
import { idle } from '#web/foundation/idle.ts'

/** Whether the text grows, or grew on this page: then each step of drawing is a task of its own. */
export const GrowingText = createContext(false)

type Draw = typeof import('./drawFormula.ts').drawFormula

/** Ten kilobytes: beyond that a formula is a burden, not a formula. */
const LONGEST = 10_240

/** Milliseconds that a formula waits for its fonts. */
const FONTS_MS = 1_000

/** The same for one of chemistry, of which each letter can become an arrow. */
const LONGEST_OF_CHEMISTRY = 2_000
const CHEMISTRY = /\\(?:ce|pu)(?![A-Za-z])/

/** Cells of matrices and the like: each becomes dozens of elements. */
const MOST_CELLS = 600

let draw: Draw | null = null
let loading = false
/** Whether formulas of chemistry can be drawn; null while nobody has asked. */
let chemistry: boolean | null = null
const waiting = new Set<() => void>()

function load(): void {
  if (draw || loading) return
  loading = true
  import('./drawFormula.ts').then(
    async module => {
      await Promise.race([fontsLoaded(), longEnough()])
      await idle()
      draw = module.drawFormula
      for (const tell of [...waiting]) tell()
    },
    // Offline, or a new version was put in place: the source stays readable and the next formula asks again.
    () => {
      loading = false
    },
  )
}

function loadChemistry(): void {
  if (chemistry !== null) return
  chemistry = false
  import('./chemistry.ts').then(
    () => {
      chemistry = true
      for (const tell of [...waiting]) tell()
    },
    // As above.
    () => {
      chemistry = null
    },
  )
}

/**
 * Those that nearly every formula uses: drawn without them it would be laid out twice, the first time with whatever the machine has.
 * Where they cannot be fetched it is drawn all the same.
 */
function fontsLoaded(): Promise<unknown> {
  return Promise.allSettled(['1em KaTeX_Main', 'italic 1em KaTeX_Math'].map(font => document.fonts.load(font)))
}

const longEnough = () =>
  new Promise(resolve => {
    setTimeout(resolve, FONTS_MS)
  })

function subscribe(listener: () => void): () => void {
  waiting.add(listener)
  load()
  return () => {
    waiting.delete(listener)
  }
}
function subscribeWithChemistry(listener: () => void): () => void {
  loadChemistry()
  return subscribe(listener)
}
const drawn = () => draw
const drawnWithChemistry = () => (chemistry === true ? draw : null)
const neverChanges = () => () => {}

type MathematicsProps = { tex: string; display: boolean; pending?: boolean }

export function Mathematics({ tex, display, pending = false }: MathematicsProps) {
  const drawable = !pending && isBearable(tex)
  const isChemistry = CHEMISTRY.test(tex)
  const drawIt = useSyncExternalStore(
    drawable ? (isChemistry ? subscribeWithChemistry : subscribe) : neverChanges,
    isChemistry ? drawnWithChemistry : drawn,
    () => null,
  )
  const host = useRef<HTMLSpanElement>(null)
  const growing = useContext(GrowingText)
  const inTurns = useEffectEvent((steps: readonly (() => void)[]) =>
    growing
      ? drawInSteps(steps)
      : drawWithinBudget(() => {
          for (const step of steps) step()
        }),
  )
  const isDrawn = drawable && drawIt !== null
  useLayoutEffect(() => {
    const into = host.current
    if (!isDrawn || !into) return
    into.textContent = tex
    into.dataset.source = ''
    let drawing: Drawing | null = null
    return inTurns([
      () => {
        drawing = drawIt(tex, display)
      },
      () => {
        delete into.dataset.source
        into.replaceChildren(...(drawing?.nodes ?? []))
      },
      () => drawing?.addSpoken(),
    ])
  }, [isDrawn, drawIt, tex, display])
  const className = display ? `${edges.edges} ${styles.display}` : styles.inline
  if (isDrawn) return <span key="drawn" dir="ltr" ref={host} className={className} />
  return (
    <span key="source" dir="ltr" className={display ? styles.displaySource : styles.inlineSource}>
      {tex}
    </span>
  )
}

function isBearable(tex: string): boolean {
  return (
    tex !== '' &&
    tex.length <= (CHEMISTRY.test(tex) ? LONGEST_OF_CHEMISTRY : LONGEST) &&
    (tex.length < MOST_CELLS || (tex.match(/[&@]|\\\\/g)?.length ?? 0) <= MOST_CELLS)
  )
}
