import type { Migration } from './migration.ts'

/** Asks of people without bounds are in no index of the ledger. */
export const indexesOfTheLedger: Migration = {
  version: 6,
  name: '006-indexes-of-the-ledger',
  statements: () => [
    'drop index "ask_ledger_user_id_create_time"',
    'drop index "ask_ledger_ask_id"',
    'create index "ask_ledger_of_user" on "ask_ledger" ("user_id", "source") where of_total or of_model',
    'create index "ask_ledger_of_ask" on "ask_ledger" ("ask_id") where of_total or of_model',
  ],
}
