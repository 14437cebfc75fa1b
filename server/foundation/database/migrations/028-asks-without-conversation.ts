import { tableDefinition } from '../schema/definition.ts'
import { json, table } from '../schema/tables.ts'
import type { Migration } from './migration.ts'

const LIVES = 'end_time is null'
const HAS_TEXT = 'first_token_time is not null'

/** As it was made then: what the table becomes later is another migration's. */
const asksThen = table({
  columns: {
    ask_id: { kind: 'text' },
    user_id: { kind: 'int' },
    source: { kind: 'text' },
    model: { kind: 'text' },
    conversation_id: { kind: 'text', nullable: true },
    question_id: { kind: 'text' },
    reply_id: { kind: 'text' },
    ask_state: { kind: 'text' },
    outcome: { kind: 'text', nullable: true },
    failure_key: { kind: 'text', nullable: true },
    failure_values: json<unknown>({ nullable: true }),
    upstream_id: { kind: 'int', default: 0 },
    round: { kind: 'int', default: 0 },
    ticket: { kind: 'int' },
    holder: { kind: 'text', nullable: true },
    lease_until: { kind: 'ms', nullable: true },
    stop_requested: { kind: 'bool', default: false },
    reserved: json<unknown>(),
    create_time: { kind: 'ms' },
    start_time: { kind: 'ms', nullable: true },
    first_token_time: { kind: 'ms', nullable: true },
    end_time: { kind: 'ms', nullable: true },
  },
  primaryKey: ['ask_id'],
  indexes: [
    { name: 'living', columns: ['upstream_id', 'ask_state', 'round', 'user_id'], where: LIVES },
    { name: 'living_of_user', columns: ['user_id', 'create_time'], where: LIVES },
    { name: 'counted', columns: ['user_id', 'create_time', 'source'], where: `${LIVES} or ${HAS_TEXT}` },
    { name: 'answered', columns: ['source', 'model', 'end_time'], where: HAS_TEXT },
    ['conversation_id', 'create_time'],
  ],
})

const COLUMNS = Object.keys(asksThen.columns).join(', ')
const INDEXES = ['living', 'living_of_user', 'counted', 'answered', 'conversation_id_create_time']

/** An ask need not belong to a conversation. SQLite changes no column of a table, so that the table is made anew. */
export const asksWithoutConversation: Migration = {
  version: 28,
  name: '028-asks-without-conversation',
  statements: engine =>
    engine === 'postgresql'
      ? ['alter table asks alter column conversation_id drop not null']
      : [
          ...INDEXES.map(name => `drop index asks_${name}`),
          'alter table asks rename to former_asks',
          ...tableDefinition(engine, 'asks', asksThen),
          `insert into asks (${COLUMNS}) select ${COLUMNS} from former_asks`,
          'drop table former_asks',
        ],
}
