import { userStore } from '#server/accounts/store.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { type Finding, good, wrong } from './finding.ts'

export async function checkAdministrators({ database }: OpenDatabase): Promise<Finding> {
  const found = await userStore(database).activeSuperuserNames()
  return found.length > 0
    ? good('administrators', found.map(user => user.username).join(', '))
    : wrong('administrators', 'nobody can administer the portal', 'npm run commons -- create-admin <user name>')
}
