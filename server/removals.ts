import type { Asking } from '#server/asking/asking.ts'
import type { Files } from '#server/files/files.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { Users } from '#server/users/users.ts'

type Dependencies = { asking: Asking; files: Files; upstreams: Upstreams; log: Log }

/** Ends what people are doing whose accounts are removed, and removes what those leave behind. */
export function followRemovals({ directory }: Users, { asking, files, upstreams, log }: Dependencies): void {
  directory.onRemoval(asking.stopAllOf)
  directory.onRemoved(upstreams.ownerRemoved)
  directory.onRemoved(user_id =>
    files.removeAllOf(user_id).catch((error: unknown) => log.warn({ err: error, user_id }, 'files were not removed')),
  )
}
