import { useSession } from '#web/foundation/session.ts'
import { readStored, writeStored } from '#web/foundation/stored.ts'

/**
 * Where the person has asked and not yet seen the end: ids of conversations, kept by the browser for whoever is signed in. What
 * became of it meanwhile, only the list tells. Answers with `known` itself while it says the same.
 */
export function changeUnseen(known: ReadonlySet<string>, change: (unseen: Set<string>) => void): ReadonlySet<string> {
  const { user } = useSession.getState()
  if (user === null) return known.size === 0 ? known : new Set()
  const name = `unseen.${user.id}`
  const before = readStored(name)
  const unseen = idsIn(before)
  change(unseen)
  const after = unseen.size === 0 ? null : [...unseen].join(' ')
  if (after !== before) writeStored(name, after)
  return unseen.size === known.size && [...unseen].every(id => known.has(id)) ? known : unseen
}

function idsIn(kept: string | null): Set<string> {
  return new Set(kept === null ? [] : kept.split(' '))
}
