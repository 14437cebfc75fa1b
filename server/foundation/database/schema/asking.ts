import type { RefusalValues } from '#contract/refusals.ts'
import { json, table } from './definition.ts'

/** Queries that are to use a partial index say the same. */
const LIVES = 'end_time is null'
const HAS_TEXT = 'first_token_time is not null'
const MOVES_A_COUNT = 'of_total or of_model'
const BROUGHT_TEXT = 'answered'

export const askingTables = {
  asks: table({
    columns: {
      ask_id: { kind: 'text' },
      user_id: { kind: 'int' },
      source: { kind: 'text' },
      model: { kind: 'text' },
      conversation_id: { kind: 'text', nullable: true }, // null: an ask without one, of which no message is stored
      question_id: { kind: 'text' },
      reply_id: { kind: 'text' },
      ask_state: { kind: 'text' }, // quiet (waits until nobody else does), queueing, asking, done
      outcome: { kind: 'text', nullable: true }, // finished, stopped, failed, interrupted
      failure_key: { kind: 'text', nullable: true },
      failure_values: json<RefusalValues>({ nullable: true }), // what the text of the refusal names
      upstream_id: { kind: 'int', default: 0 }, // 0: of somebody's own, who had no account any more
      // the order in the queue: rounds before tickets (server/asking/lockedQueues.ts)
      round: { kind: 'int', default: 0 },
      ticket: { kind: 'int' },
      borrows: { kind: 'bool', default: false }, // more than one's own share of the account: after who is within theirs
      lent: { kind: 'int', default: 0 }, // of one's share, lately: within a round the more goes first
      holder: { kind: 'text', nullable: true },
      lease_until: { kind: 'ms', nullable: true },
      stop_requested: { kind: 'bool', default: false },
      reserved: json<unknown>(), // what admission reserved, to be settled at the end
      create_time: { kind: 'ms' },
      start_time: { kind: 'ms', nullable: true },
      first_token_time: { kind: 'ms', nullable: true },
      end_time: { kind: 'ms', nullable: true }, // null as long as it is not done
      quiet_until: { kind: 'ms', nullable: true }, // of an ask for when it is quiet; null: asked now
      quiet_request: json<unknown>({ nullable: true }), // what starts it; null once it has
      charged: { kind: 'int', default: 1000 }, // thousandths of what it uses that the person pays
      key_id: { kind: 'int', nullable: true }, // by which key; null: by the page
      tool: { kind: 'text', nullable: true }, // with which tool
      request_digest: { kind: 'text', nullable: true }, // of a request of a tool that was not answered: whether it comes again
      is_beside: { kind: 'bool', default: false }, // it runs beside a question of the same key
    },
    primaryKey: ['ask_id'],
    // What lives is little, and has an index of its own: an ending takes from small ones, and adds to one.
    indexes: [
      // leases are looked for among it, too
      { name: 'living', columns: ['upstream_id', 'ask_state', 'round', 'user_id'], where: LIVES },
      { name: 'living_of_user', columns: ['user_id', 'create_time'], where: LIVES },
      // for the limits
      { name: 'counted', columns: ['user_id', 'create_time', 'source'], where: `${LIVES} or ${HAS_TEXT}` },
      { name: 'answered', columns: ['source', 'model', 'end_time'], where: HAS_TEXT },
      ['conversation_id', 'create_time'],
      { name: 'tries', columns: ['request_digest'], where: 'request_digest is not null' },
    ],
  }),

  ask_chunks: table({
    columns: { ask_id: { kind: 'text' }, chunk_number: { kind: 'int' }, chunk_text: { kind: 'text' } },
    primaryKey: ['ask_id', 'chunk_number'],
    // A key would have one page written for each growing answer, four times a second.
    appended: true,
  }),

  /** One for each upstream. */
  queues: table({
    columns: { upstream_id: { kind: 'int' }, next_ticket: { kind: 'int' } },
    primaryKey: ['upstream_id'],
  }),

  // Why the counts are what they are: over all rows of a person and source, the changes of a bounded count sum to it.
  ask_ledger: table({
    columns: {
      id: { kind: 'id' },
      user_id: { kind: 'int' },
      ask_id: { kind: 'text', nullable: true }, // null where an administrator set the count
      source: { kind: 'text' },
      model: { kind: 'text', nullable: true },
      change: { kind: 'int' },
      of_total: { kind: 'bool', default: false }, // it moved total_ask_count
      of_model: { kind: 'bool', default: false }, // it moved ask_count of the model
      reason: { kind: 'text' }, // reserved, given back, set
      create_time: { kind: 'ms' },
      charged: { kind: 'int', default: 1000 }, // thousandths: the change is so much of it
    },
    // Earlier versions wrote rows that moved no count, too: nothing is ever added up of these (decision 011).
    indexes: [
      { name: 'of_user', columns: ['user_id', 'source'], where: MOVES_A_COUNT },
      { name: 'of_ask', columns: ['ask_id'], where: MOVES_A_COUNT },
    ],
  }),

  /** Asks that ended, and those that a limit refused. Their statistics are read from here. */
  ask_logs: table({
    columns: {
      id: { kind: 'id' },
      log_time: { kind: 'ms' },
      source: { kind: 'text' },
      model: { kind: 'text' },
      user_id: { kind: 'int', nullable: true },
      conversation_id: { kind: 'text', nullable: true },
      queueing_time: { kind: 'real' }, // seconds
      ask_time: { kind: 'real' }, // seconds
      upstream_id: { kind: 'int', nullable: true },
      outcome: { kind: 'text', default: 'finished' }, // a LoggedOutcome (contract/askLog.ts)
      failure_key: { kind: 'text', nullable: true },
      answered: { kind: 'bool', default: true }, // something of an answer has come
      prompt_tokens: { kind: 'int', nullable: true },
      completion_tokens: { kind: 'int', nullable: true },
      tokens_estimated: { kind: 'bool', default: false },
      cached_tokens: { kind: 'int', nullable: true },
      cost: { kind: 'int', nullable: true }, // millionths of the portal's currency; null where the model had no price
      charged: { kind: 'int', default: 1000 }, // thousandths of the ask that the person paid
      key_id: { kind: 'int', nullable: true },
      tool: { kind: 'text', nullable: true },
    },
    indexes: [['log_time'], { name: 'answered', columns: ['upstream_id', 'log_time'], where: BROUGHT_TEXT }],
  }),
}
