import { table, tableDefinition } from '../schema/definition.ts'
import type { Migration } from './migration.ts'

/** As the table was made then: what it becomes later is another migration's. */
const invitations = table({
  columns: {
    id: { kind: 'id' },
    token_hash: { kind: 'text' },
    plan_id: { kind: 'int', nullable: true },
    uses: { kind: 'int' },
    used: { kind: 'int', default: 0 },
    end_time: { kind: 'ms', nullable: true },
    create_time: { kind: 'ms' },
    created_by: { kind: 'int', nullable: true, references: 'users.id', onDelete: 'set null' },
    revoke_time: { kind: 'ms', nullable: true },
  },
  unique: [['token_hash']],
})

/** Links by which people make an account of their own. */
export const invitationsMigration: Migration = {
  version: 41,
  name: '041-invitations',
  statements: engine => tableDefinition(engine, 'invitations', invitations),
}
