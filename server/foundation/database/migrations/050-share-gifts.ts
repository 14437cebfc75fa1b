import { type Engine, tableDefinition, type Table } from '../schema/definition.ts'
import { bool, int, type Migration, ms, nullable, ofUpstream, ownUser, text } from './migration.ts'

/** As they were made then: what they become later is another migration's. */
const made: Record<string, Table> = {
  share_gifts: {
    columns: {
      id: { kind: 'id' },
      upstream_id: ofUpstream,
      window_key: text,
      unit: text,
      from_id: { ...nullable.int, references: 'users.id', onDelete: 'cascade' },
      to_id: ownUser,
      amount: int,
      of_reserve: { ...bool, default: false },
      create_time: ms,
      until: ms,
      end_time: ms,
    },
    indexes: [['upstream_id', 'end_time'], ['from_id'], ['to_id']],
  },
  share_gift_uses: {
    columns: {
      gift_id: { ...int, references: 'share_gifts.id', onDelete: 'cascade' },
      ask_id: text,
      asked_time: ms,
      amount: int,
    },
    primaryKey: ['gift_id', 'ask_id'],
    indexes: [['ask_id']],
  },
}

const INTEGER: Record<Engine, string> = { sqlite: 'integer', postgresql: 'bigint' }

/** Parts of shares that people give each other, and requests for more of an account. */
export const shareGifts: Migration = {
  version: 50,
  name: '050-share-gifts',
  statements: engine => [
    ...Object.entries(made).flatMap(([name, table]) => tableDefinition(engine, name, table)),
    `alter table "usage_requests" add column "upstream_id" ${INTEGER[engine]}
      references "upstreams" ("id") on delete cascade`,
  ],
}
