import { fenced } from './markdownWords.ts'

/** Marks that mean something wherever they stand: emphasis, code, HTML, tables, formulas, strike-through. */
const ANYWHERE = /[\\`*|$~]|<(?=[a-z/!?])|&(?=#?\w{1,32};)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu
/** A bare address, in which a backslash would lead elsewhere; viewers find it before its marks. */
const ESCAPED_ADDRESS = /\bhttps?:\/\/(?:\\[^<`\\]|[^\s<>"`\\])+/gi
const HARMLESS_IN_ADDRESS = /\\([~|$])(?!\\?\1)/g
/** What begins a link, a picture or a footnote, which may end on a later line. It has no escape that is the same everywhere: to many a viewer one begins a formula. */
const LINK = /\[(?=[[^]|[^\]]{0,1000}(?:\][([:]|$))/g
/** What makes something else of a line that begins so: a heading, a quote, a list, a rule, an underline, a block of others' inventing. */
const LINE_BEGIN = /^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|(?:-[\t ]*){2,}$|=+[\t ]*$|:::|\d{1,9}(?=[.)](?:\s|$)))/
/** Lines that only stay what they are in a block of code. */
const LAID_OUT = /^(?: {4}|\t| {0,3}(?:`{3}|~{3}))/m

/** What somebody typed, so that it reads the same as Markdown: its marks are escaped and its lines kept. Code and what is indented is fenced as a whole. */
export function plainMarkdown(text: string): string {
  if (LAID_OUT.test(text)) return fenced(text)
  const lines = text.split('\n')
  return lines
    .map((line, at) => {
      const next = lines[at + 1]
      const ends = line.trim() !== '' && next !== undefined && next.trim() !== ''
      return lineMarkdown(line) + (ends ? '  ' : '')
    })
    .join('\n')
}

/** A name or a title within a line. */
export function inlineMarkdown(text: string): string {
  // At its end it would close a heading.
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
