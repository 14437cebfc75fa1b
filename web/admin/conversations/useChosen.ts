import { useState } from 'react'
import {
  type ConversationChangeResult,
  type ConversationCounts,
  ConversationFilter,
  type ConversationRow,
  MAX_CONVERSATION_IDS,
} from '#contract/conversationAdministration.ts'
import type { List } from '#web/admin/table/useList.ts'
import { validEntries } from '#web/admin/table/useListAddress.ts'
import type { Selection } from '#web/admin/table/useSelection.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { Chosen } from './chosen.ts'

type Ticked = ReadonlyMap<string, ConversationRow>
const NONE: Ticked = new Map()

/** What is chosen in the list: ticked rows of any page, or all that match its filters. */
export function useChosen(list: List<ConversationRow>, counts: ConversationCounts | undefined) {
  const t = useTranslate()
  const [ticked, setTicked] = useState(NONE)
  const [isAll, setAll] = useState(false)
  const filter: ConversationFilter = validEntries(ConversationFilter, list.address.query)
  const chosen: Chosen = isAll
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
