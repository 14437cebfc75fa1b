import katex from 'katex'
import 'katex/dist/katex.css'
import { asWritten, MACROS } from './macros.ts'

/**
 * The visible nodes of a formula. `addSpoken` adds the MathML for screen readers, which is half of its nodes.
 * `asWritten` says that it could not be drawn, or nothing would be seen of it: then they are its source.
 */
export type Drawing = { nodes: Node[]; addSpoken(): void; asWritten: boolean }

/** In a line of text the number of a formula stands right after it. */
const TAG_BESIDE = { '\\tag@literal': '\\qquad\\text{#1}' }

const DEFINED = /\\newcommand\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?/g
const OPERATOR = /\\DeclareMathOperator(\*?)\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*\{([^{}]*)\}/g

/** KaTeX refuses to define names that it has and LaTeX does not, such as \R. */
const withRedefinitions = (tex: string) => tex.replaceAll(DEFINED, '\\providecommand{$1}{}\\renewcommand{$1}')

const BEGIN_OR_END = /\\(begin|end)\s*\{(eqnarray|multline|flalign|tabular|displaymath|math|subequations|dmath)(\*?)\}/g
const ENVIRONMENTS: Readonly<Record<string, readonly [string, string]>> = {
  eqnarray: ['\\begin{array}{rcl}', '\\end{array}'],
  multline: ['\\begin{gathered}', '\\end{gathered}'],
  flalign: ['\\begin{aligned}', '\\end{aligned}'],
  tabular: ['\\begin{array}', '\\end{array}'],
}

/** Environments and definitions that KaTeX lacks, by those that it has. */
function inTermsOfKatex(tex: string): string {
  const named = tex.includes('\\begin')
    ? tex.replaceAll(
        BEGIN_OR_END,
        (_, when: string, name: string) => ENVIRONMENTS[name]?.[when === 'begin' ? 0 : 1] ?? '',
      )
    : tex
  return named
    .replaceAll(OPERATOR, '\\providecommand{$2}{}\\renewcommand{$2}{\\operatorname$1{$3}}')
    .replaceAll(/\\ch(?=\{[A-Z\d^(])/g, '\\ce')
}

const WORDS = /\\(?:text[a-z]*|mbox|operatorname\*?)\s*\{[^{}$]*\}?/g

/** Models write `\text{max_value}` and `\text{50%}`. */
const withEscapedWords = (tex: string) =>
  tex.replaceAll(WORDS, group =>
    group.replaceAll(/(?<!\\)[_%&#]/g, '\\$&').replaceAll(/(?<!\\)\^/g, '\\textasciicircum '),
  )

/** Unknown commands of one formula that are shown as written. */
const MAX_UNKNOWN = 10
const UNKNOWN = /Undefined control sequence: (\\(?:[A-Za-z@]+|[^]))/

/** Whether the formula could be drawn. Definitions of a formula go into its own `macros`. */
function render(tex: string, into: HTMLElement, displayMode: boolean, tags: object): boolean {
  const unknown: Record<string, ReturnType<typeof asWritten>> = {}
  for (let count = 0; count <= MAX_UNKNOWN; count += 1) {
    try {
      katex.render(tex, into, {
        displayMode,
        trust: false,
        strict: 'ignore',
        maxSize: 20,
        maxExpand: 500,
        throwOnError: true,
        errorColor: 'currentColor',
        macros: { ...MACROS, ...tags, ...unknown },
      })
      return true
    } catch (error) {
      const [, name] = UNKNOWN.exec(error instanceof Error ? error.message : '') ?? []
      // Also a stack overflow by deep nesting.
      if (name === undefined || name in unknown) return false
      unknown[name] = asWritten(name)
    }
  }
  return false
}

function drawn(written: string, into: HTMLElement, displayMode: boolean): boolean {
  const tex = inTermsOfKatex(written)
  const tags = displayMode ? {} : TAG_BESIDE
  if (render(tex, into, displayMode, tags)) return true
  const redefined = withRedefinitions(tex)
  if (redefined !== tex && render(redefined, into, displayMode, tags)) return true
  // KaTeX allows one number per formula, or one per line in its own environments.
  if (tex.includes('\\tag') && render(redefined, into, displayMode, TAG_BESIDE)) return true
  const escaped = withEscapedWords(redefined)
  if (escaped !== redefined && render(escaped, into, displayMode, TAG_BESIDE)) return true
  return (
    /&|\\\\/.test(escaped) &&
    !escaped.includes('\\begin') &&
    render(`\\begin{aligned}${escaped}\\end{aligned}`, into, displayMode, TAG_BESIDE)
  )
}

/**
 * Draws a formula. KaTeX builds the nodes itself, so no markup is parsed; sizes and expansion are limited, and
 * definitions end with the formula.
 */
export function drawFormula(tex: string, displayMode: boolean): Drawing {
  const into = document.createElement('span')
  const isDrawn = drawn(tex, into, displayMode) && isSeen(into)
  if (!isDrawn) into.textContent = tex
  const spoken = into.querySelector('.katex-mathml')
  const formula = spoken?.parentElement
  spoken?.remove()
  return {
    nodes: [...into.childNodes],
    addSpoken: () => {
      if (spoken) formula?.prepend(spoken)
    },
    asWritten: !isDrawn,
  }
}

/** A definition or label alone shows nothing; a line or a box does. */
function isSeen(into: HTMLElement): boolean {
  const shown = into.querySelector('.katex-html')
  return (
    shown !== null &&
    (/[^\s\u200B]/.test(shown.textContent) || shown.querySelector('svg, .rule, [style*="border"]') !== null)
  )
}

/**
 * On paper nothing scrolls, and only the print styles know the width. They get the width of each formula's widest
 * unbreakable part in its own ems (mathematics.module.css).
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
