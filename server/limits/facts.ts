import type { AskRequest } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import { effectiveSetting, remainingOfModel } from '#server/policy/effectiveSetting.ts'
import { inheritsRateLimits, type SourceSettingRow } from '#server/policy/plans.ts'
import { isEnabled } from '#server/configuration/models.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { limitStore, type CurrentCounts } from './store.ts'
import type { AskFacts } from './rules.ts'

type Asker = { user_id: number; source: Source; now: number; configuration: Configuration }

/** What the rules need to know of an ask. */
export type AskShape = { model: string; new_conversation: boolean; attachments: number; images: number }

export const shapeOf = (request: AskRequest): AskShape => ({
  model: request.model,
  new_conversation: request.new_conversation,
  attachments: request.openai_web_attachments?.length ?? 0,
  images: request.openai_web_multimodal_image_parts?.length ?? 0,
})

/** `waiting`: how many wait in the queue. */
export type SourceFacts = Awaited<ReturnType<typeof readSourceFacts>> & { waiting: number }

/** Milliseconds. Asks of this window are read together with the other facts; a longer rate window needs a second query. */
const USUAL_WINDOW = 10_800_000

/** Facts that the caller reads: admission reads them under its locks, together with others. */
type Known = { row: Promise<SourceSettingRow | undefined>; counts: Promise<CurrentCounts> }

/** Reads everything that the rules need of one person and source, once for all models. */
export async function readSourceFacts(
  database: Database,
  { user_id, source, now, configuration }: Asker,
  known: Known,
) {
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
  return { now, configuration, source, setting, valid_conversations, recent_asks, running }
}

/** The facts of one ask. */
export function factsOf(read: SourceFacts, shape: AskShape): AskFacts {
  const { configuration, source, now, setting, valid_conversations, recent_asks, running, waiting } = read
  return {
    ...shape,
    now,
    setting,
    valid_conversations,
    recent_asks,
    running,
    waiting,
    time_zone: configuration.portal.time_zone,
    source,
    is_plus_account: configuration.openai_web.is_plus_account,
    source_enabled: configuration[source].enabled,
    model_enabled: isEnabled(configuration, source, shape.model),
    uploading_disabled: setting.disable_uploading || configuration.openai_web.disable_uploading,
    model_ask_count: remainingOfModel(setting, shape.model),
    max_running: configuration.asking.max_running_asks_per_user,
    max_waiting: configuration.asking.max_queue_length,
  }
}
