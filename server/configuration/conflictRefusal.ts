import { Refusal } from '#server/foundation/refusal.ts'
import type { NamesOf } from './settings.ts'

/**
 * What somebody else has changed since it was read: where it stands in the body, and whoever changed it, where that is
 * known.
 */
export type Conflict = { path: string[]; by_user_id: number | null }

/** The refusal names the settings and whoever changed them: a setting that was reset has nobody. */
export async function conflictRefusal(conflicts: readonly Conflict[], namesOf: NamesOf): Promise<Refusal> {
  const names = await namesOf([...new Set(conflicts.flatMap(({ by_user_id }) => by_user_id ?? []))])
  const people = [...new Set(names.values())].join(', ')
  const settings = conflicts.map(({ path }) => path.join('.')).join(', ')
  const detail = conflicts.map(({ path, by_user_id }) => {
    const name = names.get(by_user_id ?? 0)
    const msg = name === undefined ? 'was changed meanwhile' : `was changed meanwhile by ${name}`
    return { loc: ['body', ...path], msg, type: 'conflict' }
  })
  return new Refusal('configurationConflict', { settings, ...(people && { people }) }, { detail })
}
