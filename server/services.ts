import type { Source } from '#contract/models.ts'
import { openAccounts } from '#server/accounts/accounts.ts'
import type { PasswordCost } from '#server/accounts/passwords.ts'
import { chatStatusOf } from '#server/asks/chatStatus.ts'
import { openAsking } from '#server/asking/asking.ts'
import { openConfiguration } from '#server/configuration/configuration.ts'
import type { StartConfiguration } from '#server/configuration/start.ts'
import { openBranches } from '#server/conversations/branches.ts'
import { openConversations } from '#server/conversations/conversations.ts'
import { exporting } from '#server/conversations/exporting.ts'
import { generatingTitles } from '#server/conversations/generateTitle.ts'
import { importing } from '#server/conversations/importing.ts'
import { conversationSearch } from '#server/conversations/search.ts'
import { openCredentials } from '#server/credentials/credentials.ts'
import { openFiles } from '#server/files/files.ts'
import { openBus } from '#server/foundation/bus.ts'
import { type Clock, systemClock } from '#server/foundation/clock.ts'
import { openDatabase } from '#server/foundation/database/open.ts'
import { requireNewestSchema } from '#server/foundation/database/schemaVersion.ts'
import { claimDataFolder } from '#server/foundation/database/sqlite/database.ts'
import { searchIndex } from '#server/foundation/database/search.ts'
import { openJobs } from '#server/foundation/jobs/jobs.ts'
import { type Log, setLogLevel } from '#server/foundation/logging.ts'
import { openMetrics } from '#server/foundation/metrics.ts'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { openSecretBox } from '#server/foundation/secrets.ts'
import { openAllowances } from '#server/limits/allowance.ts'
import { openEndpointModels } from '#server/upstreams/endpointModels.ts'
import { openProviders } from '#server/providers/providers.ts'
import { readCustomApi } from '#server/quotas/ownEndpoint.ts'
import { openUpstreams } from '#server/upstreams/upstreams.ts'
import { openMeter } from '#server/status/meter.ts'
import { openStatus } from '#server/status/status.ts'
import { VERSION } from '#server/version.ts'
import { defineJobs } from './jobs.ts'

export type Services = Awaited<ReturnType<typeof openServices>>

export type ServicesGiven = {
  start: StartConfiguration
  env: NodeJS.ProcessEnv
  log: Log
  demonstrationUrl: string
  /** Tests need not pay for hashes that hold for years. */
  password_cost?: PasswordCost
  /** Tests have a time of their own. */
  clock?: Clock
  /** Tests of something else ask their upstream for nothing but answers. */
  reads_models?: boolean
}

/** Every service, put together in the order of the floors. Nothing listens yet. */
export async function openServices({
  start,
  env,
  log,
  demonstrationUrl,
  password_cost,
  clock = systemClock,
  reads_models = true,
}: ServicesGiven) {
  const { data, http } = start.configuration
  const letGo = data.database_url === null ? claimDataFolder(data.data_dir) : () => undefined
  // What an administrator stored is known when the database is open; until then the start configuration says.
  let current = () => start.configuration
  const open = await openDatabase(
    data.database_url === null ? { data_dir: data.data_dir } : { database_url: data.database_url },
    {
      migrate: data.run_migration,
      onStatement: sql => {
        if (current().common.print_sql) log.info({ sql }, 'statement')
      },
    },
  )
  if (!data.run_migration) await requireNewestSchema(open)
  const bus = await openBus(open)
  const jobs = openJobs({ open, bus, clock, log })
  const secretBox = openSecretBox(data.data_dir, env)
  const metrics = openMetrics({ ofProcess: http.metrics_token !== null })
  const outbound = openOutbound()
  const configuration = await openConfiguration(start, open, bus)
  const credentials = await openCredentials(start, open, secretBox, configuration, bus)
  const upstreams = await openUpstreams({
    open,
    bus,
    configuration: () => current(),
    openaiApiKey: () => credentials.openaiApiKey(),
    demonstrationUrl,
    env,
  })
  const models = await openEndpointModels({
    open,
    clock,
    bus,
    log,
    outbound,
    configuration,
    endpoint: upstreams.shared,
    upstream_id: () => upstreams.first('openai_api').id,
  })
  // From here on with the models that the endpoint lists; the administrator's form shows the settings without them.
  current = models.current
  const providers = openProviders(outbound, log)
  const closing = new AbortController()
  const personal = (user_id: number, source: Source) =>
    source === 'openai_api' ? readCustomApi(open.database, secretBox, user_id) : Promise.resolve(null)
  const accounts = openAccounts({
    open,
    clock,
    configuration: { current },
    secretBox,
    bus,
    log,
    chatStatus: chatStatusOf(open.database),
    password_cost,
  })
  const asking = openAsking({
    open,
    clock,
    log,
    bus,
    metrics,
    configuration: current,
    upstreams,
    providers,
    personal,
    keepSession: accounts.persistSession,
  })
  accounts.users.onRemoval(asking.asks.stopAllOf)
  const conversations = openConversations({ open, clock })
  const branches = openBranches({ open, clock })
  const find = conversationSearch({ open, search: searchIndex(open.engine) })
  const exportOwn = exporting({ open })
  const importOwn = importing({ open, clock, search: searchIndex(open.engine), configuration: current })
  const generateTitle = generatingTitles({ open, upstreams, providers, personal, closing: closing.signal })
  // No web service is connected yet.
  const files = openFiles({ open, clock, configuration: current, data_dir: data.data_dir, web: null })
  const status = openStatus({
    open,
    clock,
    configuration: current,
    upstreams,
    version: VERSION,
  })

  const meter = openMeter({ open, clock, configuration: current, upstreams })
  const allowance = openAllowances({
    open,
    clock,
    configuration: current,
    upstreamOf: async (user_id, source) => upstreams.idOf(source, await personal(user_id, source)),
  })

  configuration.onChange(() => {
    setLogLevel(log, current().log.console_log_level)
    asking.queuesChanged()
    if (reads_models) models.look()
  })
  await asking.begin()
  if (reads_models) models.begin()
  defineJobs({ jobs, open, accounts, files, log })
  await jobs.begin()
  // A process that was killed may have left some.
  await jobs.start('unfinished uploads')

  return {
    open,
    bus,
    jobs,
    metrics,
    configuration,
    credentials,
    models,
    accounts,
    asking,
    conversations,
    exportOwn,
    importOwn,
    branches,
    find,
    files,
    generateTitle,
    allowance,
    status,
    meter,
    upstreams,

    async close(timeIsUp: AbortSignal): Promise<void> {
      await jobs.close()
      await asking.close(timeIsUp)
      closing.abort()
      await accounts.close()
      await models.close()
      upstreams.close()
      configuration.close()
      credentials.close()
      await outbound.close()
      await bus.close()
      await open.close()
      letGo()
    },
  }
}
