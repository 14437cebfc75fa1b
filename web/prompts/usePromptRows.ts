import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { isForInputMethod } from '#web/foundation/shortcuts.ts'
import { matchingPrompts, type PromptMatches } from './matches.ts'
import { promptsQuery } from './prompts.ts'
import type { Slash } from './slash.ts'

export type MenuRow = { kind: 'prompt'; prompt: Prompt } | { kind: 'new' } | { kind: 'own' }

export type PromptRows = {
  found: PromptMatches
  all: readonly MenuRow[]
  /** Which of them Enter chooses; -1 for none. */
  active: number
  error: Error | null
  retry(): unknown
}

/** The rows of the menu of a slash, and how keys move in it; null while there is nothing to show. */
export function usePromptRows(slash: Slash | null) {
  const { data, error, refetch } = useQuery({ ...promptsQuery, enabled: slash !== null, meta: { quiet: 'whileEmpty' } })
  const query = slash?.query ?? ''
  const found = useMemo(() => matchingPrompts(data ?? [], query), [data, query])
  const [moved, setMoved] = useState<{ to: number; slash: Slash } | null>(null)
  const prompts = [...found.own, ...found.shared].map(prompt => ({ kind: 'prompt', prompt }) as const)
  const all: MenuRow[] = [...prompts, { kind: 'new' }, { kind: 'own' }]
  const active = moved !== null && moved.slash === slash ? moved.to : prompts.length > 0 ? 0 : -1
  const isOpen =
    slash !== null && (error !== null || data !== undefined) && (prompts.length > 0 || !IS_NO_NAME.test(query))

  /** What a key does in the menu: the row that it chooses, `close`, or null for nothing. */
  const keyed = (event: KeyboardEvent): MenuRow | 'moved' | 'close' | null => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (!isOpen || isForInputMethod(event) || ctrlKey || metaKey || altKey || shiftKey) return null
    if (key === 'Escape') return 'close'
    if (key === 'Enter' || key === 'Tab') return all[active] ?? null
    const step = STEPS[key]
    if (step === undefined) return null
    setMoved({ to: (Math.max(active, step > 0 ? -1 : 0) + step + all.length) % all.length, slash })
    return 'moved'
  }
  const rows: PromptRows | null = isOpen ? { found, all, active, error, retry: refetch } : null
  return { rows, keyed }
}

/** A path or a sentence that nothing is called like: it is what the person asks. */
const IS_NO_NAME = /[\s/]/

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
