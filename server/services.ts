import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Source } from '#contract/models.ts'
import { type Users, openUsers } from '#server/users/users.ts'
import type { PasswordCost } from '#server/users/passwords.ts'
import { type Asking, openAsking } from '#server/asking/asking.ts'
import { chatStatusOf } from '#server/asks/store.ts'
import { openConfiguration } from '#server/configuration/configuration.ts'
import type { StartConfiguration } from '#server/configuration/start.ts'
import { openConversationAdministration } from '#server/conversations/administration/administration.ts'
import { openPurge } from '#server/conversations/administration/purge.ts'
import { conversationJob } from '#server/conversations/administration/job.ts'
import { openConversationListing } from '#server/conversations/administration/listing.ts'
import { openBranches } from '#server/conversations/branches.ts'
import { openConversations } from '#server/conversations/conversations.ts'
import { openExport, openImport } from '#server/conversations/transfer.ts'
import { titlesOf } from '#server/conversations/fileConversations.ts'
import { openTitles } from '#server/conversations/titles.ts'
import { openConversationSearch } from '#server/conversations/search.ts'
import { openFiles } from '#server/files/files.ts'
import type { ForgetText } from '#server/files/ownFiles.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { openUploadLimit } from '#server/files/uploadLimit.ts'
import { openInstructions, type Instructions } from '#server/instructions/instructions.ts'
import { openPrompts } from '#server/instructions/prompts.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { searchIndex } from '#server/foundation/search/search.ts'
import type { Jobs } from '#server/foundation/jobs/jobs.ts'
import { type Log, setLogLevel } from '#server/foundation/logging.ts'
import { openAllowances } from '#server/limits/allowance.ts'
import { openModelReading } from '#server/upstreams/modelReading.ts'
import { openProviders, type Providers } from '#server/providers/providers.ts'
import { ownEndpointOf, type OwnEndpoints, openOwnEndpoints } from '#server/policy/ownEndpoint.ts'
import { openUpstreamAdministration } from '#server/upstreams/administration.ts'
import { sealCredentialsAnew } from '#server/upstreams/secret.ts'
import { openCredentials } from '#server/upstreams/settingsView/credentials.ts'
import { settingsOfUpstreams } from '#server/upstreams/settingsView/settings.ts'
import { openUpstreams } from '#server/upstreams/upstreams.ts'
import { presumed, SOURCE_LIST } from '#server/sources/list/list.ts'
import { openSources, type Sources } from '#server/sources/source.ts'
import { openLogs } from '#server/logs/logs.ts'
import { openAskLogs } from '#server/statistics/askLog.ts'
import { openRequestCounts } from '#server/statistics/requestCounts.ts'
import { openStatistics, openSystemInformation } from '#server/statistics/statistics.ts'
import { openJobAdministration } from '#server/status/jobs.ts'
import { openLoads, openStatus } from '#server/status/status.ts'
import { openMeter } from '#server/status/meter.ts'
import { openUnreadableKeys } from '#server/status/unreadableKeys.ts'
import { openUserAdministration } from '#server/users/administration/administration.ts'
import { VERSION } from '#server/version.ts'
import { type Foundation, openFoundation, readFileTexts } from './foundationServices.ts'
import { defineJobs } from './jobs.ts'

export type Services = Awaited<ReturnType<typeof openServices>>

export type ServiceOptions = {
  start: StartConfiguration
  env: NodeJS.ProcessEnv
  log: Log
  /** Of the files in which this process keeps its log; without, there are none. */
  log_name?: string
  demonstrationUrls: Readonly<Record<Source, string>>
  /** Tests need not pay for hashes that hold for years. */
  password_cost?: PasswordCost
  /** Tests have a time of their own. */
  clock?: Clock
  /** Tests have sources of their own, in place of the providers that there are. */
  providers?: Partial<Providers>
  /** Tests of something else ask their upstream for nothing but answers. */
  reads_models?: boolean
  /** For a command, beside a portal that may run: nothing is begun, nothing claimed. */
  for_command?: boolean
}

