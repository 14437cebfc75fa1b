import { memo } from 'react'
import type { ReactNode } from 'react'
import styles from './code.module.css'
import type { Line } from './codeLines.ts'
import { useCodeLines } from './useCodeLines.ts'

/** Lines in one box: only the last box changes while code arrives, and only it is laid out again. */
const BOX = 40

type HighlightedCodeProps = { code: string; language: string | null; caret: ReactNode }

export function HighlightedCode({ code, language, caret }: HighlightedCodeProps) {
  const lines = useCodeLines(code, language, Boolean(caret))
  const boxes: (readonly Line[])[] = []
  for (let start = 0; start < lines.length; start += BOX) boxes.push(lines.slice(start, start + BOX))
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
