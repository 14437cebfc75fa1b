import { table } from './definition.ts'

const ownUser = { kind: 'int', references: 'users.id', onDelete: 'cascade' } as const

export const shareTables = {
  /** Parts of shares of the longest window of a pool that are somebody else's until a moment. */
  share_gifts: table({
    columns: {
      id: { kind: 'id' },
      upstream_id: { kind: 'int', references: 'upstreams.id', onDelete: 'cascade' }, // the lowest of the pool
      window_key: { kind: 'text' },
      unit: { kind: 'text' }, // asks, tokens, money
      from_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'cascade' }, // null: of everybody
      to_id: ownUser,
      amount: { kind: 'int' }, // asks in thousandths, money in millionths
      of_reserve: { kind: 'bool', default: false }, // granted from what the account keeps for its owner
      create_time: { kind: 'ms' },
      until: { kind: 'ms' },
      end_time: { kind: 'ms' }, // before `until`: it was taken back then
    },
    indexes: [['upstream_id', 'end_time'], ['from_id'], ['to_id']],
  }),

  /** What asks used of gifts: reserved while they run. */
  share_gift_uses: table({
    columns: {
      gift_id: { kind: 'int', references: 'share_gifts.id', onDelete: 'cascade' },
      ask_id: { kind: 'text' },
      asked_time: { kind: 'ms' },
      amount: { kind: 'int' },
    },
    primaryKey: ['gift_id', 'ask_id'],
    indexes: [['ask_id']],
  }),
}
