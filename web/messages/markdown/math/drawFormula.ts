import katex from 'katex'
import 'katex/dist/katex.css'

/** The nodes of a formula. What is read aloud of it, which is half of them and seen by nobody, comes in when it is asked to. */
export type Drawing = { nodes: Node[]; addSpoken(): void }

/** A number where none can stand at the edge, as in a line of text: behind what it numbers. */
const TAG_BESIDE = { '\\tag@literal': '\\qquad\\text{#1}' }

/** A name for references, of which nobody sees anything. */
const LABEL = { '\\label': '\\@secondoftwo{#1}{}' }

const DEFINED = /\\newcommand\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?/g

/** KaTeX has names that LaTeX has not, such as \R, and refuses to define them anew. */
const definedAnew = (tex: string) => tex.replaceAll(DEFINED, '\\providecommand{$1}{}\\renewcommand{$1}')

/** What a formula defines goes into its own `macros` and with them. */
function render(tex: string, into: HTMLElement, displayMode: boolean, macros: Record<string, string>): void {
  katex.render(tex, into, {
    displayMode,
    trust: false,
    strict: 'ignore',
    maxSize: 20,
    maxExpand: 500,
    throwOnError: false,
    errorColor: 'var(--red)',
    macros,
  })
}

/**
 * Draws a formula. KaTeX builds the nodes itself, one by one, so no markup is ever parsed; what a formula may ask for is bounded, and
 * nothing one formula defines reaches the next.
 */
export function drawFormula(tex: string, displayMode: boolean): Drawing {
  const into = document.createElement('span')
  try {
    const isWrong = () => into.querySelector('.katex-error') !== null
    const macros = displayMode ? LABEL : { ...LABEL, ...TAG_BESIDE }
    render(tex, into, displayMode, { ...macros })
    if (isWrong() && tex.includes('\\newcommand')) render(definedAnew(tex), into, displayMode, { ...macros })
    // KaTeX knows one number a formula, and one a line in its own environments only.
    if (isWrong() && tex.includes('\\tag')) render(definedAnew(tex), into, displayMode, { ...LABEL, ...TAG_BESIDE })
  } catch {
    // Nested deeper than the stack bears, which is no ordinary mistake of a formula and thrown all the same.
    into.textContent = tex
  }
  const spoken = into.querySelector('.katex-mathml')
  const formula = spoken?.parentElement
  spoken?.remove()
  return {
    nodes: [...into.childNodes],
    addSpoken: () => {
      if (spoken) formula?.prepend(spoken)
    },
  }
}

/**
 * On paper nothing scrolls, and only the rules for print know how wide it is. They are told how wide the widest part of each formula is that
 * cannot be parted, in its own letters (mathematics.module.css).
 */
function measureFormulas(): void {
  const measured = [...document.querySelectorAll<HTMLElement>('.katex-display')].map(formula => {
    const parts = [...formula.querySelectorAll<HTMLElement>('.katex-base')].map(part => part.offsetWidth)
    return { formula, widest: Math.max(1, ...parts) / parseFloat(getComputedStyle(formula).fontSize) }
  })
  // All are read before one is written: otherwise each would be laid out anew.
  for (const { formula, widest } of measured) formula.style.setProperty('--widest', String(widest))
}

window.addEventListener('beforeprint', measureFormulas)