/** Every service, put together in the order of the floors. Nothing listens yet. */
export async function openServices(options: ServiceOptions) {
  const { start, log, password_cost, for_command = false, reads_models = !for_command } = options
  const foundation = await openFoundation(options)
  const { open, bus, jobs, metrics, clock, secretBox } = foundation
  const accounts = await openAccounts(options, foundation)
  const { configuration, upstreams, models, providers } = accounts
  // With the models that endpoints list; the administrator's form shows the settings without them.
  const current = upstreams.configuration
  const limitUploads = openUploadLimit()
  const below = { ...foundation, configuration: current, upstreams, providers, limitUploads }
  const chatStatus = chatStatusOf(open.database)
  const users = openUsers({ ...below, configuration: { current }, chatStatus, password_cost })
  const sources = openSources(SOURCE_LIST, below)
  const instructions = openInstructions(below)
  const ownEndpoints = openOwnEndpoints(open.database, current, secretBox)
  const shared = { ...below, data_dir: start.configuration.data.data_dir, users, sources, ownEndpoints, instructions }
  const files = openFiles({
    ...shared,
    titlesOf: ids => titlesOf(open.database, ids),
    forgetText: forgettingText(foundation.searchQueue),
  })
  const conversations = openConversationServices({ ...shared, removeFiles: files.removeAtUpstream })
  const logs = openLogs({ ...start.configuration.data, ...start.configuration.log, own: options.log_name ?? null })
  if (!for_command) await logs.begin(clock.now(), log)
  const usage = openUsage(shared)
  const ownEndpoint: Parameters<typeof openAsking>[0]['ownEndpoint'] = (setting, upstream_id) =>
    ownEndpointOf(setting, upstream_id, secretBox)
  const { loadAttached, keepPicture } = files
  const asking = openAsking({ ...shared, ownEndpoint, loadAttached, keepPicture })
  const unreadableKeys = openUnreadableKeys({ ...shared, ...accounts.services })
  if (!for_command) await unreadableKeys.report(log)

  users.directory.onRemoval(asking.stopAllOf)
  users.directory.onRemoved(id => files.removeAllOf(id).catch(logged(log, 'files were not removed', { user_id: id })))
  applySettings(current(), foundation, asking)
  configuration.onChange(() => applySettings(current(), foundation, asking))
  if (reads_models) configuration.onChange(() => models.noticeChanges())
  defineJobs({ ...shared, files, logs, purge: conversations.services.purge, stopAsksOf: asking.stopAllOf })
  if (!for_command) await beginWork({ sources, asking, jobs, models: reads_models ? models : null })

  return {
    open,
    bus,
    jobs,
    jobAdministration: openJobAdministration({ open, jobs }),
    metrics,
    sources,
    instructions,
    prompts: openPrompts(below),
    ...accounts.services,
    users,
    asking,
    ...conversations.services,
    files,
    logs,
    ...usage,
    unreadableKeys,

    async close(timeIsUp: AbortSignal): Promise<void> {
      await jobs.close()
      await asking.close(timeIsUp)
      conversations.close()
      for (const source of sources.all) source.close?.()
      await closeInOrder(users, usage.requestCounts, accounts, foundation)
    },
  }
}

const logged =
  (log: Log, text: string, about: object) =>
  (cause: unknown): void =>
    log.warn({ err: cause, ...about }, text)

/** What takes effect at once though nothing asks for it. */
function applySettings({ log: { console_log_level }, common }: Configuration, foundation: Foundation, asking: Asking) {
  foundation.printStatements(common.print_sql)
  setLogLevel(foundation.log, console_log_level)
  asking.queuesChanged()
}

async function closeInOrder(...services: { close(): Promise<void> }[]): Promise<void> {
  for (const service of services) await service.close()
}

type Work = {
  sources: Sources
  asking: Asking
  jobs: Jobs
  /** Null: the models of upstreams are not read. */
  models: ReturnType<typeof openModelReading> | null
}

/**
 * Begins what runs by itself from now on: asks and jobs, also those that earlier processes left, and the reading of
 * models.
 */
async function beginWork({ sources, asking, jobs, models }: Work): Promise<void> {
  await asking.begin()
  for (const job of sources.all.flatMap(source => source.jobs ?? [])) jobs.define(job)
  if (models !== null) jobs.define(models.job)
  await jobs.begin()
  models?.begin()
  // A process that was killed may have left some.
  await jobs.start('unfinished uploads')
  await jobs.start('unfinished deletions')
  for (const source of sources.all) await source.begin?.()
}

