import { createContext, useContext, useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { idle, whenIdle } from '#web/foundation/idle.ts'
import edges from './edges.module.css'
import type { Drawing } from '../math/drawFormula.ts'
import styles from './mathematics.module.css'

/** Whether the text grows, or grew on this page: then each step of drawing is a task of its own. */
export const GrowingText = createContext(false)

/** Characters of a formula; more would block the page. */
const MAX_FORMULA = 10_240

/** Of a chemical one: each letter can become an arrow. */
const MAX_OF_CHEMISTRY = 2_000
const CHEMISTRY = /\\(?:ce|pu)(?![A-Za-z])|\\ch\{[A-Z\d^(]/

/** Cells of matrices and the like: each becomes dozens of elements. */
const MAX_CELLS = 600

type Draw = typeof import('../math/drawFormula.ts').drawFormula

let draw: Draw | null = null
let hasChemistry = false
const listeners = new Set<() => void>()

export const loadMathematics = loadOnce(async () => {
  const { drawFormula } = await import('../math/drawFormula.ts')
  await loadFonts()
  await idle()
  draw = drawFormula
})

const loadChemistry = loadOnce(async () => {
  await import('katex/contrib/mhchem')
  hasChemistry = true
})

/** Offline, or after an update of the portal, loading fails: formulas stay source, and the next one tries again. */
function loadOnce(load: () => Promise<void>): () => Promise<void> {
  let loading: Promise<void> | null = null
  return () =>
    (loading ??= load().then(
      () => {
        for (const notify of [...listeners]) notify()
      },
      () => {
        loading = null
      },
    ))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  void loadMathematics()
  return () => {
    listeners.delete(listener)
  }
}
function subscribeWithChemistry(listener: () => void): () => void {
  void loadChemistry()
  return subscribe(listener)
}
const neverChanges = () => () => {}

type MathematicsProps = { tex: string; display: boolean; pending?: boolean }

/** A formula; its source as long as it is incomplete or the library is not loaded. */
export function Mathematics({ tex, display, pending = false }: MathematicsProps) {
  const drawable = !pending && isWithinLimits(tex)
  const isChemistry = CHEMISTRY.test(tex)
  const drawIt = useSyncExternalStore(
    drawable ? (isChemistry ? subscribeWithChemistry : subscribe) : neverChanges,
    () => (isChemistry && !hasChemistry ? null : draw),
    () => null,
  )
  const host = useRef<HTMLSpanElement>(null)
  const growing = useContext(GrowingText)
  const run = useEffectEvent((steps: readonly (() => void)[]) =>
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
    return run([
      () => {
        drawing = drawIt(tex, display)
      },
      () => {
        if (drawing?.asWritten) into.dataset.source = 'final'
        else delete into.dataset.source
        into.replaceChildren(...(drawing?.nodes ?? []))
      },
      () => drawing?.addSpoken(),
    ])
  }, [isDrawn, drawIt, tex, display])
  const className = display ? `${edges.edges} ${styles.display}` : styles.inline
  // For whoever copies it (web/messages/copiedSelection.ts).
  const source = { translate: 'no' as const, 'data-tex': tex, 'data-display': display ? '' : undefined }
  if (isDrawn) return <span key="drawn" dir="ltr" ref={host} className={className} {...source} />
  return (
    <span key="source" dir="ltr" {...source} className={display ? styles.displaySource : styles.inlineSource}>
      {tex}
    </span>
  )
}

function isWithinLimits(tex: string): boolean {
  return (
    tex !== '' &&
    tex.length <= (CHEMISTRY.test(tex) ? MAX_OF_CHEMISTRY : MAX_FORMULA) &&
    (tex.length < MAX_CELLS || (tex.match(/[&@]|\\\\/g)?.length ?? 0) <= MAX_CELLS)
  )
}

/** Milliseconds that a formula waits for its fonts. */
const MAX_MS = 1_000

/**
 * The fonts of nearly every formula: without them it would be laid out twice. One that cannot be fetched, or is late,
 * is done without.
 */
export async function loadFonts(): Promise<void> {
  const loads = ['1em KaTeX_Main', 'italic 1em KaTeX_Math'].map(font => document.fonts.load(font))
  await Promise.race([Promise.allSettled(loads), new Promise(resolve => setTimeout(resolve, MAX_MS))])
}

/** Milliseconds of drawing in one task: a page full of formulas takes several and stays responsive. */
const BUDGET = 4

/** Milliseconds after which a waiting drawing is made even if the browser is not idle. */
const WITHIN = 200

const waiting = new Set<() => void>()
let spent = 0
let scheduled = false

/**
 * Runs each step in an idle task of its own: a large formula takes as long to lay out as to make. Returns a function
 * that cancels the rest.
 */
function drawInSteps([step, ...further]: readonly (() => void)[]): () => void {
  if (step === undefined) return () => {}
  let cancel = whenIdle(() => {
    step()
    cancel = drawInSteps(further)
  }, WITHIN)
  return () => cancel()
}

/** Draws at once while there is budget, otherwise in a later idle task. Returns a function that cancels it. */
function drawWithinBudget(draw: () => void): () => void {
  if (waiting.size === 0 && spent < BUDGET) measured(draw)
  else waiting.add(draw)
  schedule()
  return () => {
    waiting.delete(draw)
  }
}

function measured(draw: () => void): void {
  const started = performance.now()
  draw()
  spent += performance.now() - started
}

function schedule(): void {
  if (scheduled) return
  scheduled = true
  whenIdle(() => {
    scheduled = false
    spent = 0
    for (const draw of waiting) {
      if (spent >= BUDGET) break
      waiting.delete(draw)
      measured(draw)
    }
    if (waiting.size > 0) schedule()
  }, WITHIN)
}
