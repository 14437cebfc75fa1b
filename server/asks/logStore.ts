import { attachmentTokens } from '#contract/attachmentTokens.ts'
import type { ExpressionBuilder } from 'kysely'
import type { LoggedOutcome } from '#contract/askLog.ts'
import type { Source } from '#contract/models.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { type Message, textOf, type Usage } from '#contract/messages.ts'
import type { Metered } from '#server/providers/relay.ts'

/** How many recent answers an estimate is made from. */
const RECENT = 20
const MAX_COUNTED = 10_000

type LogRow = {
  log_time: number
  source: string
  model: string
  user_id: number
  conversation_id: string | null
  queueing_time: number
  ask_time: number
  upstream_id: number | null
  outcome: LoggedOutcome
  failure_key: string | null
  answered: boolean
  /** Thousandths of it that its person paid. */
  charged: number
  prompt_tokens: number | null
  completion_tokens: number | null
  tokens_estimated: boolean
  cached_tokens: number | null
  /** Millionths of the portal's currency; null where the model had no price. */
  cost: number | null
  /** By which key, and with which tool; null: by the page. */
  key_id: number | null
  tool: string | null
}

/** gpt_4 and gpt_4_…; LIKE would mean different things on the two databases. */
const isGpt4 = (eb: ExpressionBuilder<Tables, 'ask_logs'>) =>
  eb.or([eb('model', '=', 'gpt_4'), eb.and([eb('model', '>', 'gpt_4_'), eb('model', '<', 'gpt_4`')])])

/** Subquery: all asks that ended, and those that a limit refused. */
export const loggedAsks = (database: Database) => database.selectFrom('ask_logs')

/** Asks that were answered, if only in part. The condition is that of the index. */
const answeredAsks = (database: Database) => loggedAsks(database).where(({ ref }) => ref('answered'))

const write = prepared((database, row: LogRow) => database.insertInto('ask_logs').values(row))

/** What became of asks, when and how fast. Queries and nothing else. */
export function askLogStore(database: Database) {
  return {
    write: (row: LogRow) => write.run(database, row),

    /** How long the latest answers of an upstream took, in milliseconds. */
    recentTimes: (upstream_id: number) =>
      answeredAsks(database)
        .select('ask_time')
        .where('upstream_id', '=', upstream_id)
        .orderBy('log_time', 'desc')
        .limit(RECENT)
        .execute()
        .then(rows => rows.map(row => row.ask_time * 1000)),

    /**
     * When an upstream answered since then, oldest first; of openai_web asks of the GPT-4 models, which the account
     * counts.
     */
    answeredSince: ({ id, source }: { id: number; source: Source }, since: number) =>
      answeredAsks(database)
        .select('log_time')
        .where('upstream_id', '=', id)
        .where('log_time', '>', since)
        .$if(source === 'openai_web', query => query.where(isGpt4))
        .orderBy('log_time')
        .limit(MAX_COUNTED)
        .execute()
        .then(rows => rows.map(row => row.log_time)),

    countGpt4Since: (since: number) =>
      answeredAsks(database)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('log_time', '>', since)
        .where('source', '=', 'openai_web')
        .where(isGpt4)
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    /** Makes the asks of a person anonymous. */
    forget: (user_id: number) =>
      database
        .updateTable('ask_logs')
        .set({ user_id: null, conversation_id: null, key_id: null })
        .where('user_id', '=', user_id)
        .execute(),

    /** Removes the earliest of those before a time, a few at once; returns how many. */
    async removeBefore(time: number, most: number): Promise<number> {
      const earliest = loggedAsks(database).select('id').where('log_time', '<', time).orderBy('log_time').limit(most)
      const { numDeletedRows } = await database.deleteFrom('ask_logs').where('id', 'in', earliest).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

/**
 * What an ask used. Null where nobody knows it: the upstream reported nothing, and there is no text to estimate it
 * from.
 */
export type Tokens = {
  prompt_tokens: number | null
  completion_tokens: number | null
  tokens_estimated: boolean
  /** Of the prompt; null where the upstream says nothing of it. */
  cached_tokens: number | null
}

export const NO_TOKENS: Tokens = {
  prompt_tokens: null,
  completion_tokens: null,
  tokens_estimated: false,
  cached_tokens: null,
}

/** Latin letters of a token on average. Han, kana, Hangul and what stands behind them take about one token each. */
const LETTERS = 4
const FIRST_OF_EAST_ASIA = 0x2e80

/** Most of a text that is looked at; the rest is taken to be like it. */
const SAMPLE = 20_000

/**
 * What the upstream reported with the answer, else an estimate from the texts. `prompt`: what was sent; null when that
 * is not known.
 */
export function tokensOf(answer: readonly Message[], prompt: readonly Message[] | null): Tokens {
  const reported = answer.map(usageOf).findLast(usage => usage !== null)
  if (reported) {
    const { prompt_tokens, completion_tokens, cached_tokens = null } = reported
    return { prompt_tokens, completion_tokens, cached_tokens, tokens_estimated: false }
  }
  return {
    prompt_tokens: prompt === null ? null : estimated(prompt, answer.at(-1)?.model ?? ''),
    completion_tokens: estimated(answer.filter(({ role }) => role !== 'user')),
    tokens_estimated: true,
    cached_tokens: null,
  }
}

/** What has come of an answer that is passed on, with what was sent, as it was counted. */
export type RelayedTokens = Metered & { sent_tokens: number }

/** What it used: as the upstream said it, else as it was counted. */
export const tokensOfRelay = ({
  sent_tokens,
  input_tokens,
  cached_tokens,
  output_tokens,
  counted_tokens,
}: RelayedTokens): Tokens => ({
  prompt_tokens: input_tokens ?? sent_tokens,
  completion_tokens: output_tokens ?? counted_tokens,
  cached_tokens,
  tokens_estimated: input_tokens === null || output_tokens === null,
})

function usageOf({ metadata }: Message): Usage | null {
  return metadata?.source === 'openai_api' ? (metadata.usage ?? null) : null
}

const estimated = (messages: readonly Message[], model = ''): number =>
  messages.reduce((sum, message) => sum + estimatedTokens(allTextOf(message)) + attachedTokens(message, model), 0)

function attachedTokens({ role, metadata }: Message, model: string): number {
  const attachments = role === 'user' && metadata?.source === 'openai_api' ? (metadata.attachments ?? []) : []
  return attachments.reduce((sum, attachment) => sum + attachmentTokens(attachment, model), 0)
}

/** Thoughts are paid for, too. */
const allTextOf = (message: Message): string =>
  message.content?.content_type === 'thoughts' ? message.content.text : textOf(message)

/** About how many tokens a text has, in constant time. */
export function estimatedTokens(text: string): number {
  const looked = Math.min(text.length, SAMPLE)
  let dense = 0
  for (let at = 0; at < looked; at += 1) if (text.charCodeAt(at) >= FIRST_OF_EAST_ASIA) dense += 1
  const tokens = dense + (looked - dense) / LETTERS
  return looked === 0 ? 0 : Math.ceil((tokens * text.length) / looked)
}
