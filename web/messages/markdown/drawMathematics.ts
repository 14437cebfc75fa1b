import katex from 'katex'
import 'katex/dist/katex.css'
import './formulasOnPaper.ts'

/** The nodes of a formula. What is read aloud of it, which is half of them and seen by nobody, comes in when it is asked to. */
export type Drawing = { nodes: Node[]; addSpoken(): void }

/**
 * Draws a formula. KaTeX builds the nodes itself, one by one, so no markup is ever parsed; what a formula may ask for is bounded, and
 * nothing one formula defines reaches the next.
 */
export function drawMathematics(tex: string, displayMode: boolean): Drawing {
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
  const spoken = into.querySelector('.katex-mathml')
  const formula = spoken?.parentElement
  spoken?.remove()
  return { nodes: [...into.childNodes], addSpoken: () => { if (spoken) formula?.prepend(spoken) } }
}
