import katex from 'katex'
import 'katex/dist/katex.css'

/** The visible nodes of a formula. `addSpoken` adds the MathML for screen readers, which is half of its nodes. */
export type Drawing = { nodes: Node[]; addSpoken(): void }

/** In a line of text the number of a formula stands right after it. */
const TAG_BESIDE = { '\\tag@literal': '\\qquad\\text{#1}' }

/** Labels show nothing. */
const LABEL = { '\\label': '\\@secondoftwo{#1}{}' }

const DEFINED = /\\newcommand\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?/g

/** KaTeX refuses to define names that it has and LaTeX does not, such as \R. */
const withRedefinitions = (tex: string) => tex.replaceAll(DEFINED, '\\providecommand{$1}{}\\renewcommand{$1}')

/** Definitions of a formula go into its own `macros`. */
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

/** Draws a formula. KaTeX builds the nodes itself, so no markup is parsed; sizes and expansion are limited, and definitions end with the formula. */
export function drawFormula(tex: string, displayMode: boolean): Drawing {
  const into = document.createElement('span')
  try {
    const isWrong = () => into.querySelector('.katex-error') !== null
    const macros = displayMode ? LABEL : { ...LABEL, ...TAG_BESIDE }
    render(tex, into, displayMode, { ...macros })
    if (isWrong() && tex.includes('\\newcommand')) render(withRedefinitions(tex), into, displayMode, { ...macros })
    // KaTeX allows one number per formula, or one per line in its own environments.
    if (isWrong() && tex.includes('\\tag'))
      render(withRedefinitions(tex), into, displayMode, { ...LABEL, ...TAG_BESIDE })
  } catch {
    // A stack overflow by deep nesting is thrown in spite of throwOnError.
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
 * On paper nothing scrolls, and only the print styles know the width. They get the width of each formula's widest unbreakable part in its own
 * ems (mathematics.module.css).
 */
function measureFormulas(): void {
  const measured = [...document.querySelectorAll<HTMLElement>('.katex-display')].map(formula => {
    const parts = [...formula.querySelectorAll<HTMLElement>('.katex-base')].map(part => part.offsetWidth)
    return { formula, widest: Math.max(1, ...parts) / parseFloat(getComputedStyle(formula).fontSize) }
  })
  // All are read before one is written: otherwise each write would force a layout.
  for (const { formula, widest } of measured) formula.style.setProperty('--widest', String(widest))
}

window.addEventListener('beforeprint', measureFormulas)
