import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { type Finding, good, wrong } from './finding.ts'

export async function checkAdministrators({ database }: OpenDatabase): Promise<Finding> {
  const found = await database
    .selectFrom('users')
    .select('username')
    .where('is_superuser', '=', true)
    .where('is_active', '=', true)
    .orderBy('id')
    .execute()
  return found.length > 0
    ? good('administrators', found.map(user => user.username).join(', '))
    : wrong('administrators', 'nobody can administer the portal', 'npm run commons -- create-admin <user name>')
}
