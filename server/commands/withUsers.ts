import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Users, openUsers } from '#server/users/users.ts'
import { openConfiguration } from '#server/configuration/configuration.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import { systemClock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openLog } from '#server/foundation/logging.ts'
import { openSecretBox } from '#server/foundation/secrets.ts'
import { uploadsOnDisk } from '#server/files/disk.ts'
import { askStore, chatStatusOf } from '#server/asks/store.ts'
import { openPlanSnapshot } from '#server/policy/planSnapshot.ts'
import { settingsOfUpstreams } from '#server/upstreams/settingsView/settings.ts'
import type { Terminal } from './command.ts'
import { openExisting, openStorage, type PortalStorage, readStorage } from './storage.ts'

type Portal = {
  configuration: Configuration
  open: OpenDatabase
  data_dir: string
  /** Asks the processes that run a person's asks to stop them. */
  stopAsksOf(user_id: number): Promise<void>
}
type Work<T> = (users: Users, portal: Portal) => Promise<T>

/** Opens the accounts for a command, also while a portal is running, and closes them afterwards. */
export async function withUsers<T>(terminal: Terminal, work: Work<T>, options = { make: false }): Promise<T> {
  const storage = readStorage(terminal)
  const open =
    options.make && !storage.exists ? await openStorage(storage, { migrate: true }) : await openExisting(storage)
  try {
    return await withServices(storage, open, terminal, work)
  } finally {
    await open.close()
  }
}

async function withServices<T>(
  { start, data_dir }: PortalStorage,
  open: OpenDatabase,
  { env, complain, password_cost }: Terminal,
  work: Work<T>,
): Promise<T> {
  const bus = await openBus(open)
  // The process that runs an ask reads stop requests whenever it renews its leases.
  const stopAsksOf = async (user_id: number) => {
    const asks = askStore(open.database)
    for (const { ask_id } of await asks.livingOf(user_id)) await asks.requestStop(ask_id)
  }
  const configuration = await openConfiguration(start, open, bus, settingsOfUpstreams)
  const plans = await openPlanSnapshot({ open, bus, configuration: () => configuration.current() })
  const users = openUsers({
    open,
    bus,
    configuration: plans,
    clock: systemClock,
    secretBox: openSecretBox(data_dir, env),
    log: openLog('WARNING', { write: line => complain(line.trimEnd()) }),
    chatStatus: chatStatusOf(open.database),
    password_cost,
  })
  users.directory.onRemoval(stopAsksOf)
  users.directory.onRemoved(uploadsOnDisk(data_dir).removeAllOf)
  const signedOut = new Set<number>()
  users.onSessionsEnded(({ user_id, except }) => {
    if (user_id !== undefined && except === undefined) signedOut.add(user_id)
  })
  try {
    const result = await work(users, { configuration: plans.current(), open, data_dir, stopAsksOf })
    for (const user_id of signedOut) await stopAsksOf(user_id)
    return result
  } finally {
    await users.close()
    await plans.close()
    configuration.close()
    await bus.close() // what was published has been sent then
  }
}
