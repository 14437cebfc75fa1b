import type { Literal, Root } from 'mdast'
import { fromMarkdown, type CompileContext, type Extension as TreeExtension } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfm } from 'micromark-extension-gfm'
import type { Token, Construct, Extension, Code } from 'micromark-util-types'
import { autolinks, trimAutolinks } from './autolinks.ts'
import { findFolds, foldsInFlow, foldsInTree } from './blocks/foldTokens.ts'
import { limitDepth, exceedsLimits, limitNesting } from './parseLimits.ts'
import { maskMarks, unmaskTree } from './maskedMarks.ts'
import { plainPieces } from './longLines.ts'
import { mathInFlow } from './math/blockMath.ts'
import { mathInText } from './math/inlineMath.ts'

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
