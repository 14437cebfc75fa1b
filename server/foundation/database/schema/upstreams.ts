import type { Dialect } from '#contract/gateway.ts'
import type { TokenAccount } from '#contract/webToken.ts'
import type { ModelCapabilities } from '#contract/models.ts'
import type { AccountWindow } from '#contract/shares.ts'
import type { UpstreamTest } from '#contract/upstreams.ts'
import { json, table } from './definition.ts'

/** Earlier versions did not keep where the proxy came from, nor what is spoken. */
export type StoredTest = Omit<UpstreamTest, 'steps' | 'proxy' | 'dialects'> &
  Partial<Pick<UpstreamTest, 'proxy' | 'dialects'>>

/** Who set the value of a column, and when, in epoch milliseconds. */
export type ValuesSet = Partial<Record<string, { by: number | null; time: number }>>

export const upstreamTables = {
  /**
   * The accounts and keys that are asked: shared ones, and people's own, whose address and key are in the settings of
   * the person.
   */
  upstreams: table({
    columns: {
      id: { kind: 'id' },
      source: { kind: 'text' },
      user_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'cascade' }, // null = shared
      label: { kind: 'text' },
      base_url: { kind: 'text', nullable: true },
      sealed_secret: { kind: 'text', nullable: true },
      // null also for those entered before this was kept, and on the command line
      secret_by: { kind: 'int', nullable: true },
      secret_time: { kind: 'ms', nullable: true },
      // of the address that it was entered for; null also for those entered before this was kept
      secret_origin: { kind: 'text', nullable: true },
      // 'credential': sealed as stored credentials were, until a start can seal it anew
      secret_form: { kind: 'text', nullable: true },
      /** Whose the token is, or was before it was removed. */
      token_account: json<TokenAccount>({ nullable: true }),
      /** The columns that were set as settings, by whom and when: null is a value of theirs, too. */
      values_set: json<ValuesSet>({ nullable: true }),
      key_header: { kind: 'text', nullable: true },
      query: { kind: 'text', nullable: true },
      proxy: { kind: 'text', nullable: true },
      // Null: as the settings of the source have it.
      connect_timeout: { kind: 'int', nullable: true }, // seconds, as the settings
      first_token_timeout: { kind: 'int', nullable: true },
      read_timeout: { kind: 'int', nullable: true },
      ask_timeout: { kind: 'int', nullable: true },
      team_account_id: { kind: 'text', nullable: true },
      concurrency: { kind: 'int', nullable: true },
      shared_limit: { kind: 'int', nullable: true },
      shared_limit_window_seconds: { kind: 'int', nullable: true },
      enabled: { kind: 'bool', default: true },
      paused_by: { kind: 'int', nullable: true },
      paused_since: { kind: 'ms', nullable: true },
      health: { kind: 'text', default: 'normal' }, // normal, cooling, attention
      cooling_until: { kind: 'ms', nullable: true }, // in attention: when it is tried next
      health_reason: { kind: 'text', nullable: true }, // the key of a refusal
      health_since: { kind: 'ms', nullable: true },
      last_tested: { kind: 'ms', nullable: true },
      last_test: json<StoredTest>({ nullable: true }),
      /** Of the address whose models are kept: it may hold what nobody else should read. */
      models_digest: { kind: 'text', nullable: true },
      models_read_time: { kind: 'ms', nullable: true },
      models_picked: { kind: 'bool', default: false }, // an administrator said which are offered
      create_time: { kind: 'ms' },
      update_time: { kind: 'ms', nullable: true },
      /** What it has for all who ask it. Null: nobody knows. */
      windows: json<AccountWindow[]>({ nullable: true }),
      sharing: { kind: 'text', default: 'first_come' },
      keep: { kind: 'text', default: 'usual' },
      reserve_percent: { kind: 'int', default: 0 },
      member_names: { kind: 'text', default: 'full' },
      owner_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'set null' },
      /** In which requests of other tools are passed on; null: as the latest test has found. */
      dialects: json<Dialect[]>({ nullable: true }),
      pool: { kind: 'text', nullable: true }, // those of one source with the same text are one pool
    },
    unique: [['user_id', 'source']],
  }),

  /** What accounts say of their windows. Amounts as pools count: thousandths of an ask, tokens, millionths of money. */
  reported_windows: table({
    columns: {
      upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
      window_key: { kind: 'text' }, // windowText of contract/shares.ts
      capacity: { kind: 'int', nullable: true },
      used_then: { kind: 'int', nullable: true }, // by everybody, when it was said
      ends_at: { kind: 'ms', nullable: true },
      reported_at: { kind: 'ms' },
      pending_capacity: { kind: 'int', nullable: true }, // wants an administrator's yes
    },
    primaryKey: ['upstream_id', 'window_key'],
  }),

  /**
   * What is known of the models of each upstream: what it listed when it was last reached, what an administrator set,
   * what was learned of refusals.
   */
  upstream_models: table({
    columns: {
      upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
      code: { kind: 'text' },
      name: { kind: 'text' }, // what the upstream calls it
      label: { kind: 'text', nullable: true },
      // What the upstream says of it.
      context_length: { kind: 'int', nullable: true },
      position: { kind: 'int' },
      offered: { kind: 'bool' },
      takes_pictures: { kind: 'bool', nullable: true },
      takes_files: { kind: 'bool', nullable: true },
      uses_tools: { kind: 'bool', nullable: true },
      thinking_levels: json<string[]>({ nullable: true }),
      /** What an administrator set in place of it. */
      set_capabilities: json<Partial<ModelCapabilities>>({ nullable: true }),
      /** Further fields of its requests. */
      request_fields: json<Record<string, unknown>>({ nullable: true }),
      /** Those that tell it how hard to think, by level, where `reasoning_effort` does not. */
      thinking_fields: json<Record<string, Record<string, unknown>>>({ nullable: true }),
      /**
       * How much and what it takes, as refusals said, and the digest of the address that refused: another one has other
       * models.
       */
      learned_context_length: { kind: 'int', nullable: true },
      learned_capabilities: json<Partial<ModelCapabilities>>({ nullable: true }),
      learned_digest: { kind: 'text', nullable: true },
      learned_time: { kind: 'ms', nullable: true },
      listed: { kind: 'bool', default: true }, // false: only what was set or learned is known of it
    },
    primaryKey: ['upstream_id', 'code'],
  }),

  /** Models that an account does not answer with for now, while it answers with others. */
  cooling_models: table({
    columns: {
      upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
      model: { kind: 'text' }, // our code
      cooling_until: { kind: 'ms' },
      since: { kind: 'ms' },
      reason: { kind: 'text' }, // the key of a refusal
    },
    primaryKey: ['upstream_id', 'model'],
  }),

  /**
   * What models cost, from a moment on: millionths of the portal's currency a million tokens, and a picture. Nothing is
   * changed: a further row follows.
   */
  model_prices: table({
    columns: {
      id: { kind: 'id' },
      upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
      model: { kind: 'text' }, // our code; of what was read, the upstream's name
      from_time: { kind: 'ms' },
      // null: not known
      input: { kind: 'int', nullable: true },
      cached_input: { kind: 'int', nullable: true },
      output: { kind: 'int', nullable: true },
      picture: { kind: 'int', nullable: true },
      free: { kind: 'bool' }, // it costs nothing, also under a limit in money
      is_read: { kind: 'bool' }, // from the endpoint, not set by hand
    },
    indexes: [['upstream_id', 'model', 'from_time']],
  }),

  /** Installed at an account, and not to be chosen by people. */
  disabled_plugins: table({
    columns: {
      upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' },
      plugin_id: { kind: 'text' },
    },
    primaryKey: ['upstream_id', 'plugin_id'],
  }),
}
