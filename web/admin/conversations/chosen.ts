import type {
  ConversationAction,
  ConversationChange as Request,
  ConversationFilter,
  ConversationRow,
} from '#contract/conversationAdministration.ts'
import { type Source, SOURCES } from '#contract/models.ts'

/** The conversations that are chosen: the ticked ones, or all that match the filters of the list. */
export type Chosen =
  | { by: 'ticks'; count: number; rows: readonly ConversationRow[] }
  /** `before`: when they were counted. What comes later is left alone. */
  | { by: 'filter'; count: number; filter: ConversationFilter; before: string | undefined }

export function requestFor(chosen: Chosen, action: ConversationAction, user_id?: number): Request {
  return {
    action,
    ...(chosen.by === 'ticks'
      ? { ids: chosen.rows.map(({ id }) => id) }
      : { filter: chosen.filter, ...(chosen.before !== undefined && { before: chosen.before }) }),
    ...(user_id !== undefined && { user_id }),
  }
}

/** The possible actions: nothing is hidden twice, and with a filter only hidden conversations can be destroyed. */
export function actionsFor(chosen: Chosen): ConversationAction[] {
  const isHidden = ({ is_valid }: ConversationRow) => !is_valid
  const hidden = chosen.by === 'ticks' ? chosen.rows.some(isHidden) : chosen.filter.state === 'hidden'
  const valid = chosen.by === 'ticks' ? !chosen.rows.every(isHidden) : chosen.filter.state !== 'hidden'
  return [
    'assign',
    ...(valid ? (['hide'] as const) : []),
    ...(hidden ? (['restore'] as const) : []),
    ...(chosen.by === 'ticks' || hidden ? (['vanish'] as const) : []),
  ]
}

/** How many more conversations of each source that person would have, without those that are theirs already; null when not known. */
export function countsFor(chosen: Chosen, user_id: number): Record<Source, number> | null {
  if (chosen.by === 'filter') return null
  const others = chosen.rows.filter(({ owner, is_valid }) => owner?.id !== user_id && is_valid)
  const countOf = (source: Source) => others.filter(row => row.source === source).length
  const [web, api] = SOURCES
  return { [web]: countOf(web), [api]: countOf(api) }
}

/** The number of people who own one of them. */
export const ownersOf = (rows: readonly ConversationRow[]): number =>
  new Set(rows.flatMap(({ owner }) => (owner === null ? [] : [owner.id]))).size
