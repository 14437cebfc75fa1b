import { openConfiguration } from '#server/configuration/configuration.ts'
import { openCredentials } from '#server/credentials/credentials.ts'
import { openBus } from '#server/foundation/bus.ts'
import { systemClock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openJobs } from '#server/foundation/jobs/jobs.ts'
import { openLog } from '#server/foundation/logging.ts'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { openSecretBox, type SecretBox } from '#server/foundation/secrets.ts'
import type { StartConfiguration } from '#server/configuration/start.ts'
import { openProviders } from '#server/providers/providers.ts'
import { openUpstreamAdministration, type UpstreamAdministration } from '#server/upstreams/administration.ts'
import { openModelReading } from '#server/upstreams/modelReading.ts'
import { openUpstreams } from '#server/upstreams/upstreams.ts'
import type { Terminal } from './command.ts'
import { openExisting, readStorage } from './storage.ts'

/** Opens the shared accounts and keys for a command, also while a portal is running, and closes them afterwards. */
export async function withUpstreams<T>(
  terminal: Terminal,
  work: (administration: UpstreamAdministration) => Promise<T>,
): Promise<T> {
  const storage = readStorage(terminal)
  const open = await openExisting(storage)
  try {
    const secretBox = openSecretBox(storage.data_dir, terminal.env)
    const services = await openServices(storage.start, open, secretBox, terminal)
    try {
      return await work(services.administration)
    } finally {
      await services.close()
    }
  } finally {
    await open.close()
  }
}

async function openServices(start: StartConfiguration, open: OpenDatabase, secretBox: SecretBox, { env }: Terminal) {
  const bus = await openBus(open)
  const outbound = openOutbound()
  const log = openLog('WARNING', { write: () => {} })
  const foundation = { open, bus, clock: systemClock, log, secretBox }
  const configuration = await openConfiguration(start, open, bus)
  const credentials = await openCredentials(start, open, secretBox, configuration, bus)
  const upstreams = await openUpstreams({ ...foundation, configuration, credentials, demonstrationUrl: '', env })
  const providers = openProviders(outbound, log)
  // Nothing is started here: a portal that runs reads the models again when it is time.
  const jobs = openJobs(foundation)
  const shared = { ...foundation, configuration, upstreams, providers }
  const models = openModelReading({ ...shared, jobs })
  return {
    administration: openUpstreamAdministration({ ...shared, models }),

    async close(): Promise<void> {
      await models.close()
      await jobs.close()
      await upstreams.close()
      credentials.close()
      configuration.close()
      await outbound.close()
      await bus.close() // what was published has been sent then
    },
  }
}
