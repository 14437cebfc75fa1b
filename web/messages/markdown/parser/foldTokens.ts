import type { Html, Nodes, Parent, PhrasingContent, RootContent } from 'mdast'
import type { Extension as TreeExtension } from 'mdast-util-from-markdown'
import type { Code, Construct, Extension, State, Token } from 'micromark-util-types'
import { isEnd, restOfLine } from '../math/mathTokens.ts'

/** The beginning or end of `<details>`: what stands between is Markdown, whether or not blank lines part it. */
export interface Fold {
  type: 'fold'
  closes: boolean
  open: boolean
  value: string
  position?: Html['position']
}

export interface Summary extends Parent {
  type: 'summary'
  children: PhrasingContent[]
}

declare module 'mdast' {
  interface RootContentMap {
    fold: Fold
    summary: Summary
  }
  interface BlockContentMap {
    fold: Fold
    summary: Summary
  }
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    fold: 'fold'
    foldText: 'foldText'
  }
}

const LESS = 60
const GREATER = 62

/** A line that begins with a tag of details, or with their summary. Elsewhere the words may be about the tags. */
const LINE = /^<(?:details(?:\s[^<>]*)?>[ \t]*(?:$|<summary[\s>])|summary(?:\s[^<>]*)?>|\/details\s*>)/i
const SUMMARY = /^<summary/i
const SUMMARY_END = /<\/summary\s*>/i

/** The next line, unless it is blank or not in the same quote or list item. */
const nextLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const begin: State = code => {
      if (isEnd(code) || this.parser.lazy[this.now().line]) return nok(code)
      return ok(code)
    }
    return code => {
      if (code === null) return nok(code)
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return begin
    }
  },
}

const folds: Construct = {
  name: 'fold',
  concrete: true,
  tokenize(effects, ok, nok) {
    let line = ''
    let previous: Token | undefined
    const begin = restOfLine(text => {
      line = text
      return LINE.test(text)
    })
    const opened: State = code => {
      if (this.interrupt) return ok(code)
      if (SUMMARY.test(line)) return text(code)
      effects.enter('fold')
      return tag(code)
    }
    const tag: State = code => {
      effects.consume(code)
      if (code !== GREATER) return tag
      effects.exit('fold')
      return afterTag
    }
    const afterTag: State = code => {
      if (isEnd(code)) return ok(code)
      if (code !== 32 && code !== -1 && code !== -2) return text(code)
      effects.enter('whitespace')
      return space(code)
    }
    const space = (code: Code): State | undefined => {
      if (code === 32 || code === -1 || code === -2) {
        effects.consume(code)
        return space
      }
      effects.exit('whitespace')
      return isEnd(code) ? ok(code) : text(code)
    }
    let shown = ''
    const text: State = code => {
      effects.enter('foldText')
      return chunk(code)
    }
    const chunk: State = code => {
      const token = effects.enter('chunkText', { contentType: 'text', previous })
      if (previous) previous.next = token
      previous = token
      return inChunk(code)
    }
    const inChunk: State = code => {
      if (!isEnd(code)) {
        shown += code === null || code < 0 ? ' ' : String.fromCharCode(code)
        effects.consume(code)
        return inChunk
      }
      const goesOn = SUMMARY.test(shown) && !SUMMARY_END.test(shown)
      return goesOn ? effects.check(nextLine, takeEnd, finish)(code) : finish(code)
    }
    const takeEnd: State = code => {
      effects.consume(code)
      effects.exit('chunkText')
      return chunk
    }
    const finish: State = code => {
      effects.exit('chunkText')
      effects.exit('foldText')
      return ok(code)
    }
    return code => effects.check(begin, opened, nok)(code)
  },
}

export const foldsInFlow: Extension = { flow: { [LESS]: folds } }

export const foldsInTree: TreeExtension = {
  enter: {
    fold(token) {
      this.enter(foldOf(this.sliceSerialize(token)), token)
    },
    foldText(token) {
      this.enter({ type: 'paragraph', children: [] }, token)
    },
  },
  exit: {
    fold(token) {
      this.exit(token)
    },
    foldText(token) {
      this.exit(token)
    },
  },
}

/** Of the attributes only `open` counts. */
const foldOf = (tag: string): Fold => ({
  type: 'fold',
  closes: tag.startsWith('</'),
  open: /\sopen(?=[\s=>]|$)/i.test(tag),
  value: tag,
})

const DETAILS = /^<\/?details(?:\s[^<>]*)?>$/i
const SUMMARY_TAG = /^<summary(?:\s[^<>]*)?>$/i
const MAY_FOLD = /<summary[\s>]|<\/details/i

/** Makes summaries and folds of the tags within paragraphs. Changes the nodes. */
export function findFolds(parent: Nodes, source: string): void {
  if (MAY_FOLD.test(source)) findIn(parent)
}

function findIn(parent: Nodes): void {
  if (!('children' in parent) || parent.type === 'paragraph' || parent.type === 'table') return
  const children: Nodes[] = parent.children
  for (const child of children) findIn(child)
  if (!children.some(child => child.type === 'paragraph' && hasTags(child.children))) return
  const parted = children.flatMap((child): Nodes[] =>
    child.type === 'paragraph' ? partsOf(child.children, child) : [child],
  )
  children.splice(0, children.length, ...parted)
}

const isTag = (node: Nodes | undefined, tag: RegExp) => node?.type === 'html' && tag.test(node.value)
const hasTags = (nodes: readonly Nodes[]) => nodes.some(node => isTag(node, SUMMARY_TAG) || isTag(node, DETAILS))

/** The paragraph without the summary at its beginning and the ends of details on its lines. */
function partsOf(nodes: readonly PhrasingContent[], paragraph: RootContent): RootContent[] {
  const parts: RootContent[] = []
  let text: PhrasingContent[] = []
  const flush = () => {
    const trimmed = withoutEdges(text)
    if (trimmed.length > 0) parts.push({ type: 'paragraph', children: trimmed, position: around(trimmed, paragraph) })
    text = []
  }
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at]
    if (!node) break
    const isFirst = withoutEdges(text).length === 0
    if (isFirst && isTag(node, SUMMARY_TAG)) {
      flush()
      const found = nodes.findIndex((other, index) => index > at && isTag(other, SUMMARY_END))
      const end = found === -1 ? nodes.length : found
      const children = withoutEdges(nodes.slice(at + 1, end))
      parts.push({ type: 'summary', children, position: around(nodes.slice(at, end + 1), paragraph) })
      at = end
    } else if (node.type === 'html' && DETAILS.test(node.value) && (node.value.startsWith('</') || isFirst)) {
      flush()
      parts.push({ ...foldOf(node.value), position: node.position })
    } else text.push(node)
  }
  flush()
  return parts
}

function around(nodes: readonly PhrasingContent[], paragraph: RootContent): RootContent['position'] {
  const [start, end] = [nodes[0]?.position?.start, nodes.at(-1)?.position?.end]
  return start && end ? { start, end } : paragraph.position
}

function withoutEdges(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const isEmpty = (node: PhrasingContent) => node.type === 'break' || (node.type === 'text' && node.value.trim() === '')
  const first = nodes.findIndex(node => !isEmpty(node))
  const last = nodes.findLastIndex(node => !isEmpty(node))
  return nodes.slice(first === -1 ? nodes.length : first, last + 1).map((node, at, all) => {
    if (node.type !== 'text') return node
    const start = at === 0 ? node.value.trimStart() : node.value
    return { ...node, value: at === all.length - 1 ? start.trimEnd() : start }
  })
}
