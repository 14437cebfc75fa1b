import type { Literal, Nodes, Root } from 'mdast'
import { type CompileContext, type Extension as TreeExtension, fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfm } from 'micromark-extension-gfm'
import type { Code, Construct, Extension, Token } from 'micromark-util-types'
import { autolinks, trimAutolinks } from './autolinks.ts'
import { findFolds, foldsInFlow, foldsInTree } from './foldTokens.ts'
import { maskMarks, unmaskTree } from './maskedMarks.ts'
import { plainPieces } from './longLines.ts'
import { mathInFlow } from '../math/blockMath.ts'
import { mathInText } from '../math/inlineMath.ts'

const OURS = new Set(['protocolAutolink', 'wwwAutolink'])

/** GFM without its autolinks (autolinks.ts replaces them) and with a strikethrough that works beside Chinese. */
function gfmForChat(): Extension {
  const { text = {}, ...others } = gfm({ singleTilde: false })
  const replaced = (construct: Construct) => (construct.name === 'strikethrough' ? strikethrough(construct) : construct)
  return {
    ...others,
    text: Object.fromEntries(
      Object.entries(text).map(([code, one]) => [
        code,
        [one ?? []]
          .flat()
          .filter(({ name }) => !OURS.has(name ?? ''))
          .map(replaced),
      ]),
    ),
  }
}

const TILDE = 126
const SPACE = /\s/
const CJK = /[\u1100-\u11FF\u2E80-\uA4CF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFFEF\uD800-\uDFFF]/
const PUNCTUATION = /[\p{P}\p{S}]/u

type Side = 'space' | 'mark' | 'letter'

/**
 * By the rule of cjk-friendly emphasis: Chinese punctuation counts as a letter, since Chinese has no spaces between
 * words.
 */
function sideOf(code: Code): Side {
  if (code === null || code < 0) return 'space'
  const character = String.fromCharCode(code)
  if (SPACE.test(character)) return 'space'
  return PUNCTUATION.test(character) && !CJK.test(character) ? 'mark' : 'letter'
}

const isCjk = (code: Code) => code !== null && CJK.test(String.fromCharCode(code))

/** GFM's strikethrough, with two marks only: one is a range in Chinese (20~25). */
function strikethrough(gfm: Construct): Construct {
  return {
    ...gfm,
    tokenize(effects, ok, nok) {
      const { previous, events } = this
      let size = 0
      const more = (code: Code): ReturnType<typeof ok> => {
        if (code === TILDE && size < 2) {
          effects.consume(code)
          size += 1
          return more
        }
        if (code === TILDE || size < 2) return nok(code)
        const token = effects.exit('strikethroughSequenceTemporary')
        const [before, after] = [sideOf(previous), sideOf(code)]
        token._open = after === 'letter' || (after === 'mark' && (before !== 'letter' || isCjk(previous)))
        token._close = before === 'letter' || (before === 'mark' && (after !== 'letter' || isCjk(code)))
        return ok(code)
      }
      return code => {
        if (previous === TILDE && events.at(-1)?.[1].type !== 'characterEscape') return nok(code)
        effects.enter('strikethroughSequenceTemporary')
        return more(code)
      }
    },
  }
}

/** A formula, in a sentence or on its own. `pending` while its closing mark has not arrived. */
export interface Mathematics extends Literal {
  type: 'mathematics'
  display: boolean
  pending?: boolean
}

declare module 'mdast' {
  interface RootContentMap {
    mathematics: Mathematics
  }
  interface BlockContentMap {
    mathematics: Mathematics
  }
  interface PhrasingContentMap {
    mathematics: Mathematics
  }
  /** Between paragraphs, not in one. */
  interface Html {
    block?: boolean
  }
}

