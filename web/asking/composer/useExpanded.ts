import { useState } from 'react'

/** Characters and lines from which a text may want more room than the field takes by itself. */
const LONG = { characters: 300, lines: 6 }

type Expanded = {
  expanded: boolean
  /** Whether there is enough to read for more room. */
  mayExpand: boolean
  expand(expanded: boolean): void
}

/** Whether the field has the whole height. Another conversation, and another text, begin with a small one. */
export function useExpanded(conversation: string, text: string): Expanded {
  const [expandedIn, setExpandedIn] = useState<string | null>(null)
  if (expandedIn !== null && (expandedIn !== conversation || text === '')) setExpandedIn(null)
  const expanded = expandedIn === conversation
  return {
    expanded,
    mayExpand: expanded || text.length > LONG.characters || text.split('\n', LONG.lines).length === LONG.lines,
    expand: next => setExpandedIn(next ? conversation : null),
  }
}
