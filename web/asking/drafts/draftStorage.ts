export type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { names(): string[] }
/** Drafts by conversation, and held questions by ask. */
export type Entries = Record<string, string>

const HELD = /#sent.*$/

export function heldAs(conversation: string, ask_id: string): string {
  return `${conversation}#sent.${ask_id}`
}

export function heldIn(entries: Entries): string[] {
  return Object.keys(entries).filter(key => HELD.test(key))
}

/** The drafts of all of these. The page was left before the server had taken what was held: that is a draft again. */
export function draftsIn(all: Iterable<Entries>): Entries {
  const drafts: Entries = {}
  for (const entries of all) {
    for (const [key, text] of Object.entries(entries)) {
      const conversation = key.replace(HELD, '')
      drafts[conversation] = joined(text, drafts[conversation] ?? '')
    }
  }
  return drafts
}

export function joined(first: string, second: string): string {
  return second.trim() === '' || second === first ? first : `${first}\n\n${second}`
}

/** Of one person: an entry for each tab, and one of the time when all of them had it together. */
export function namesOf(user_id: number, place: Place): string[] {
  const theirs = new RegExp(`^drafts\\.([^.]+\\.)?${user_id}$`)
  return place.names().filter(name => theirs.test(name))
}

export function stored(place: Place, name: string): Entries {
  try {
    const value: unknown = JSON.parse(place.getItem(name) ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}

/** What stands where another tab has taken everything. Removed is only what was forgotten when somebody signed out. */
const TAKEN = '{}'

export function leaveTaken(place: Place, name: string): void {
  if (Object.keys(stored(place, name)).length === 0) place.removeItem(name)
  else place.setItem(name, TAKEN)
}

export function isTaken(place: Place, name: string): boolean {
  return place.getItem(name) === TAKEN
}

/** Returns whether it was stored. */
export function store(place: Place, name: string, entries: [string, string][]): boolean {
  try {
    if (entries.length === 0) place.removeItem(name)
    else place.setItem(name, JSON.stringify(Object.fromEntries(entries)))
    return true
  } catch {
    // Full or forbidden: memory has it.
    return false
  }
}
