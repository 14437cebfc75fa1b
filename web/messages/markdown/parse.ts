import type { Literal, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { CompileContext, Extension as TreeExtension } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import type { Token } from 'micromark-util-types'
import { addressesInText } from './addresses.ts'
import { flatten, isDense, shallow } from './bounds.ts'
import { cover, uncover } from './cover.ts'
import { allowCharacterReferences } from './characterReferences.ts'
import { gfmOfChat } from './gfmOfChat.ts'
import { endLiteralLinks } from './literalLinks.ts'
import { mathInFlow } from './mathBlocks.ts'
import { mathInText } from './mathDelimiters.ts'
import { mathInParagraphs } from './mathParagraphs.ts'

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
  /** Whether it stands between paragraphs, not in one. */
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

const markupInTree: TreeExtension = {
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

const extensions = [gfmOfChat(), addressesInText, cjkFriendlyExtension(), mathInText, mathInFlow, mathInParagraphs]

const withAddresses = {
  extensions,
  mdastExtensions: [gfmFromMarkdown(), mathInTree, markupInTree, { transforms: [endLiteralLinks] }],
}
const withoutAddresses = {
  extensions,
  mdastExtensions: [gfmFromMarkdown().map(extension => ({ ...extension, transforms: [] })), mathInTree, markupInTree],
}

/** A text without one of these has no bare URL. Searching the finished tree for those is a third of the parser's work. */
const ADDRESS = /@|:\/\/|www\./i

/** Never throws: a text that breaks the parser is shown as plain text. One that is not `complete` may go on behind its end. */
export function parse(source: string, complete = true): Root {
  const covered = cover(source, complete)
  const root = isDense(covered) ? asPlainText(covered) : parseCovered(covered)
  uncover(root, covered)
  return root
}

function parseCovered(source: string): Root {
  try {
    const root = fromMarkdown(shallow(source), ADDRESS.test(source) ? withAddresses : withoutAddresses)
    flatten(root, source)
    return root
  } catch (error) {
    console.error('Markdown could not be parsed and is shown as text', error)
    return asPlainText(source)
  }
}

function asPlainText(source: string): Root {
  const position = { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: source.length } }
  return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value: source }], position }] }
}
