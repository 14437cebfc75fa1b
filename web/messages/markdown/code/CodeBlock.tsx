import { createContext, memo, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { IconCheck, IconCopy, IconTextWrap } from '#web/kit/icons.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import styles from './code.module.css'
import { useCopied } from '#web/kit/useCopied.ts'
import { after, whenIdle } from '#web/foundation/idle.ts'
import { growingLines, type Line, lineHighlighter, type LineHighlighter } from './highlightedLines.ts'

/** The reader's preference for long lines; each block can be switched on its own. */
export const WrapCode = createContext(false)

type CodeBlockProps = {
  code: string
  language: string | null
  /** Shown after the code until its closing line has come. */
  caret: ReactNode
}

export function CodeBlock({ code, language, caret }: CodeBlockProps) {
  const t = useTranslate()
  const preferred = useContext(WrapCode)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const wrap = chosen ?? preferred
  return (
    <div className={styles.block} dir="ltr" translate="no">
      <div className={styles.head} data-not-copied>
        <span className={styles.language}>{language}</span>
        <SmallIconButton
          className={styles.button}
          aria-pressed={wrap}
          label={t('message.wrapLines')}
          onClick={() => setChosen(!wrap)}
        >
          <IconTextWrap size={16} stroke={1.6} aria-hidden />
        </SmallIconButton>
        <CopyButton code={code} />
      </div>
      <pre className={wrap ? styles.wrapped : styles.plain} tabIndex={0} role="group" aria-label={t('message.code')}>
        <HighlightedCode code={code} language={language} caret={caret} />
      </pre>
    </div>
  )
}

function CopyButton({ code }: { code: string }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  const label = t(copied ? 'message.codeCopied' : 'message.copyCode')
  return (
    <SmallIconButton className={styles.button} label={label} onClick={() => void copy(code)}>
      <Icon size={16} stroke={1.6} aria-hidden />
    </SmallIconButton>
  )
}

/** Lines in one box: while code arrives, only the last box is laid out again. */
const LINES_PER_BOX = 40

type HighlightedCodeProps = { code: string; language: string | null; caret: ReactNode }

/** The lines alone, plain until they are highlighted. */
export function HighlightedCode({ code, language, caret }: HighlightedCodeProps) {
  const lines = useHighlightedLines(code, language, Boolean(caret))
  const boxes: (readonly Line[])[] = []
  for (let start = 0; start < lines.length; start += LINES_PER_BOX)
    boxes.push(lines.slice(start, start + LINES_PER_BOX))
  return (
    <code>
      {boxes.map((box, at) => (
        <Box key={at} lines={box} last={at === boxes.length - 1} caret={at === boxes.length - 1 && caret} />
      ))}
    </code>
  )
}

type BoxProps = { lines: readonly Line[]; last: boolean; caret: ReactNode }

const Box = memo(
  function Box({ lines, last, caret }: BoxProps) {
    return (
      <span className={styles.box}>
        {lines.map((line, at) => (
          <LineView key={at} line={line} last={last && at === lines.length - 1} />
        ))}
        {caret}
      </span>
    )
  },
  (before, now) =>
    before.caret === now.caret &&
    before.last === now.last &&
    before.lines.length === now.lines.length &&
    before.lines.every((line, at) => line === now.lines[at]),
)

const LineView = memo(function LineView({ line, last }: { line: Line; last: boolean }) {
  return (
    <>
      {line.map(({ text, shade }, at) =>
        shade ? (
          <span key={at} className={styles[shade]}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
      {!last && '\n'}
    </>
  )
})

/** The share of time that highlighting an open block may take: arriving text comes first. */
const SHARE = 0.08

export const loadHighlighter = () => import('./highlight.ts')

/** The lines of a code block, highlighted as far as they have been. */
function useHighlightedLines(code: string, language: string | null, open: boolean): readonly Line[] {
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
