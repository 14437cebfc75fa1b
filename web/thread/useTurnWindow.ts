import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { usePrinting } from '#web/foundation/printing.ts'
import type { Turn } from '#web/messages/turn.ts'
import { extendWindow, HAS_SCROLL_ANCHORING, type Reader } from './extendWindow.ts'
import {
  commonPrefix,
  type Edge,
  EVERYTHING,
  isSameWindow,
  nextWindow,
  NOTHING,
  type TurnWindow,
} from './turnWindow.ts'

/** Room for turns that are still missing: how many, and before which. */
type Gap = { before: string | undefined; count: number }

type RenderedTurns = { rendered: readonly Turn[]; gap: Gap | null; gapElement: RefObject<HTMLDivElement | null> }

/**
 * Windowing: renders the latest turns that fill the screen, and as many from the target on. The others are added a few at a time while
 * the browser is idle, nearest to the reader first and without moving what is being read.
 */
export function useTurnWindow(
  turns: readonly Turn[],
  scroller: RefObject<HTMLElement | null>,
  conversationKey: string,
  targets: readonly (string | null)[],
): RenderedTurns {
  const { window, setWindow } = useWindow(turns, conversationKey, targets)
  const gapElement = useRef<HTMLDivElement>(null)
  const reader = useRef<Reader>({ top: 0, isGoingUp: false, wentUpAt: -Infinity })
  const scrollBefore = useRef<{ height: number; top: number } | null>(null)

  useEffect(() => {
    const box = scroller.current
    if (box === null || isSameWindow(window, EVERYTHING)) return
    const show = (next: TurnWindow, edge: Edge) => {
      if (HAS_SCROLL_ANCHORING) return startTransition(() => setWindow(next))
      // Read only when needed, since both force a layout.
      if (edge !== 'gapStart') scrollBefore.current = { height: box.scrollHeight, top: box.scrollTop }
      flushSync(() => setWindow(next))
    }
    return extendWindow({ turns, window, box, gap: gapElement.current, reader: reader.current, show })
  }, [turns, window, setWindow, scroller])

  // Without scroll anchoring, what is being read is put back to where it was.
  useLayoutEffect(() => {
    const before = scrollBefore.current
    scrollBefore.current = null
    const box = scroller.current
    if (box !== null && before !== null) box.scrollTo(0, before.top + box.scrollHeight - before.height)
  }, [window, scroller])

  return { ...useMemo(() => renderedIn(turns, window), [turns, window]), gapElement }
}

/** The window of these turns: for others than before it is the next one at once, within the same rendering. */
function useWindow(turns: readonly Turn[], conversationKey: string, targets: readonly (string | null)[]) {
  const [state, setState] = useState({ conversationKey, turns: [] as readonly Turn[], window: NOTHING })
  const isPrinting = usePrinting()
  const known = state.conversationKey === conversationKey ? commonPrefix(state.turns, turns) : 0
  const before = known === 0 ? NOTHING : state.window
  const next = isPrinting ? EVERYTHING : nextWindow(before, { turns, known, height: innerHeight, targets })
  const window = isSameWindow(next, state.window) ? state.window : next
  const isNew = state.conversationKey !== conversationKey || known !== turns.length || known !== state.turns.length
  if (window !== state.window || isNew) setState({ conversationKey, turns, window })
  const setWindow = useCallback(
    (extended: TurnWindow) => setState({ conversationKey, turns, window: extended }),
    [conversationKey, turns],
  )
  return { window, setWindow }
}

function renderedIn(turns: readonly Turn[], { anchorRange, tail }: TurnWindow): Omit<RenderedTurns, 'gapElement'> {
  if (anchorRange === null) return { rendered: turns.slice(tail), gap: null }
  return {
    rendered: [...turns.slice(anchorRange.from, anchorRange.to), ...turns.slice(tail)],
    gap: { before: turns[tail]?.key, count: tail - anchorRange.to },
  }
}
