import type { Literal, Root } from 'mdast'
import { fromMarkdown, type CompileContext, type Extension as TreeExtension } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import type { Token } from 'micromark-util-types'
import { autolinks, trimAutolinks } from './autolinks.ts'
import { findFolds, foldsInFlow, foldsInTree } from './blocks/foldTokens.ts'
import { limitDepth, exceedsLimits, limitNesting } from './parseLimits.ts'
import { maskMarks, unmaskTree } from './maskedMarks.ts'
import { gfmForChat } from './gfm.ts'
import { plainPieces } from './longLines.ts'
import { mathInFlow } from './math/blockMath.ts'
import { mathInText } from './math/inlineMath.ts'

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

/** A text without one of these has no bare URL: searching the finished tree for them would be a third of the parser's work. */
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
 * The parser decodes names such as `&copy;` by the innerHTML of an element that is never shown. Where Trusted Types are enforced, this
 * policy allows that and no other markup.
 */
function allowCharacterReferences(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  try {
    trustedTypes?.createPolicy('default', { createHTML: markup => (ONE_REFERENCE.test(markup) ? markup : null) })
  } catch {
    // The page has a default policy already, or allows none: that one decides.
  }
}