const mathInTree: TreeExtension = {
  enter: {
    mathematics(token) {
      this.enter({ type: 'mathematics', value: '', display: token.display ?? false }, token)
      this.buffer()
    },
    mathematicsRest(token) {
      this.enter({ type: 'paragraph', children: [] }, token)
    },
  },
  exit: {
    mathematicsMarker(token) {
      const node = this.stack.at(-2)
      if (node?.type === 'mathematics') node.display ||= ['$$', '\\['].includes(this.sliceSerialize(token))
    },
    mathematicsValue: asText,
    mathematics(token) {
      const value = this.resume()
      const node = this.stack.at(-1)
      if (node?.type === 'mathematics') node.value = value.trim()
      this.exit(token)
    },
    mathematicsRest(token) {
      this.exit(token)
    },
  },
}

const htmlInTree: TreeExtension = {
  enter: {
    htmlFlow(token) {
      this.enter({ type: 'html', value: '', block: true }, token)
      this.buffer()
    },
  },
}

function asText(this: CompileContext, token: Token) {
  this.config.enter.data?.call(this, token)
  this.config.exit.data?.call(this, token)
}

allowCharacterReferences()

const extensions = [gfmForChat(), autolinks, cjkFriendlyExtension(), mathInText, mathInFlow, foldsInFlow]

const withBareUrls = {
  extensions,
  mdastExtensions: [gfmFromMarkdown(), mathInTree, htmlInTree, foldsInTree, { transforms: [trimAutolinks] }],
}
const withoutBareUrls = {
  extensions,
  mdastExtensions: [
    gfmFromMarkdown().map(extension => ({ ...extension, transforms: [] })),
    mathInTree,
    htmlInTree,
    foldsInTree,
  ],
}

/**
 * A text without one of these has no bare URL: searching the finished tree for them would be a third of the parser's
 * work.
 */
const BARE_URL = /@|:\/\/|www\./i

/** Never throws: a text that breaks the parser is shown as plain text. `complete` says that no more text follows. */
export function parse(source: string, complete = true): Root {
  const masked = maskMarks(withoutBlankEnd(source), complete)
  const root = exceedsLimits(masked) ? asPlainText(masked) : parseMasked(masked)
  unmaskTree(root, masked)
  return root
}

/** Blank lines at the end that are parsed: each costs as much as one with text. */
const MAX_BLANK = 100

function withoutBlankEnd(source: string): string {
  let end = source.length
  while (end > 0 && source.charCodeAt(end - 1) === 10) end -= 1
  return source.length - end > MAX_BLANK ? source.slice(0, end + MAX_BLANK) : source
}

function parseMasked(source: string): Root {
  try {
    const root = fromMarkdown(limitNesting(source), BARE_URL.test(source) ? withBareUrls : withoutBareUrls)
    findFolds(root, source)
    limitDepth(root, source)
    return root
  } catch (error) {
    console.error('Markdown could not be parsed and is shown as text', error)
    return asPlainText(source)
  }
}

const asPlainText = (source: string): Root => ({ type: 'root', children: plainPieces(source) })

/** TypeScript's own library does not have it yet. */
type TrustedTypes = { createPolicy(name: string, rules: { createHTML(markup: string): string | null }): unknown }

const ONE_REFERENCE = /^&[A-Za-z][A-Za-z0-9]{1,31};$/

/**
 * The parser decodes names such as `&copy;` by the innerHTML of an element that is never shown. Where Trusted Types are
 * enforced, this policy allows that and no other markup.
 */
function allowCharacterReferences(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  try {
    trustedTypes?.createPolicy('default', { createHTML: markup => (ONE_REFERENCE.test(markup) ? markup : null) })
  } catch {
    // The page has a default policy already, or allows none: that one decides.
  }
}

/** Nesting of quotes and lists. The parser's work grows with the square of the depth. */
const DEEPEST = 20
const CONTAINER = '(?:>|[-*+](?=[ \\t]|$)|\\d{1,9}[.)](?=[ \\t]|$))'
const MARKER = new RegExp(CONTAINER, 'g')
const MARKERS = new RegExp(`^((?:[ \\t]*>)*([ \\t]*)${CONTAINER}(?:[ \\t]*${CONTAINER})*)([^\\n]*)`, 'gm')
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/

