import type { Nodes } from 'mdast'
import type { Group } from './blocks/blockGroups.ts'

/**
 * A character that leaves something on the page: no space, control, direction, joiner, variation or lone combining
 * character.
 */
const SEEN = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether anything of these blocks is seen. */
export function isSeen(groups: readonly Group[]): boolean {
  return groups.some(group => group.some(({ node }) => leavesMark(node)))
}

function leavesMark(node: Nodes): boolean {
  switch (node.type) {
    case 'definition':
    case 'yaml':
    case 'break':
      return false
    case 'code':
    case 'image':
    case 'thematicBreak':
    case 'footnoteReference':
    case 'footnoteDefinition':
    case 'table':
    case 'fold':
      return true
    default:
      if ('children' in node) return node.children.some(leavesMark)
      return 'value' in node && SEEN.test(node.value)
  }
}
