import { useEffect, useRef, useState } from 'react'
import { after, whenIdle } from '#web/foundation/idle.ts'
import { growingLines, type Line, lineHighlighter, type LineHighlighter } from './highlightedLines.ts'

/** The share of time that highlighting an open block may take: arriving text comes first. */
const SHARE = 0.08

export const loadHighlighter = () => import('./highlight.ts')

/** The lines of a code block, highlighted as far as they have been. */
export function useHighlightedLines(code: string, language: string | null, open: boolean): readonly Line[] {
  const highlighted = useHighlighted(code, language, open)
  const [lines] = useState(growingLines)
  return lines(code, highlighted)
}

function useHighlighted(code: string, language: string | null, open: boolean): readonly Line[] {
  const [highlighted, setHighlighted] = useState<readonly Line[]>([])
  const latest = useRef(code)
  const wake = useRef<(() => void) | null>(null)
  useEffect(() => {
    latest.current = code
    wake.current?.()
  }, [code])
  // When the block is complete it is highlighted from the start, so that the result does not depend on the pieces it
  // came in.
  useEffect(() => {
    if (!language) return
    const running = highlightWhile(language, open, () => latest.current, setHighlighted)
    wake.current = running.wake
    return running.stop
  }, [language, open])
  return highlighted
}

function highlightWhile(language: string, open: boolean, code: () => string, show: (lines: readonly Line[]) => void) {
  let highlighter: LineHighlighter | null = null
  let cancel: (() => void) | null = null
  let notBefore = 0
  let stopped = false
  const step = () => {
    cancel = null
    const started = performance.now()
    const text = code()
    const more = highlighter?.step(text, open ? text.lastIndexOf('\n') + 1 : text.length) ?? false
    const ended = performance.now()
    notBefore = open ? ended + (ended - started) / SHARE : 0
    if (highlighter && (open || !more)) show(highlighter.lines)
    if (more) wake()
  }
  const wake = () => {
    if (stopped || !highlighter || cancel) return
    const wait = notBefore - performance.now()
    cancel = wait > 0 ? after(wait, step) : whenIdle(step)
  }
  void loadHighlighter()
    .then(async ({ highlight, languageNamed, prepare }) => {
      const known = languageNamed(language)
      if (known === null) return
      await prepare(known)
      highlighter = lineHighlighter(piece => highlight(piece, known))
      wake()
    })
    .catch(() => {
      /* Offline: the code stays plain. */
    })
  return {
    wake,
    stop: () => {
      stopped = true
      cancel?.()
    },
  }
}
