import { openConfiguration } from '#server/configuration/configuration.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import { systemClock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openUploadLimit } from '#server/files/uploadLimit.ts'
import { openSearchQueue } from '#server/foundation/search/searchQueue.ts'
import { openJobs } from '#server/foundation/jobs/jobs.ts'
import { openLog } from '#server/foundation/logging.ts'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { openSecretBox } from '#server/foundation/secrets.ts'
import { openProviders } from '#server/providers/providers.ts'
import { presumed, SOURCE_LIST } from '#server/sources/list/list.ts'
import { openSources } from '#server/sources/source.ts'
import { openUpstreamAdministration } from '#server/upstreams/administration.ts'
import { openPrices } from '#server/upstreams/prices/prices.ts'
import { openModelReading } from '#server/upstreams/modelReading.ts'
import { settingsOfUpstreams } from '#server/upstreams/settingsView/settings.ts'
import { openUpstreams } from '#server/upstreams/upstreams.ts'
import type { Terminal } from './command.ts'
import type { PortalStorage } from './storage.ts'

type Dependencies = { storage: PortalStorage; open: OpenDatabase; terminal: Terminal }
type Accounts = Awaited<ReturnType<typeof openAccounts>>

/** Opens the shared accounts and keys for a command, also while a portal is running, and closes them afterwards. */
export async function withSources<T>(dependencies: Dependencies, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const accounts = await openAccounts(dependencies)
  try {
    return await work(accounts)
  } finally {
    await accounts.close()
  }
}

async function openAccounts({ storage: { start, data_dir }, open, terminal: { env } }: Dependencies) {
  const bus = await openBus(open)
  const outbound = openOutbound()
  const secretBox = openSecretBox(data_dir, env)
  const log = openLog('WARNING', { write: () => {} })
  const foundation = { open, bus, clock: systemClock, log, secretBox }
  const configuration = await openConfiguration(start, open, bus, settingsOfUpstreams)
  const upstreams = await openUpstreams({
    ...foundation,
    configuration,
    credentials: start.credentials,
    demonstrationUrls: { openai_api: '', openai_web: '' },
    env,
    presumed,
  })
  const providers = openProviders(SOURCE_LIST, outbound, log)
  // Nothing is started here: a portal that runs reads the models again when it is time.
  const jobs = openJobs(foundation)
  const shared = { ...foundation, configuration, upstreams, providers }
  const prices = await openPrices({ ...foundation, configuration: upstreams.configuration, upstreams })
  const models = openModelReading({ ...shared, jobs, prices })
  const searchQueue = openSearchQueue({ open, log })
  const settings = { configuration: upstreams.configuration }
  const sources = openSources(SOURCE_LIST, {
    // Nobody reads anything through a command.
    mayReadOf: () => Promise.resolve(),
    ...shared,
    ...settings,
    outbound,
    jobs,
    searchQueue,
    limitUploads: openUploadLimit(),
  })
  return {
    upstreams,
    providers,
    sources,
    administration: openUpstreamAdministration({ ...shared, models }),

    async close(): Promise<void> {
      for (const source of sources.all) source.close?.()
      await models.close()
      await prices.close()
      await jobs.close()
      await searchQueue.close()
      await upstreams.close()
      configuration.close()
      await outbound.close()
      await bus.close() // what was published has been sent then
    },
  }
}
