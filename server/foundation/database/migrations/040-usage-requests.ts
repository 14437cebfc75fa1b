import { tableDefinition, type Table } from '../schema/definition.ts'
import { int, type Migration, ms, nullable, ownUser, text } from './migration.ts'

/** As they were made then: what they become later is another migration's. */
const made: Record<string, Table> = {
  usage_requests: {
    columns: {
      id: { kind: 'id' },
      user_id: ownUser,
      source: text,
      unit: text,
      amount: int,
      until: ms,
      reason: text,
      create_time: ms,
      decision: nullable.text,
      granted_amount: nullable.int,
      granted_until: nullable.ms,
      word: { ...text, default: '' },
      decided_by: nullable.int,
      decide_time: nullable.ms,
    },
    indexes: [
      { name: 'open', columns: ['user_id', 'source', 'unit'], where: 'decision is null' },
      { name: 'granted', columns: ['user_id', 'source', 'granted_until'], where: 'granted_until is not null' },
    ],
  },
  usage_notices: {
    columns: { user_id: ownUser, notice_key: text, until: nullable.ms },
    primaryKey: ['user_id', 'notice_key'],
  },
}

/** Requests for more than the limits allow, with what was granted; what people have been shown of both. */
export const usageRequests: Migration = {
  version: 40,
  name: '040-usage-requests',
  statements: engine => Object.entries(made).flatMap(([name, table]) => tableDefinition(engine, name, table)),
}
