import { useState } from 'react'
import {
  type ConversationChangeResult,
  type ConversationCounts,
  ConversationFilter,
  type ConversationRow,
  MAX_CONVERSATION_IDS,
  type ConversationAction,
  type ConversationChange as Request,
} from '#contract/conversationAdministration.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { List } from '#web/admin/table/useList.ts'
import { validEntries } from '#web/admin/table/useListAddress.ts'
import type { Selection } from '#web/admin/table/DataTable.tsx'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

type Ticked = ReadonlyMap<string, ConversationRow>
const NONE: Ticked = new Map()

/** What is chosen in the list: ticked rows of any page, or all that match its filters. */
export function useSelectedConversations(list: List<ConversationRow>, counts: ConversationCounts | undefined) {
  const t = useTranslate()
  const [ticked, setTicked] = useState(NONE)
  const [isAll, setAll] = useState(false)
  const filter: ConversationFilter = validEntries(ConversationFilter, list.address.query)
  const chosen: SelectedConversations = isAll
    ? { by: 'filter', count: list.total, filter, before: counts?.time }
    : { by: 'ticks', count: ticked.size, rows: [...ticked.values()] }

  function select(keys: readonly string[], selected: boolean): void {
    setAll(false)
    const changed = new Set(keys)
    const others = [...ticked].filter(([key]) => !changed.has(key))
    const added = list.rows.filter(row => changed.has(list.keyOf(row))).map(row => [list.keyOf(row), row] as const)
    const next = new Map(selected ? [...others, ...added] : others)
    if (next.size > MAX_CONVERSATION_IDS) toast.refusal(t('conv.tooMany', { count: MAX_CONVERSATION_IDS }))
    else setTicked(next)
  }

  function clear(): void {
    setAll(false)
    setTicked(NONE)
  }

  const selection: Selection = { keys: new Set(ticked.keys()), select, clear }
  const isPageTicked = list.rows.length > 0 && list.rows.every(row => ticked.has(list.keyOf(row)))
  return {
    chosen,
    selection,
    clear,
    chooseAll: !isAll && isPageTicked && list.total > ticked.size ? () => setAll(true) : null,

    /** After a change, keeps those ticked that could not be changed. */
    keepFailed(result: ConversationChangeResult | null): void {
      const failed = new Set(Object.values(result?.failed_ids ?? {}).flat())
      setAll(false)
      setTicked(before => new Map([...before].filter(([, { id }]) => failed.has(id))))
    },
  }
}

/** The conversations that are chosen: the ticked ones, or all that match the filters of the list. */
export type SelectedConversations =
  | { by: 'ticks'; count: number; rows: readonly ConversationRow[] }
  /** `before`: when they were counted. What comes later is left alone. */
  | { by: 'filter'; count: number; filter: ConversationFilter; before: string | undefined }

export function requestFor(chosen: SelectedConversations, action: ConversationAction, user_id?: number): Request {
  return {
    action,
    ...(chosen.by === 'ticks'
      ? { ids: chosen.rows.map(({ id }) => id) }
      : { filter: chosen.filter, ...(chosen.before !== undefined && { before: chosen.before }) }),
    ...(user_id !== undefined && { user_id }),
  }
}

/** The possible actions: nothing is hidden twice, and with a filter only hidden conversations can be destroyed. */
export function actionsFor(chosen: SelectedConversations): ConversationAction[] {
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

/**
 * How many more conversations of each source that person would have, without those that are theirs already; null when
 * not known.
 */
export function countsFor(chosen: SelectedConversations, user_id: number): Record<Source, number> | null {
  if (chosen.by === 'filter') return null
  const others = chosen.rows.filter(({ owner, is_valid }) => owner?.id !== user_id && is_valid)
  const countOf = (source: Source) => others.filter(row => row.source === source).length
  const [web, api] = SOURCES
  return { [web]: countOf(web), [api]: countOf(api) }
}

/** The number of people who own one of them. */
export const ownersOf = (rows: readonly ConversationRow[]): number =>
  new Set(rows.flatMap(({ owner }) => (owner === null ? [] : [owner.id]))).size
