import { tableDefinition, json, table } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

/** As the tables were made then: what they become later is another migration's. */
const made = {
  user_instructions: table({
    columns: {
      user_id: { kind: 'int', references: 'users.id', onDelete: 'cascade' },
      about_me: { kind: 'text' },
      how_to_answer: { kind: 'text' },
      is_on: { kind: 'bool' },
      with_keys: { kind: 'bool' },
    },
    primaryKey: ['user_id'],
  }),
  conversation_instructions: table({
    columns: {
      conversation_id: { kind: 'text', references: 'conversations.conversation_id', onDelete: 'cascade' },
      instructions: { kind: 'text' },
      with_own: { kind: 'bool', nullable: true },
    },
    primaryKey: ['conversation_id'],
  }),
  prompts: table({
    columns: {
      id: { kind: 'id' },
      user_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'cascade' },
      name: { kind: 'text' },
      short_name: { kind: 'text' },
      prompt_text: { kind: 'text' },
      blanks: json<unknown>(),
      is_active: { kind: 'bool', default: true },
      update_time: { kind: 'ms' },
    },
    indexes: [['user_id']],
  }),
  prompt_uses: table({
    columns: {
      prompt_id: { kind: 'int', references: 'prompts.id', onDelete: 'cascade' },
      user_id: { kind: 'int', references: 'users.id', onDelete: 'cascade' },
      month: { kind: 'text' },
      uses: { kind: 'int' },
    },
    primaryKey: ['prompt_id', 'month', 'user_id'],
  }),
}

/** What models are told first, prompts that are kept, and how hard a model is to think in a conversation. */
export const instructionsMigration: Migration = {
  version: 32,
  name: '032-instructions',
  statements: engine => [
    ...Object.entries(made).flatMap(([name, definition]) => tableDefinition(engine, name, definition)),
    `alter table conversations add column thinking_level ${engine === 'postgresql' ? 'text collate "C"' : 'text'}`,
    `alter table upstream_models add column thinking_fields text`,
  ],
}
