import type { Nodes, RootContent, Text } from 'mdast'

/** Characters that after a letter can begin or end nothing: no Markdown, no URL, no line. */
const WORDS = /^[\p{L}\p{M}\p{N} ,，。、；：？！“”‘’（）《》—…]+$/u

/** Whether `more`, behind these nodes, is nothing but more of their last text. `end` is where their source ends. */
export function continuesWords(nodes: readonly RootContent[], source: string, end: number, more: string): boolean {
  return WORDS.test(more) && WORDS.test(source.slice(-1)) && endingText(nodes.at(-1))?.position?.end.offset === end
}

/** The same nodes with these words behind their last text; every node on the way there is a new one. */
export function withWords(nodes: readonly RootContent[], words: string): readonly RootContent[] {
  const last = nodes.at(-1)
  return last ? [...nodes.slice(0, -1), nodeWithWords(last, words)] : nodes
}

function nodeWithWords<N extends Nodes>(node: N, words: string): N {
  if (node.type === 'text') return { ...node, value: node.value + words }
  const last = 'children' in node ? node.children.at(-1) : undefined
  return last && 'children' in node
    ? { ...node, children: [...node.children.slice(0, -1), nodeWithWords(last, words)] }
    : node
}

/** The address of a link grows with its text, so that is left to the parser. */
function endingText(node: Nodes | undefined): Text | undefined {
  if (node?.type === 'text') return node
  return node && 'children' in node && node.type !== 'link' && node.type !== 'linkReference'
    ? endingText(node.children.at(-1))
    : undefined
}
