import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ValueOrigin } from '#contract/plans.ts'
import { type Clock, nextHourOfWall } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { commonValues } from '#server/policy/commonValues.ts'
import { readPlans } from '#server/policy/planStore.ts'
import { withPlans } from '#server/policy/planTree.ts'
import { heldAmong } from '#server/users/store.ts'
import type { ConversationRow } from './store.ts'

const HOUR = 3_600_000
export const DAY = 24 * HOUR
/** The hour of the portal's day at which everything goes that is past its time. */
const HOUR_OF_CLEANING = 4
/** Milliseconds before the end of a conversation for its age at which its person is told. */
export const NOTICE_MS = 7 * DAY
/** A day of summer time is an hour shorter. */
const SHORTER_DAYS = HOUR

/** How long what belongs to somebody is kept; of nobody, as the default plan says. Days; -1 is for ever. */
export type Terms = {
  conversation_days: number
  deleted_days: number
  origins: { [name in 'conversation_days' | 'deleted_days']: ValueOrigin | null }
  /** Nothing of theirs is removed. */
  is_held: boolean
}

export type TermsOf = (user_id: number | null) => Terms

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration }

export type KeepingTerms = ReturnType<typeof openTerms>

/** How long things are kept, and when they go. */
export function openTerms({ open, clock, configuration }: Dependencies) {
  /** What is past its time goes the next time. */
  const goesFrom = (due: number) => cleaningFrom(Math.max(due, clock.now()))

  /** The next time at which things go. */
  const cleaningFrom = (moment: number) => nextHourOfWall(moment, HOUR_OF_CLEANING, configuration().portal.time_zone)

  async function read(settings: Configuration, user_ids: readonly number[] | null): Promise<TermsOf> {
    const [valuesOf, held] = await Promise.all([
      commonValues(open.database, settings, user_ids),
      heldAmong(open.database, user_ids),
    ])
    return user_id => {
      const { retention_days, deleted_retention_days } = valuesOf(user_id)
      const { conversation_days, deleted_days } = settings.keeping
      return {
        conversation_days: retention_days.value ?? conversation_days,
        deleted_days: deleted_retention_days.value ?? deleted_days,
        origins: {
          conversation_days: retention_days.value === null ? null : retention_days.origin,
          deleted_days: deleted_retention_days.value === null ? null : deleted_retention_days.origin,
        },
        is_held: user_id !== null && held.has(user_id),
      }
    }
  }

  return {
    cleaningFrom,

    /** Of everybody, by the plans as they are stored now. */
    readAll: async () => read(withPlans(configuration(), await readPlans(open.database)), null),

    /** Of one person, or of nobody. */
    readOf: async (user_id: number | null): Promise<Terms> =>
      (await read(configuration(), user_id === null ? [] : [user_id]))(user_id),

    /** When a deleted conversation goes; null where nothing may be removed. At once where no days are kept. */
    endOfDeleted({ ends_from, hide_time }: Pick<ConversationRow, 'ends_from' | 'hide_time'>, terms: Terms) {
      const from = ends_from ?? hide_time
      if (from === null || terms.is_held) return null
      return terms.deleted_days === 0 ? from : goesFrom(dueDeleted(from, terms))
    },

    /** When a conversation goes for its age, once its person was told; null where it does not. */
    endOfAged(row: AgedRow, terms: Terms) {
      if (row.keep_state === 'asked' || row.keep_state === 'kept') return null
      if (!row.is_valid || row.notice_time === null || terms.conversation_days < 0 || terms.is_held) return null
      return goesFrom(dueAged({ used: row.update_time ?? row.create_time, announced: row.notice_time }, terms))
    },
  }
}

type AgedRow = Pick<ConversationRow, 'notice_time' | 'update_time' | 'create_time' | 'is_valid' | 'keep_state'>

/** Whose number of days ends what is old. */
export const endedBy = ({ conversation_days, origins }: Terms) => ({
  plan: origins.conversation_days?.from === 'plan' ? origins.conversation_days.name : null,
  days: conversation_days,
})

/** From when on a deleted conversation may go. */
export const dueDeleted = (ends_from: number, { deleted_days }: Terms): number => ends_from + deleted_days * DAY

/** From when on a conversation may go for its age: never before its person had the time to take it along. */
const dueAged = ({ used, announced }: { used: number; announced: number }, { conversation_days }: Terms): number =>
  Math.max(used + conversation_days * DAY, announced + NOTICE_MS - SHORTER_DAYS)

/** Used and announced no later than this, a conversation goes now. */
export const agedBefore = (now: number, { conversation_days }: Terms) => ({
  used: now - conversation_days * DAY,
  announced: now - NOTICE_MS + SHORTER_DAYS,
})
