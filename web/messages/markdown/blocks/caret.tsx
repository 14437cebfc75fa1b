import type { Nodes } from 'mdast'
import type { ReactNode } from 'react'
import styles from './markdown.module.css'

/** The mark at the end of a text that is still growing, and the node that it stands in. */
export type Caret = { readonly host: Nodes; readonly mark: ReactNode } | null

/** At the end of an unfinished block: in its last paragraph, heading or cell. */
export function caretIn(node: Nodes): Caret {
  return { host: hostIn(node), mark: <CaretMark /> }
}

function hostIn(node: Nodes): Nodes {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') return node
  const last = 'children' in node ? node.children.at(-1) : undefined
  return last ? hostIn(last) : node
}

export function CaretMark() {
  return <span className={styles.caret} aria-hidden="true" />
}
