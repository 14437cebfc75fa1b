import type { Clock } from '#server/foundation/clock.ts'

/** A list, and when it was read. Epoch milliseconds. */
export type Kept<T> = { list: T; read_time: number }

type Entry<T> = {
  kept: Kept<T> | null
  /** Something has changed since: it is only shown where it cannot be read again. */
  outdated: boolean
  reading: Promise<Kept<T>> | null
}

type Options = {
  clock: Clock
  /** Milliseconds for which a list is not read again. */
  for_ms: number
  /** So many lists; those that were asked for longest ago go first. */
  most: number
}

/** Lists of upstreams in memory, for a short time. Two people who ask at the same moment share one request. */
export function openKeptLists<T>({ clock, for_ms, most }: Options) {
  const entries = new Map<string, Entry<T>>()

  /** Moves the entry to the end, so that the first one is the one not used for longest. */
  function entryOf(key: string): Entry<T> {
    const entry = entries.get(key) ?? { kept: null, outdated: false, reading: null }
    entries.delete(key)
    entries.set(key, entry)
    for (const [oldest] of entries) {
      if (entries.size <= most) break
      entries.delete(oldest)
    }
    return entry
  }

  async function readInto(entry: Entry<T>, read: () => Promise<T>): Promise<Kept<T>> {
    const read_time = clock.now()
    const reading = read().then(list => ({ list, read_time }))
    entry.reading = reading
    entry.outdated = false
    try {
      const kept = await reading
      // What was forgotten meanwhile was read before the change.
      if (entry.reading === reading) entry.kept = kept
      return kept
    } finally {
      if (entry.reading === reading) entry.reading = null
    }
  }

  return {
    /** The kept one while it is new enough. `fresh`: as it is now. */
    async get(key: string, read: () => Promise<T>, { fresh = false } = {}): Promise<Kept<T>> {
      const entry = entryOf(key)
      if (entry.reading !== null) return entry.reading
      const { kept, outdated } = entry
      if (kept !== null && !outdated && !fresh && clock.now() - kept.read_time < for_ms) return kept
      return readInto(entry, read)
    },

    /** Whatever was read last, however long ago. */
    lastOf: (key: string): Kept<T> | null => entries.get(key)?.kept ?? null,

    /** Marks lists whose key begins so as outdated: they are read again when somebody asks for them. */
    forget(beginning: string): void {
      for (const [key, entry] of entries)
        if (key.startsWith(beginning)) {
          entry.outdated = true
          entry.reading = null
        }
    },
  }
}
