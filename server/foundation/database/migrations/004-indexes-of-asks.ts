import type { Migration } from './migration.ts'

/** Indexes over what lives are small, and an ending no longer writes to all of them. */
export const indexesOfAsks: Migration = {
  version: 4,
  name: '004-indexes-of-asks',
  statements: () => [
    'drop index "asks_ask_state_lane_ticket"',
    'drop index "asks_user_id_ask_state_create_time"',
    'drop index "asks_conversation_id_ask_state"',
    'drop index "asks_source_model_end_time"',
    'create index "asks_living" on "asks" ("lane", "ask_state", "round", "user_id") where end_time is null',
    'create index "asks_living_of_user" on "asks" ("user_id", "create_time") where end_time is null',
    'create index "asks_counted" on "asks" ("user_id", "create_time", "source") where end_time is null or first_token_time is not null',
    'create index "asks_answered" on "asks" ("source", "model", "end_time") where first_token_time is not null',
    'create index "asks_conversation_id_create_time" on "asks" ("conversation_id", "create_time")',
  ],
}
