import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { SyncAccounts } from './accounts.ts'

export type SyncDependencies = {
  open: OpenDatabase
  clock: Clock
  log: Log
  accounts: SyncAccounts
  providers: Providers
  upstreams: Pick<Upstreams, 'find' | 'report'>
}
