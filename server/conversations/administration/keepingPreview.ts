import type { QueryOf, ResultOf } from '#contract/call.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ApartFromSettings, Going, previewKeeping } from '#contract/keeping.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { allUsers, heldUsers, namesOf } from '#server/users/store.ts'
import { endingStore, type Ending } from '../endingStore.ts'
import { iso } from '../history.ts'
import type { KeepingTerms, Terms } from '../terms.ts'
import { agedEnding, deletedEnding } from './keepingJob.ts'

/** People who are named of each kind. */
const MAX_NAMED = 20

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Pick<Configuration, 'keeping'>
  terms: Pick<KeepingTerms, 'readAll' | 'cleaningFrom'>
  /** Files that expire until then. */
  expiringFiles(time: number): Promise<{ count: number; bytes: number }>
}

type OfOwner = { user_id: number | null; conversations: number }

export type KeepingPreviews = ReturnType<typeof openKeepingPreview>

/** What the next run of the job will remove, for administrators. */
export function openKeepingPreview({ open, clock, configuration, terms, expiringFiles }: Dependencies) {
  async function counted(
    kind: Ending['kind'],
    endingOf: (user_id: number | null) => Ending | null,
  ): Promise<OfOwner[]> {
    const store = endingStore(open.readOnly())
    const counts: OfOwner[] = []
    for (const user_id of await store.owners(kind)) {
      const ending = endingOf(user_id)
      if (ending !== null) counts.push({ user_id, conversations: await store.countEnding(user_id, ending) })
    }
    return counts.filter(({ conversations }) => conversations > 0)
  }

  return async (query: QueryOf<typeof previewKeeping>): Promise<ResultOf<typeof previewKeeping>> => {
    const time = terms.cleaningFrom(clock.now())
    const termsOf = await terms.readAll()
    const asked = (user_id: number | null): Terms => withDays(termsOf(user_id), query)
    const [aged, deleted, files, held, everybody] = await Promise.all([
      counted('aged', user_id => agedEnding(asked(user_id), time)),
      counted('deleted', user_id => deletedEnding(asked(user_id), time)),
      expiringFiles(time),
      heldUsers(open.database).execute(),
      allUsers(open.database).select('id').execute(),
    ])
    const people = everybody.map(({ id }) => termsOf(id))
    const nameOf = await namesOf(
      open.database,
      [...aged, ...deleted].map(({ user_id }) => user_id).concat(held.map(({ id }) => id)),
    )
    const going = (counts: readonly OfOwner[]): Going => ({
      conversations: counts.reduce((sum, { conversations }) => sum + conversations, 0),
      people: counts.filter(({ user_id }) => user_id !== null).length,
      of: counts
        .toSorted((one, other) => other.conversations - one.conversations)
        .slice(0, MAX_NAMED)
        .map(({ user_id, conversations }) => ({ owner: nameOf(user_id), conversations })),
    })
    return {
      time: iso(time),
      aged: going(aged),
      deleted: going(deleted),
      files,
      apart: { aged: apartIn(people, 'conversation_days'), deleted: apartIn(people, 'deleted_days') },
      audit_days: configuration().keeping.audit_days,
      held: held.flatMap(({ id }) => nameOf(id) ?? []),
    }
  }
}

/** Whom the settings do not say the days, by what does: the plans with the most people first. */
function apartIn(people: readonly Terms[], name: keyof Terms['origins']): ApartFromSettings[] {
  const apart = people.flatMap(terms => {
    const origin = terms.origins[name]
    return origin === null ? [] : [{ plan: origin.from === 'plan' ? origin.name : null, days: terms[name] }]
  })
  return [...Map.groupBy(apart, ({ plan, days }) => JSON.stringify([plan, days])).values()]
    .flatMap(([first, ...others]) => (first === undefined ? [] : [{ ...first, people: others.length + 1 }]))
    .toSorted((one, other) => other.people - one.people)
    .slice(0, MAX_NAMED)
}

/** With other days where the settings are what counts. */
function withDays(own: Terms, query: QueryOf<typeof previewKeeping>): Terms {
  const other = (name: 'conversation_days' | 'deleted_days') =>
    query[name] !== undefined && own.origins[name] === null ? Number(query[name]) : own[name]
  return { ...own, conversation_days: other('conversation_days'), deleted_days: other('deleted_days') }
}