/** The settings, and the accounts and keys that are asked as the settings say. */
async function openAccounts({ start, env, demonstrationUrls, ...options }: ServiceOptions, foundation: Foundation) {
  const { open, bus, log, secretBox, outbound } = foundation
  await sealCredentialsAnew(open, secretBox)
  const configuration = await openConfiguration(start, open, bus, settingsOfUpstreams)
  const ofSources = { ...foundation, configuration, credentials: start.credentials, demonstrationUrls, env, presumed }
  const upstreams = await openUpstreams(ofSources)
  const credentials = openCredentials({ ...foundation, start, configuration, snapshot: upstreams.snapshot })
  const providers = { ...openProviders(SOURCE_LIST, outbound, log), ...options.providers }
  const models = openModelReading({ ...foundation, providers, upstreams, configuration })
  const shared = { ...foundation, configuration, upstreams, providers, models }
  return {
    configuration,
    upstreams,
    models,
    providers,
    services: {
      configuration,
      credentials,
      upstreams,
      models,
      upstreamAdministration: openUpstreamAdministration(shared),
    },

    async close(): Promise<void> {
      await models.close()
      await upstreams.close()
      configuration.close()
    },
  }
}

type Shared = Foundation &
  Pick<Awaited<ReturnType<typeof openAccounts>>, 'upstreams' | 'providers'> & {
    users: Users
    sources: Sources
    instructions: Instructions
    configuration(): Configuration
    ownEndpoints: OwnEndpoints
    data_dir: string
  }

function openConversationServices(shared: Shared & Pick<Parameters<typeof openPurge>[0], 'removeFiles'>) {
  const { open, clock, configuration, upstreams, sources, searchQueue, jobs } = shared
  const closing = new AbortController()
  const search = searchIndex(open.engine)
  // An earlier process may have left something in the queue.
  searchQueue.wake()
  const purge = openPurge(shared)
  jobs.define(conversationJob({ open, clock, purge, sources }))
  return {
    services: {
      purge,
      conversationAdministration: openConversationAdministration({ open, clock, jobs }),
      conversationListing: openConversationListing({ open, clock, upstreams }),
      conversations: openConversations({ open, clock, upstreams, configuration, sources }),
      branches: openBranches({ open, clock, configuration, sources }),
      find: openConversationSearch({ open, search, searchQueue, readFileTexts }),
      exportOwn: openExport({ open }),
      importOwn: openImport({ open, clock, search, configuration }),
      generateTitle: openTitles({ ...shared, closing: closing.signal }),
    },
    close(): void {
      closing.abort()
    },
  }
}

/** How busy the portal is, what is left to whom, and how administrators look after both. */
function openUsage(shared: Shared) {
  const { open, clock, log, jobs, users, configuration, upstreams, sources, ownEndpoints, data_dir } = shared
  const allowance = openAllowances({
    open,
    clock,
    configuration,
    sources,
    upstreamsOf: async (user_id, source) => upstreams.idsFor(source, await ownEndpoints(user_id, source)),
  })
  return {
    status: openStatus({ open, clock, configuration, upstreams, sources, version: VERSION }),
    meter: openMeter({ open, clock, configuration, upstreams }),
    requestCounts: openRequestCounts({ open, clock, log, configuration }),
    statistics: openStatistics({ open, clock }),
    askLogs: openAskLogs({ open, clock, zone: () => configuration().portal.time_zone }),
    systemInformation: openSystemInformation({ open, clock, data_dir }),
    loads: openLoads({ open, clock, upstreams }),
    allowance,
    userAdministration: openUserAdministration({ open, clock, log, jobs, configuration, users, allowance }),
  }
}

/** Questions that a file went with are indexed anew, without what it said. */
const forgettingText =
  ({ add, wake }: Foundation['searchQueue']): ForgetText =>
  async (trx, { uploader_id, file_id }) => {
    const keys = await messageStore(trx).keysWithFile(uploader_id, file_id)
    if (keys.length === 0) return
    await add(trx, keys)
    wake()
  }
