import { sql } from 'kysely'
import type { Source } from '#contract/models.ts'
import { CHARGED_WHOLE } from '#contract/quietAsks.ts'
import type { LimitUnit } from '#contract/plans.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { activeAsks, chargeableAsks } from '#server/asks/store.ts'
import { validConversations } from '#server/conversations/store.ts'
import { ownAllowances, withBoundedConversations, withRateLimits } from '#server/policy/store.ts'
import { liveGrants } from '#server/usage/requestStore.ts'
import { usedBy } from '#server/usage/store.ts'

type UserOfSource = { user_id: number; source: Source }

/** `inherited`: whether the default plan limits rates. */
type Since = UserOfSource & { now: number; since: number; inherited: boolean }

/** The asks that were charged or still may be; none where no rate is limited. */
const asksOf = (database: Database, { since, ...owner }: Since) =>
  chargeableAsks(database, { user_id: owner.user_id, source: owner.source, since }).where(({ exists }) =>
    exists(withRateLimits(database, owner).select('rate_limits')),
  )

const asksSince = prepared((database, asked: Since) =>
  asksOf(database, asked).select(['create_time', 'charged']).orderBy('create_time'),
)

/**
 * When asks were made, oldest first: of those that are charged half each second one, which makes a whole with the one
 * before.
 */
function wholeAsks(asks: readonly { create_time: number; charged: number }[]): number[] {
  let part = 0
  return asks.flatMap(({ create_time, charged }) => {
    part += charged
    if (part < CHARGED_WHOLE) return []
    part -= CHARGED_WHOLE
    return [create_time]
  })
}

/**
 * What a row of `countsAndAsks` says: how much of a model is allowed as an own value, how much of it was used, when an
 * ask was made, how much of a unit was granted.
 */
const ALLOWED = 0
const USED = 1
const ASK = 2
const GRANTED = 3

/** One statement, since every admission needs all of it. */
const countsAndAsks = prepared((database, asked: Since) =>
  ownAllowances(database, asked)
    .select(({ lit }) => [lit(ALLOWED).as('says'), 'model', 'ask_allowed as value'])
    .$castTo<{ says: number; model: string | null; value: number }>()
    .unionAll(
      database
        .selectFrom(usedBy(database, asked).as('used_by'))
        .select(({ lit }) => [lit(USED).as('says'), 'model', 'used as value']),
    )
    .unionAll(
      asksOf(database, asked).select(({ lit }) => [
        lit(ASK).as('says'),
        sql<string | null>`cast(charged as text)`.as('model'),
        'create_time as value',
      ]),
    )
    .unionAll(
      liveGrants(database, asked)
        .where('source', '=', asked.source)
        .select(({ lit }) => [lit(GRANTED).as('says'), 'unit as model', 'granted_amount as value'])
        .$castTo<{ says: number; model: string | null; value: number }>(),
    ),
)

/**
 * Subqueries: how many asks of the person run or wait, and how many valid conversations they have. Conversations are
 * counted only for people who have a limit of them (`bounded`: the default plan has one). Each is counted from an index
 * of its own.
 */
export const currentCountsOf = (database: Database, userOfSource: UserOfSource & { bounded: boolean }) =>
  [
    activeAsks(database)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userOfSource.user_id)
      // In nobody's way, whichever came first.
      .where('is_beside', '=', false)
      .as('running'),
    validConversations(database)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userOfSource.user_id)
      .where('source', '=', userOfSource.source)
      .where(({ exists }) =>
        exists(
          withBoundedConversations(database, {
            user_id: userOfSource.user_id,
            source: userOfSource.source,
            inherited: userOfSource.bounded,
          }).select('max_conv_count'),
        ),
      )
      .as('valid_conversations'),
  ] as const

/** `running`: asks that run or wait. */
export type CurrentCounts = { running: number; valid_conversations: number }

const currentCounts = prepared((database, userOfSource: UserOfSource & { bounded: boolean }) =>
  database.selectNoFrom(() => [...currentCountsOf(database, userOfSource)]).$narrowType<CurrentCounts>(),
)

export function limitStore(database: Database) {
  return {
    /** The own allowances and what was used by model, the times as of `asksSince`, and what was granted. */
    countsAndAsks: async (asked: Since) => {
      const rows = await countsAndAsks.rows(database, asked)
      const of = (what: number) =>
        rows.filter(({ says }) => says === what).map(({ model, value }) => ({ model: model ?? '', value }))
      return {
        allowances: of(ALLOWED).map(({ model, value }) => ({ model, ask_allowed: value })),
        used: of(USED).map(({ model, value }) => ({ model, used: value })),
        asks: wholeAsks(
          of(ASK)
            .map(({ model, value }) => ({ create_time: value, charged: Number(model) }))
            .sort((a, b) => a.create_time - b.create_time),
        ),
        // a request has one of the units
        grants: of(GRANTED).map(({ model, value }) => ({
          source: asked.source,
          unit: model as LimitUnit,
          amount: value,
        })),
      }
    },
    currentCounts: (userOfSource: UserOfSource & { bounded: boolean }) => currentCounts.one(database, userOfSource),
    /** When the asks were made that were charged or still may be, oldest first; none where no rate is limited. */
    asksSince: (asked: Since) => asksSince.rows(database, asked).then(wholeAsks),
  }
}
