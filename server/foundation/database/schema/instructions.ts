import type { Prompt } from '#contract/prompts.ts'
import { json, table } from './definition.ts'

export const instructionTables = {
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
      with_own: { kind: 'bool', nullable: true }, // null = as the profile says
    },
    primaryKey: ['conversation_id'],
  }),

  prompts: table({
    columns: {
      id: { kind: 'id' },
      user_id: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'cascade' }, // null = shared
      name: { kind: 'text' },
      short_name: { kind: 'text' },
      prompt_text: { kind: 'text' },
      blanks: json<Prompt['blanks']>(),
      is_active: { kind: 'bool', default: true },
      update_time: { kind: 'ms' },
    },
    indexes: [['user_id']],
  }),

  // How often a shared prompt was asked, by whom, in a month of the portal's time zone (2026-11).
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
