import { createContext, memo, type ReactNode, useContext, useState } from 'react'
import { IconCheck, IconCopy, IconTextWrap } from '#web/kit/icons.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import styles from './code.module.css'
import { useCopied } from '#web/kit/useCopied.ts'
import type { Line } from './highlightedLines.ts'
import { useHighlightedLines } from './useHighlightedLines.ts'

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

function HighlightedCode({ code, language, caret }: HighlightedCodeProps) {
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
