import { hashKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { RefusedCall } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'

/** What the foot of a drawer shows. */
export type Saving = {
  /** The number of unsaved changes. */
  count: number
  /** How many fields have a wrong value. While there are any, nothing is saved. */
  wrong: number
  /** Fields that somebody else has changed meanwhile, too. Each must be settled before anything is saved. */
  conflicts: readonly unknown[]
  pending: boolean
  /** True when it is stored. */
  save(): Promise<boolean>
  discard(): void
  /** The changes one by one, above the buttons. */
  list?: ReactNode
  /** For something new: a note in place of the number of changes, and the labels of the buttons. */
  adding?: { note: string; verb: string; cancel: string }
}

type Name<Fields> = keyof Fields & string
/** Texts by the names of fields. */
type Texts = Readonly<Record<string, string>>

export type Conflict<Fields> = { name: Name<Fields>; mine: unknown; theirs: unknown }

export type Changes<Fields> = Omit<Saving, 'conflicts'> & {
  /** The stored values with the changes applied. */
  values: Fields
  change(changes: Partial<Fields>): void
  /** Back to what is stored. */
  undo(name: Name<Fields>): void
  isChanged(name: Name<Fields>): boolean
  /** In the order in which they were made. */
  changed: readonly Name<Fields>[]
  conflicts: readonly Conflict<Fields>[]
  /** Settles a conflict: `mine` is sent with the next save, `theirs` replaces the change. */
  settle(name: Name<Fields>, whose: 'mine' | 'theirs'): void
  /** What the server found wrong, until the field is changed. */
  refused: Texts
}

type ChangesOptions<Fields> = {
  /** The stored values as last fetched: the same object until they are fetched again. */
  stored: Fields
  /**
   * Stores what was changed, with the values that the person saw of exactly these fields. Refused with
   * `changedMeanwhile` or `configurationConflict` where they are others now.
   */
  save(changed: Partial<Fields>, expected: Partial<Fields>): Promise<void>
  /** Fetches what is stored now: after saving, and after a refusal. */
  reload(): Promise<Fields>
  /** How many values are wrong. */
  wrong?(values: Fields): number
  /** The texts of a refusal, by the fields that it is about. */
  refusedFields?(refusal: RefusedCall, changed: Partial<Fields>): Texts
  /** Shows a field that was refused; without it the refusal is reported, too. */
  onRefused?(name: string): void
  /** Whether a change changes nothing; by default, where both are equal as JSON. */
  isSame?(mine: unknown, stored: unknown, name: string): boolean
}

/** A change with the value that was seen before it. */
type Draft = { mine: unknown; seen: unknown }
type Drafts = Readonly<Record<string, Draft>>

const CONFLICTS: readonly (string | null)[] = ['changedMeanwhile', 'configurationConflict']

/**
 * A form over stored values that others may change too: only changed fields are sent, and nobody's change is lost.
 * What is stored is compared with what was seen whenever it is fetched.
 */
export function useChanges<Fields extends object>(options: ChangesOptions<Fields>): Changes<Fields> {
  const { now, setNow } = useStored(options.stored)
  const isSame = options.isSame ?? isEqual
  const [drafts, setDrafts] = useState<Drafts>({})
  const [refused, setRefused] = useState<Texts>({})
  // Whoever else made the same change has made it.
  const changed = filtered(drafts, ({ mine }, name) => !isSame(mine, valueAt(now, name), name))
  const values = { ...now, ...partOf<Fields>(changed, 'mine') }

  const setChanged = (names: readonly string[], next: (before: Drafts) => Drafts) => {
    setDrafts(before => next(filtered(before, ({ mine }, name) => !isSame(mine, valueAt(now, name), name))))
    setRefused(texts => filtered(texts, (_text, name) => !names.includes(name)))
  }
  const undo = (name: Name<Fields>) => setChanged([name], before => filtered(before, (_draft, each) => each !== name))
  const discard = () => {
    setDrafts({})
    setRefused({})
  }
  const { pending, save } = useSave<Fields>(options, changed, {
    setNow,
    setRefused,
    keepUnsaved: saved => setDrafts(latest => withoutSaved(latest, changed, saved)),
  })
  return {
    values,
    count: Object.keys(changed).length,
    wrong: options.wrong?.(values) ?? 0,
    // What is saved just now is stored before it is read.
    conflicts: pending ? [] : conflictsIn<Fields>(changed, now),
    refused,
    pending,
    save,
    discard,
    undo,
    isChanged: name => name in changed,
    changed: Object.keys(changed) as Name<Fields>[], // names of Fields
    change: changes =>
      setChanged(Object.keys(changes), before => {
        const seenOf = (name: string) => (name in before ? before[name]?.seen : valueAt(now, name))
        const made = Object.entries(changes).map(([name, mine]) => [name, { mine, seen: seenOf(name) }])
        const next: Drafts = { ...before, ...Object.fromEntries(made) }
        return filtered(next, ({ mine, seen }, name) => !isSame(mine, seen, name))
      }),
    settle(name, whose) {
      if (whose === 'theirs') undo(name)
      else
        setChanged([], before =>
          mapped(before, (draft, each) => (each === name ? { ...draft, seen: valueAt(now, each) } : draft)),
        )
    },
  }
}

/** What a reload gave counts at once: the query behind `stored` tells of it later. */
function useStored<Fields>(stored: Fields) {
  const [read, setRead] = useState({ stored, now: stored })
  return { now: read.stored === stored ? read.now : stored, setNow: (now: Fields) => setRead({ stored, now }) }
}

type SaveActions<Fields> = {
  setNow(now: Fields): void
  setRefused(texts: Texts): void
  keepUnsaved(saved: Fields | undefined): void
}

function useSave<Fields extends object>(
  options: ChangesOptions<Fields>,
  changed: Drafts,
  { setNow, setRefused, keepUnsaved }: SaveActions<Fields>,
) {
  const [pending, setPending] = useState(false)
  const mine = partOf<Fields>(changed, 'mine')
  const reload = async () => {
    const now = await options.reload()
    setNow(now)
    return now
  }

  /** The fields that it is about. */
  async function show(refusal: RefusedCall): Promise<string[]> {
    if (CONFLICTS.includes(refusal.key)) return conflictsIn<Fields>(changed, await reload()).map(({ name }) => name)
    const texts = options.refusedFields?.(refusal, mine) ?? {}
    setRefused(texts)
    return options.onRefused === undefined ? [] : Object.keys(texts)
  }

  async function refuse(failure: unknown): Promise<void> {
    const [first] = failure instanceof RefusedCall ? await show(failure).catch(() => []) : []
    if (first === undefined) reportFailure(failure)
    else options.onRefused?.(first)
  }

  async function save(): Promise<boolean> {
    setPending(true)
    setRefused({})
    try {
      await options.save(mine, partOf<Fields>(changed, 'seen'))
      keepUnsaved((await reload().catch(reportUnlessAway)) ?? undefined)
      return true
    } catch (error) {
      await refuse(error)
      return false
    } finally {
      setPending(false)
    }
  }
  return { pending, save }
}

/**
 * Reports a refused reload, since the changes are saved. When the server cannot be reached it throws, and they may be
 * saved again.
 */
function reportUnlessAway(error: unknown): void {
  if (!(error instanceof RefusedCall)) throw error
  reportFailure(error)
}

/** What was typed while saving stays a change, based on what is stored since. */
function withoutSaved(latest: Drafts, saved: Drafts, now: object | undefined): Drafts {
  const left = filtered(latest, ({ mine }, name) => !(name in saved && isEqual(mine, saved[name]?.mine)))
  return mapped(left, (draft, name) => {
    const sent = saved[name]
    return sent === undefined ? draft : { ...draft, seen: now === undefined ? sent.mine : valueAt(now, name) }
  })
}

function conflictsIn<Fields>(changed: Drafts, now: object): Conflict<Fields>[] {
  return Object.entries(changed)
    .map(([name, { mine, seen }]) => ({ name: name as Name<Fields>, mine, seen, theirs: valueAt(now, name) })) // of Fields
    .filter(({ mine, seen, theirs }) => !isEqual(theirs, seen) && !isEqual(theirs, mine))
    .map(({ name, mine, theirs }) => ({ name, mine, theirs }))
}

function partOf<Fields>(drafts: Drafts, part: keyof Draft): Partial<Fields> {
  return mapped(drafts, draft => draft[part]) as Partial<Fields> // entries of Fields
}

const valueAt = (values: object, name: string): unknown => Reflect.get(values, name)

function filtered<Entries extends object>(
  entries: Entries,
  isKept: (value: Entries[keyof Entries], name: string) => boolean,
) {
  return Object.fromEntries(Object.entries(entries).filter(([name, value]) => isKept(value, name))) as Entries // some of them
}

function mapped<Value, To>(entries: Readonly<Record<string, Value>>, to: (value: Value, name: string) => To) {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, to(value, name)]))
}

/** Whether two JSON values are equal, in whatever order their keys are. */
export const isEqual = (one: unknown, other: unknown): boolean => hashKey([one]) === hashKey([other])
