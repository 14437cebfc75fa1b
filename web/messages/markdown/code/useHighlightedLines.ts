import { useEffect, useRef, useState } from 'react'
import { growingLines, type Line, lineHighlighter, type LineHighlighter } from './highlightedLines.ts'
import { after, whenIdle } from '#web/foundation/idle.ts'

/** Of all time, what colouring an open block may take: highlighting is an ornament, arriving text is not. */
const SHARE = 0.08

/** The lines of a code block, coloured as far as that has got. */
export function useHighlightedLines(code: string, language: string | null, open: boolean): readonly Line[] {
  const coloured = useColoured(code, language, open)
  const [lines] = useState(growingLines)
  return lines(code, coloured)
}

function useColoured(code: string, language: string | null, open: boolean): readonly Line[] {
  const [coloured, setColoured] = useState<readonly Line[]>([])
  const latest = useRef(code)
  const wake = useRef<(() => void) | null>(null)
  useEffect(() => {
    latest.current = code
    wake.current?.()
  }, [code])
  // Once complete it is coloured anew from the start, so that how the text came leaves no trace.
  useEffect(() => {
    if (!language) return
    const painting = paintWhile(language, open, () => latest.current, setColoured)
    wake.current = painting.wake
    return painting.stop
  }, [language, open])
  return coloured
}

function paintWhile(language: string, open: boolean, code: () => string, show: (lines: readonly Line[]) => void) {
  let painter: LineHighlighter | null = null
  let cancel: (() => void) | null = null
  let notBefore = 0
  let stopped = false
  const paint = () => {
    cancel = null
    const started = performance.now()
    const text = code()
    const more = painter?.paint(text, open ? text.lastIndexOf('\n') + 1 : text.length) ?? false
    const ended = performance.now()
    notBefore = open ? ended + (ended - started) / SHARE : 0
    if (painter && (open || !more)) show(painter.lines)
    if (more) wake()
  }
  const wake = () => {
    if (stopped || !painter || cancel) return
    const wait = notBefore - performance.now()
    cancel = wait > 0 ? after(wait, paint) : whenIdle(paint)
  }
  void import('./highlight.ts')
    .then(async ({ highlight, languageNamed, prepare }) => {
      const known = languageNamed(language)
      if (known === null) return
      await prepare(known)
      painter = lineHighlighter(piece => highlight(piece, known))
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
