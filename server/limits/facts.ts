import type { Configuration } from '#contract/configuration.ts'
import { isNewConversation, type RequestedAsk } from '#server/asks/ask.ts'
import { effectiveSetting, remainingOfModel } from '#server/policy/effectiveSetting.ts'
import { inheritsRateLimits, type SourceSettingRow } from '#server/policy/plans.ts'
import { isEnabled } from '#server/configuration/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SourceTraits } from '#server/sources/source.ts'
import { limitStore, type CurrentCounts } from './store.ts'
import type { AskFacts } from './rules.ts'

type Asker = { user_id: number; source: SourceTraits; now: number; configuration: Configuration }

/** `waiting`: how many wait in the queue. */
export type SourceFacts = Awaited<ReturnType<typeof readSourceFacts>> & { waiting: number }

/** Milliseconds. Asks of this window are read together with the other facts; a longer rate window needs a second query. */
const USUAL_WINDOW = 10_800_000

/** Facts that the caller reads: admission reads them under its locks, together with others. */
type Known = { row: Promise<SourceSettingRow | undefined>; counts: Promise<CurrentCounts> }

/** Reads everything that the rules need of one person and source, once for all models. */
export async function readSourceFacts(
  database: Database,
  { user_id, source: traits, now, configuration }: Asker,
  known: Known,
) {
  const source = traits.code
  const store = limitStore(database)
  const [row, { allowances, used, asks }, { running, valid_conversations }] = await Promise.all([
    known.row,
    // After the lock that the caller may have asked for: what was used is what is stored when it is held.
    store.countsAndAsks({
      user_id,
      source,
      since: now - USUAL_WINDOW,
      inherited: inheritsRateLimits(configuration, source),
    }),
    known.counts,
  ])
  if (row === undefined) throw new Refusal('userNotAllowToUseChatType')
  const setting = effectiveSetting({ row, allowances, used }, configuration)
  const longest = Math.max(0, ...setting.rate_limits.map(limit => limit.window_seconds * 1000))
  const recent_asks =
    longest > USUAL_WINDOW
      ? await store.asksSince({
          user_id,
          source,
          since: now - longest,
          inherited: inheritsRateLimits(configuration, source),
        })
      : asks.filter(time => time > now - longest)
  return { now, configuration, source: traits, setting, valid_conversations, recent_asks, running }
}

/** What of an ask the rules are about. */
type AskedOf = Pick<RequestedAsk, 'model' | 'attachments'> & Parameters<typeof isNewConversation>[0]

/** The facts of one ask. */
export function factsOf(read: SourceFacts, ask: AskedOf): AskFacts {
  const { configuration, source, now, setting, valid_conversations, recent_asks, running, waiting } = read
  return {
    model: ask.model,
    new_conversation: isNewConversation(ask),
    attachments: ask.attachments.filter(({ sent_as }) => sent_as !== 'picture').length,
    images: ask.attachments.filter(({ sent_as }) => sent_as === 'picture').length,
    now,
    setting,
    valid_conversations,
    recent_asks,
    running,
    waiting,
    time_zone: configuration.portal.time_zone,
    plan: source.plan(configuration),
    source_enabled: configuration[source.code].enabled,
    model_enabled: isEnabled(configuration, source.code, ask.model),
    uploading_disabled: setting.disable_uploading || !source.takesUploads(configuration),
    model_ask_count: remainingOfModel(setting, ask.model),
    max_running: configuration.asking.max_running_asks_per_user,
    max_waiting: configuration.asking.max_queue_length,
  }
}