/** Makes text of the markers that nest too deeply, in one line or from line to line. The length stays the same. */
export function limitNesting(source: string): string {
  const indents: number[] = []
  return source.replace(MARKERS, (line: string, markers: string, indent: string, rest: string) => {
    while ((indents.at(-1) ?? -1) >= indent.length) indents.pop()
    let depth = indents.push(indent.length) - 1
    const marked = (marker: string) => ((depth += 1) > DEEPEST ? marker.replace(/\D/, '·') : marker)
    return RULE.test(line) ? line : markers.replace(MARKER, marked) + rest
  })
}

/** A line nested so deeply that the parser would take seconds for its spaces and markers alone. */
const FAR_TOO_DEEP =
  /^(?:[ \t]*>)*(?:[ \t]{200,}|\t{50,})(?:[-*+>]|\d{1,9}[.)])(?=[ \t]|$)|^(?:[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>){100}/m

/** Cells in one line: each becomes several elements. */
const MAX_CELLS = 300
const WIDE_ROW = new RegExp(`^(?:[^|\\n]*\\|){${MAX_CELLS}}`, 'm')

/** Nesting of brackets: for each the parser looks back through all of them. */
const MAX_BRACKETS = 50

/** Marks in one paragraph that may open or close something: the parser compares each with the others. */
const MAX_MARKS = 3_000
const MARK = /[[\]~*_`$<!&\\|]/g

/** Characters of one paragraph, however few its marks and lines. */
const MAX_CHARACTERS = 50_000

/** Lines in one paragraph: the parser checks each against those before it. */
const MAX_LINES = 2_000

/** Lines of quotes: lists in them are not parsed in parts. */
const QUOTED = /^[ \t]*>/gm

const FENCED = /^[ \t>]*(`{3,}|~{3,})[^\n`~]*\n[^]*?(?:\n[ \t>]*\1[`~]*[ \t]*(?=\n|$)|$(?![^]))/gm
/** A table of ordinary cells: each is parsed on its own. */
const TABLE = /^[^\n]*\|[^\n]*\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|[ \t:|-]*(?:\n[^\n]{0,5000}\|[^\n]{0,5000}$)*/gm
/** Between paragraphs, list items or headings. */
const BETWEEN = /\n(?=[ \t>]*(?:\n|(?:[-*+]|1[.)]|#{1,6})[ \t]|\[\^))/

/**
 * Whether a paragraph, table or list is beyond what people write. Its text is shown as plain text: parsing it would
 * block the page.
 */
export function exceedsLimits(source: string): boolean {
  const isTooDeep = FAR_TOO_DEEP.test(source) || WIDE_ROW.test(source)
  if (!isTooDeep && !isLarge(source) && !nestsBrackets(source)) return false
  const prose = source.replace(FENCED, '')
  return (
    FAR_TOO_DEEP.test(prose) ||
    count(prose, QUOTED) > MAX_LINES ||
    WIDE_ROW.test(prose) ||
    prose
      .replace(TABLE, '')
      .split(BETWEEN)
      .some(part => isLarge(part) || nestsBrackets(part))
  )
}

function nestsBrackets(text: string): boolean {
  if (count(text, /\[/g) <= MAX_BRACKETS) return false
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    depth = bracket === '[' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > MAX_BRACKETS) return true
  }
  return false
}

const isLarge = (text: string) =>
  text.length > MAX_CHARACTERS || count(text, MARK) > MAX_MARKS || count(text, /\n/g) > MAX_LINES

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

/** Depth of the tree: quotes, lists and tables, with some emphasis in each. */
const LEVELS = 100

/** Replaces nodes that lie too deep, such as emphasis in emphasis, by their source. Changes the nodes. */
function limitDepth(node: Nodes, source: string, depth = 0): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children
  for (const [at, child] of children.entries()) {
    const { start, end } = child.position ?? {}
    const isTooDeep = depth > LEVELS && 'children' in child && start?.offset !== undefined && end?.offset !== undefined
    if (isTooDeep) children[at] = { type: 'text', value: source.slice(start.offset, end.offset) }
    else limitDepth(child, source, depth + 1)
  }
}
