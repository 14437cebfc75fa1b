import type { UnreadableKey } from '#contract/status.ts'
import type { Source } from '#contract/models.ts'
import { namesOf } from '#server/users/store.ts'
import type { CredentialsService } from '#server/upstreams/settingsView/credentials.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { usersWithUnreadableKeys } from '#server/policy/ownEndpoint.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'

type Dependencies = {
  open: OpenDatabase
  secretBox: SecretBox
  credentials: Pick<CredentialsService, 'unreadable'>
  upstreams: Pick<Upstreams, 'snapshot'>
}

export type UnreadableKeys = ReturnType<typeof openUnreadableKeys>

/** Every stored key that cannot be opened: the secret key is lost or another one, or what was stored is damaged. */
export function openUnreadableKeys({ open, secretBox, credentials, upstreams: { snapshot } }: Dependencies) {
  async function list(): Promise<UnreadableKey[]> {
    const user_ids = await usersWithUnreadableKeys(open.readOnly(), secretBox)
    const nameOf = await namesOf(open.readOnly(), user_ids)
    return [
      ...credentials.unreadable().map(name => ({ of: 'settings' as const, name })),
      ...snapshot
        .rows()
        .filter(row => row.credential === null && snapshot.secretOf(row).isUnreadable)
        // only the two are ever stored
        .map(({ id, source, label }) => ({ of: 'account' as const, id, source: source as Source, label })),
      ...user_ids.flatMap(user_id => {
        const owner = nameOf(user_id)
        return owner === null ? [] : [{ of: 'user' as const, ...owner }]
      }),
    ]
  }

  return {
    list,

    /** For the log of a start: a line for each. */
    async report(log: Log): Promise<void> {
      for (const { of, ...which } of await list())
        log.error(
          { key_of: of, ...which },
          'a stored key cannot be opened with the present secret key: nothing is asked in its place; enter it again',
        )
    },
  }
}
