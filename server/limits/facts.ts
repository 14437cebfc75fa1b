import type { AskRequest } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { SourceSettingRow } from '#server/quotas/store.ts'
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
type Known = { setting: Promise<SourceSettingRow | undefined>; counts: Promise<CurrentCounts> }

/** Reads everything that the rules need of one person and source, once for all models. */
export async function readSourceFacts(
  database: Database,
  { user_id, source, now, configuration }: Asker,
  known: Known,
) {
  const store = limitStore(database)
  const [setting, { model_ask_counts, asks }, { running, valid_conversations }] = await Promise.all([
    known.setting,
    store.countsAndAsks(user_id, source, now - USUAL_WINDOW),
    known.counts,
  ])
  if (setting === undefined) throw new Refusal('userNotAllowToUseChatType')
  const longest = Math.max(0, ...setting.rate_limits.map(limit => limit.window_seconds * 1000))
  const recent_asks =
    longest > USUAL_WINDOW
      ? await store.asksSince(user_id, source, now - longest)
      : asks.filter(time => time > now - longest)
  return { now, configuration, source, setting, valid_conversations, recent_asks, running, model_ask_counts }
}

/** The facts of one ask. */
export function factsOf(read: SourceFacts, shape: AskShape): AskFacts {
  const { configuration, source, model_ask_counts, now, setting, valid_conversations, recent_asks, running, waiting } =
    read
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
    model_ask_count: model_ask_counts.get(shape.model),
    max_running: configuration.asking.max_running_asks_per_user,
    max_waiting: configuration.asking.max_queue_length,
  }
}
