import { type ReactNode, useState } from 'react'
import { RefusedCall } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'

/** What the foot of a drawer shows. */
export type Saving = {
  /** The number of unsaved changes. */
  count: number
  /** How many fields have a wrong value. While there are any, nothing is saved. */
  wrong: number
  /** How many of them somebody else has changed meanwhile, too. Each must be settled before anything is saved. */
  unsettled: number
  pending: boolean
  /** True when it is stored. */
  save(): Promise<boolean>
  discard(): void
  /** The changes one by one, above the buttons. */
  list?: ReactNode
  /** For something new: a note in place of the number of changes, and the labels of the buttons. */
  adding?: { note: string; verb: string; cancel: string }
}

/** Somebody else has changed the same field meanwhile. */
export type Conflict<Fields> = { name: keyof Fields & string; mine: unknown; theirs: unknown }

export type Changes<Fields> = Saving & {
  /** The stored values with the changes applied. */
  values: Fields
  change(changes: Partial<Fields>): void
  /** Back to what is stored. */
  undo(name: keyof Fields): void
  isChanged(name: keyof Fields): boolean
  conflicts: readonly Conflict<Fields>[]
  /** Settles a conflict: `mine` is sent with the next save, `theirs` replaces the change. */
  settle(name: keyof Fields, whose: 'mine' | 'theirs'): void
}

type ChangesOptions<Fields> = {
  /** The stored values as last fetched. */
  stored: Fields
  /**
   * Stores what was changed, with the values that the person saw of exactly these fields. Refused with
   * `changedMeanwhile` where they are others now.
   */
  save(changed: Partial<Fields>, expected: Partial<Fields>): Promise<void>
  /** Fetches what is stored now: after saving, and after a refusal. */
  reload(): Promise<Fields>
  /** How many values are wrong. */
  wrong?(values: Fields): number
}

/** A change with the value that was seen before it. */
type Change = { mine: unknown; seen: unknown }
type Drafts = Readonly<Record<string, Change>>

/** A form over stored values that others may change too: only changed fields are sent, and nobody's change is lost. */
export function useChanges<Fields extends object>(options: ChangesOptions<Fields>): Changes<Fields> {
  const { stored, save, reload, wrong } = options
  const [drafts, setDrafts] = useState<Drafts>({})
  const [conflicts, setConflicts] = useState<readonly Conflict<Fields>[]>([])
  const [pending, setPending] = useState(false)
  const values = { ...stored, ...partOf(drafts, 'mine') }

  const change = (changes: Partial<Fields>) => setDrafts(before => withChanges(before, changes, stored))
  const drop = (name: keyof Fields) => {
    setDrafts(({ [name as string]: _dropped, ...others }) => others)
    setConflicts(all => all.filter(conflict => conflict.name !== name))
  }
  const discard = () => {
    setDrafts({})
    setConflicts([])
  }
  const saveAll = async () => {
    setPending(true)
    try {
      // entries of Fields
      await save(partOf(drafts, 'mine') as Partial<Fields>, partOf(drafts, 'seen') as Partial<Fields>)
      await reload().catch(reportUnlessAway)
      setDrafts(now => withoutSaved(now, drafts))
      setConflicts([])
      return true
    } catch (error) {
      if (error instanceof RefusedCall && error.key === 'changedMeanwhile')
        setConflicts(conflictsOf<Fields>(drafts, await reload().catch(() => stored)))
      else reportFailure(error)
      return false
    } finally {
      setPending(false)
    }
  }
  const settle = (name: keyof Fields, whose: 'mine' | 'theirs') => {
    const conflict = conflicts.find(one => one.name === name)
    if (conflict === undefined || whose === 'theirs') return drop(name)
    setDrafts(before => ({ ...before, [name]: { mine: conflict.mine, seen: conflict.theirs } }))
    setConflicts(all => all.filter(one => one !== conflict))
  }
  return {
    values,
    count: Object.keys(drafts).length,
    wrong: wrong?.(values) ?? 0,
    unsettled: conflicts.length,
    pending,
    save: saveAll,
    discard,
    change,
    undo: drop,
    isChanged: name => (name as string) in drafts,
    conflicts,
    settle,
  }
}

/**
 * Reports a refused reload, since the changes are saved. When the server cannot be reached it throws, and they may be
 * saved again.
 */
function reportUnlessAway(error: unknown): void {
  if (!(error instanceof RefusedCall)) throw error
  reportFailure(error)
}

/** A field with its stored value again is no change. */
function withChanges<Fields extends object>(drafts: Drafts, changes: Partial<Fields>, stored: Fields): Drafts {
  const next: Record<string, Change> = { ...drafts }
  for (const [name, mine] of Object.entries(changes)) {
    const seen = name in drafts ? drafts[name]?.seen : Reflect.get(stored, name)
    if (isSame(mine, seen)) delete next[name]
    else next[name] = { mine, seen }
  }
  return next
}

/** What was typed while saving stays a change, based on what was just stored. */
function withoutSaved(now: Drafts, saved: Drafts): Drafts {
  const left = Object.entries(now).flatMap(([name, { mine, seen }]): [string, Change][] => {
    const sent = saved[name]
    if (sent === undefined) return [[name, { mine, seen }]]
    return isSame(mine, sent.mine) ? [] : [[name, { mine, seen: sent.mine }]]
  })
  return Object.fromEntries(left)
}

function conflictsOf<Fields>(drafts: Drafts, now: object): Conflict<Fields>[] {
  return Object.entries(drafts)
    .map(([name, { mine, seen }]) => ({ name, mine, seen, theirs: Reflect.get(now, name) as unknown }))
    .filter(({ mine, seen, theirs }) => !isSame(theirs, seen) && !isSame(theirs, mine))
    .map(({ name, mine, theirs }) => ({ name: name as keyof Fields & string, mine, theirs })) // a name of Fields
}

function partOf(drafts: Drafts, part: keyof Change): Record<string, unknown> {
  return Object.fromEntries(Object.entries(drafts).map(([name, change]) => [name, change[part]]))
}

/** Whether two JSON values are equal. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
