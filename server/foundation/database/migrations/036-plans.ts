import { type Table, tableDefinition } from '../schema/definition.ts'
import { json, type Migration, ms, nullable, ownUser, text } from './migration.ts'

/** As the tables were made then. */
const made: Record<string, Table> = {
  plans: {
    columns: {
      id: { kind: 'id' },
      name: text,
      parent_id: { ...nullable.int, references: 'plans.id' },
      plan_limits: json,
      plan_values: json,
      version: { kind: 'int', default: 0 },
      create_time: ms,
      update_time: ms,
    },
  },
  user_policy_values: {
    columns: {
      user_id: ownUser,
      plan_id: { ...nullable.int, references: 'plans.id' },
      own_limits: nullable.json,
      own_values: nullable.json,
    },
    primaryKey: ['user_id'],
    indexes: [['plan_id']],
  },
}

/** Plans that people inherit from. Everybody is in the default one, which says what the settings of new people say. */
export const plansMigration: Migration = {
  version: 36,
  name: '036-plans',
  statements: engine => [
    ...Object.entries(made).flatMap(([name, definition]) => tableDefinition(engine, name, definition)),
    `insert into plans (id, name, parent_id, plan_limits, plan_values, create_time, update_time) values (1, 'Default', null, '[]', '{}', 0, 0)`,
    ...(engine === 'postgresql' ? ['alter table plans alter column id restart with 2'] : []),
  ],
}
