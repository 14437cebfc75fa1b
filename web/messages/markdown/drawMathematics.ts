import katex from 'katex'
import 'katex/dist/katex.css'
import './formulasOnPaper.ts'

/**
 * Draws a formula; answers with its nodes. KaTeX builds the nodes itself, one by one, so no markup is ever parsed; what a formula
 * may ask for is bounded, and nothing one formula defines reaches the next.
 */
export function drawMathematics(tex: string, displayMode: boolean): Node[] {
  const into = document.createElement('span')
  try {
    katex.render(tex, into, {
      displayMode,
      trust: false,
      strict: 'ignore',
      maxSize: 20,
      maxExpand: 500,
      throwOnError: false,
      errorColor: 'var(--red)',
      macros: {},
    })
  } catch {
    // Nested deeper than the stack bears, which is no ordinary mistake of a formula and thrown all the same.
    into.textContent = tex
  }
  return [...into.childNodes]
}
