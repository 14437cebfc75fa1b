import { headline as shortenedLine } from '#contract/cutText.ts'
import { fenced } from '#contract/markdownParts.ts'

/** Characters with a meaning anywhere in a line: emphasis, code, HTML, tables, formulas, strike-through. */
const ANYWHERE = /[\\`*|$~]|<(?=[a-z/!?])|&(?=#?\w{1,32};)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu
/** A bare address. Viewers read the backslashes in it as part of it. */
const ESCAPED_ADDRESS = /\bhttps?:\/\/(?:\\[^<`\\]|[^\s<>"`\\])+/gi
const HARMLESS_IN_ADDRESS = /\\([~|$])(?!\\?\1)/g
/** The beginning of a link, a picture or a footnote, which may end on a later line. To many viewers `\[` begins a formula. */
const LINK = /\[(?=[[^]|[^\]]{0,1000}(?:\][([:]|$))/g
/** What a line begins with that is a heading, a quote, a list, a rule, an underline or a block of an extension. */
const LINE_BEGIN = /^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|(?:-[\t ]*){2,}$|=+[\t ]*$|:::|\d{1,9}(?=[.)](?:\s|$)))/
/** Indented lines and fences. */
const LAID_OUT = /^(?: {4}|\t| {0,3}(?:`{3}|~{3}))/m

/** Typed text as Markdown that reads the same: escaped, with its lines. A text with code or indented lines is fenced as a whole. */
export function plainMarkdown(text: string): string {
  if (LAID_OUT.test(text)) return fenced(text)
  const lines = text.split('\n')
  return lines
    .map((line, at) => {
      const next = lines[at + 1]
      const isBroken = line.trim() !== '' && next !== undefined && next.trim() !== ''
      return lineMarkdown(line) + (isBroken ? '  ' : '')
    })
    .join('\n')
}

/** A name or a title within a line. */
export function inlineMarkdown(text: string): string {
  // Hash marks at the end would close a heading.
  return escaped(text.replace(/\s+/g, ' ').trim()).replace(/#+$/, marks => `\\${marks}`)
}

function lineMarkdown(line: string): string {
  const kept = line.trimEnd()
  const [whole = '', space = '', begin = ''] = LINE_BEGIN.exec(kept) ?? []
  const rest = kept.slice(whole.length)
  if (/^\d/.test(begin)) return `${space}${begin}\\${rest.slice(0, 1)}${escaped(rest.slice(1))}`
  return begin === '' ? escaped(kept) : `${space}\\${begin}${escaped(rest)}`
}

function escaped(text: string): string {
  return text
    .replace(ANYWHERE, mark => `\\${mark}`)
    .replace(ESCAPED_ADDRESS, address => address.replace(HARMLESS_IN_ADDRESS, '$1'))
    .replace(LINK, '&#91;')
}

/** Characters of a question in its heading. */
const HEADLINE = 80

/** The first line that is not blank, without marks at its beginning. */
export function headline(text: string, longest = HEADLINE): string {
  const line =
    text
      .split('\n')
      .map(each => each.replace(/^[\s#>*+`-]+/, '').trim())
      .find(each => each !== '') ?? ''
  return shortenedLine(line, longest)
}

export function quoted(text: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}
