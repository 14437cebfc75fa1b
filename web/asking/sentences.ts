/** A Latin full stop may be inside a number or an address: it ends a sentence only before white space. */
const END = /[。！？…]+[”’」』）]*|[.!?]+["”’)]*(?=\s)|\n/g

/**
 * Code and formulas, which contain no sentences. An empty group marks one that is still open at the end of the text.
 * The search for each closing mark is bounded and stops at the next opening one, so that a text of nothing but marks
 * takes linear time.
 */
const SPANS = new RegExp(
  [
    /^[ \t>]*(`{3,}|~{3,})[^]*?(?:^[ \t>]*\1.*$|($(?![^])))/,
    /`[^`\n]+`/,
    /\\\[(?:[^\\]|\\[^[\]]){0,4000}(?:\\\]|\\?($(?![^])))/,
    /\\\((?:[^\\\n]|\n(?![ \t]*\n)|\\[^()]){0,4000}(?:\\\)|\\?($(?![^])))/,
    /\$\$(?:[^$\\]|\\[^]|\$(?!\$)){0,4000}(?:\$\$|[$\\]?($(?![^])))/,
    /\$(?:[^\s$\\`]|\\.|(?!^)[^\S\n](?!\$)){1,500}\$(?!\d)/,
    /(?:\\[^([])+|\\[^]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/** A formula that is read aloud as it is written; for others a word is read. */
const SAYABLE = /^[A-Za-z\d .,+=<>()-]{1,24}$/
/** The line below a table's head, or a horizontal rule. */
const RULE = /^[ \t|:-]+$/
const LINK = /!?\[([^[\]\n]*)\]\((?:data:[^)\s]*|[^)\n]{0,500})\)/g

/**
 * Characters without the end of a sentence that are searched; so many count as one, or a text without any would be
 * searched again and again.
 */
const MAX_SENTENCE = 20_000

/** Where the last complete sentence of a growing text ends; `from` when there is no further one. */
export function endOfSentences(text: string, from: number): number {
  if (text.length - from <= MAX_SENTENCE) return endIn(text.slice(from), from)
  const start = text.slice(from, from + MAX_SENTENCE)
  // Code may be longer: where it ends is searched in all of the text.
  if (openSpan(start)) return endIn(text.slice(from), from)
  const end = endIn(start, from)
  return end === from ? from + MAX_SENTENCE : end
}

const openSpan = (text: string) => [...text.matchAll(SPANS)].find(([, , ...ends]) => ends.includes(''))

function endIn(more: string, from: number): number {
  const open = openSpan(more)
  const complete = more.slice(0, open?.index).replaceAll(SPANS, span => '_'.repeat(span.length))
  const last = [...complete.matchAll(END)].at(-1)
  return last ? from + last.index + last[0].length : from
}

/** The text as it is read aloud: without marks, and with a word in place of code and formulas. */
export function spoken(text: string, words: { code: string; formula: string }): string {
  return text
    .replaceAll(SPANS, span => spokenSpan(span, words))
    .replaceAll(LINK, '$1')
    .replaceAll(/[*_`#>\\]+/g, ' ')
    .split('\n')
    .filter(line => !RULE.test(line))
    .map(spokenLine)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function spokenSpan(span: string, words: { code: string; formula: string }): string {
  if (/^[ \t>]*(?:```|~~~)/.test(span)) return ` ${words.code} `
  if (span.startsWith('`')) return span.slice(1, -1)
  if (span.length === 2) return span.slice(1)
  if (/^\\[^([]/.test(span)) return span.replaceAll(/\\([^])/g, '$1')
  const formula = span
    .replace(/^(?:\$\$?|\\[[(])\s*/, '')
    .replace(/(?:\$\$?|\\[\])])$/, '')
    .trimEnd()
  return SAYABLE.test(formula) ? formula : ` ${words.formula} `
}

/** The cells of a table row, separated by pauses. */
function spokenLine(line: string): string {
  if (!line.includes('|')) return line
  return `${line
    .split('|')
    .map(cell => cell.trim())
    .filter(cell => cell !== '')
    .join(', ')};`
}
