/** A full stop of Latin writing may stand inside a number or an address; it ends a sentence when a blank follows. */
const END = /[。！？…]+[”’」』）]*|[.!?]+["”’)]*(?=\s)|\n/g

/**
 * Code and formulas, which have no sentences. An empty group says that one is still open where the text ends. No mark that
 * opens is passed over in search of one that closes, and the search is bounded, so that a page of them is read as fast as words.
 */
const SPANS = new RegExp(
  [
    /^[ \t>]*(`{3,}|~{3,})[^]*?(?:^[ \t>]*\1.*$|($(?![^])))/,
    /`[^`\n]+`/,
    /\\\[(?:[^\\]|\\[^[\]]){0,4000}(?:\\\]|\\?($(?![^])))/,
    /\\\((?:[^\\\n]|\n(?![ \t]*\n)|\\[^()]){0,4000}(?:\\\)|\\?($(?![^])))/,
    /\$\$(?:[^$\\]|\\[^]|\$(?!\$)){0,4000}(?:\$\$|[$\\]?($(?![^])))/,
    /\$(?:[^\s$\\`]|\\.|(?!^)[^\S\n](?!\$)){1,500}\$(?!\d)/,
    /\\[^]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/** What can be said as it is written; of other formulas nobody wants to hear the source. */
const SAYABLE = /^[A-Za-z\d .,+=<>()-]{1,24}$/
/** Of the line between a table's head and its rows, or across the text. */
const RULE = /^[ \t|:-]+$/
const LINK = /!?\[([^[\]\n]*)\]\((?:data:[^)\s]*|[^)\n]{0,500})\)/g

/** Where the last sentence ends that is complete in a growing text; `from` when none has come since. */
export function endOfSentences(text: string, from: number): number {
  const more = text.slice(from)
  const open = [...more.matchAll(SPANS)].find(([, , ...ends]) => ends.includes(''))
  const complete = more.slice(0, open?.index).replaceAll(SPANS, span => '_'.repeat(span.length))
  const last = [...complete.matchAll(END)].at(-1)
  return last ? from + last.index + last[0].length : from
}

/** As it is read aloud: without marks, and with a word in place of code and formulas, of which nobody wants to hear each sign. */
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
  const formula = span
    .replace(/^(?:\$\$?|\\[[(])\s*/, '')
    .replace(/(?:\$\$?|\\[\])])$/, '')
    .trimEnd()
  return SAYABLE.test(formula) ? formula : ` ${words.formula} `
}

/** The cells of a row, with what makes the voice pause. */
function spokenLine(line: string): string {
  if (!line.includes('|')) return line
  return `${line
    .split('|')
    .map(cell => cell.trim())
    .filter(cell => cell !== '')
    .join(', ')};`
}
