import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Source } from '#contract/models.ts'
import { type Users, openUsers } from '#server/users/users.ts'
import type { PasswordCost } from '#server/users/passwords.ts'
import { type Asking, openAsking } from '#server/asking/asking.ts'
import { leastCost } from '#server/asking/reservation.ts'
import { chatStatusOf } from '#server/asks/store.ts'
import { type ConfigurationService, openConfiguration } from '#server/configuration/configuration.ts'
import type { StartConfiguration } from '#server/configuration/start.ts'
import { openConversationAdministration } from '#server/conversations/administration/administration.ts'
import { openPurge } from '#server/conversations/administration/purge.ts'
import { conversationJob } from '#server/conversations/administration/job.ts'
import { keepingJob } from '#server/conversations/administration/keepingJob.ts'
import { openKeepingPreview } from '#server/conversations/administration/keepingPreview.ts'
import { openConversationListing } from '#server/conversations/administration/listing.ts'
import { openBranches } from '#server/conversations/branches.ts'
import { openConversations } from '#server/conversations/conversations.ts'
import { openDeleted } from '#server/conversations/deleted.ts'
import { openKeepRequests } from '#server/conversations/keepRequests.ts'
import { openTerms } from '#server/conversations/terms.ts'
import { openExport, openImport } from '#server/conversations/transfer.ts'
import { titlesOf } from '#server/conversations/fileConversations.ts'
import { openTitles } from '#server/conversations/titles.ts'
import { openConversationSearch } from '#server/conversations/search.ts'
import { KEEPING_JOB } from '#contract/keeping.ts'
import { openExchanges } from '#server/conversations/exchanges.ts'
import { openFiles, type Files } from '#server/files/files.ts'
import { openUploadLimit } from '#server/files/uploadLimit.ts'
import { openInstructions, type Instructions } from '#server/instructions/instructions.ts'
import { openKeys } from '#server/keys/keys.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { openToolAsks } from './gateway/toolAsks.ts'
import { openTrials } from './gateway/trials.ts'
import { openToolUsage } from './gateway/usage.ts'
import { OVERWRITING_JOB, overwritingJob } from '#server/foundation/search/overwriting.ts'
import { searchIndex } from '#server/foundation/search/search.ts'
import { type Log, setLogLevel } from '#server/foundation/logging.ts'
import { readLimitUse } from '#server/limits/limitUse.ts'
import type { ReadUse } from '#server/plans/effects.ts'
import { limitKey } from '#server/policy/limitList.ts'
import { openAllowances } from '#server/limits/allowance.ts'
import { openPools } from '#server/limits/shares/pools.ts'
import { openGiving } from '#server/shares/gifts/giving.ts'
import { openPrices } from '#server/upstreams/prices/prices.ts'
import { openModelReading } from '#server/upstreams/modelReading.ts'
import { openProviders, type Providers } from '#server/providers/providers.ts'
import { ownEndpointOf, type OwnEndpoints, openOwnEndpoints } from '#server/policy/ownEndpoint.ts'
import { openPlanSnapshot } from '#server/policy/planSnapshot.ts'
import { openPeopleList } from '#server/plans/list.ts'
import { openPersonPolicy } from '#server/plans/personPolicy.ts'
import { openPlanAdministration } from '#server/plans/plans.ts'
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
import { openShares } from '#server/shares/shares.ts'
import { openUnreadableKeys } from '#server/status/unreadableKeys.ts'
import { currencyStays, requireLedgerCurrency } from '#server/usage/currency.ts'
import { openUsageReports } from './usage/reports/reports.ts'
import { openUserAdministration } from '#server/users/administration/administration.ts'
import { VERSION } from '#server/version.ts'
import { forgettingText, type Foundation, openFoundation, readFileTexts } from './foundationServices.ts'
import { openOffers } from './offers.ts'
import { openReplays } from './shares/replay/replays.ts'
import { openNoticeServices } from './noticeServices.ts'
import { openAuditing, openReading } from './auditServices.ts'
import { beginWork } from './beginning.ts'
import { defineJobs } from './jobs.ts'
import { followRemovals } from './removals.ts'

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
  const { open, bus, jobs, metrics } = foundation
  const accounts = await openAccounts(options, foundation)
  const { configuration, upstreams, models, prices, providers, plans, pools } = accounts
  if (!for_command) await requireLedgerCurrency(open, configuration.current().money.currency, [accounts, foundation])
  // With the models that endpoints list, and the plans; the administrator's form shows the settings without them.
  const { current } = plans
  const reading = { limitUploads: openUploadLimit(), ...openReading({ ...foundation, configuration: current }) }
  const below = { ...foundation, ...reading, configuration: current, upstreams, prices, providers, plans, pools }
  const chatStatus = chatStatusOf(open.database)
  const users = openUsers({ ...below, configuration: { current }, chatStatus, password_cost })
  const sources = openSources(SOURCE_LIST, below)
  const ownEndpoints = openOwnEndpoints(open.database, current, foundation.secretBox)
  const ofPeople = { users, sources, ownEndpoints, instructions: openInstructions(below) }
  const shared = { ...below, ...ofPeople, data_dir: start.configuration.data.data_dir }
  const files = openFiles({
    ...shared,
    titlesOf: ids => titlesOf(open.database, ids),
    forgetText: forgettingText(foundation.searchQueue),
  })
  const conversations = openConversationServices({ ...shared, files })
  const logs = await openProcessLogs(options, foundation)
  const usage = await openUsage(shared, options.env)
  const { asking, ...tools } = openAskingServices({ ...shared, ...files, ...usage, for_command })
  const unreadableKeys = openUnreadableKeys({ ...shared, ...accounts.services })
  if (!for_command) await unreadableKeys.report(log)

  followRemovals(users, { asking, files, upstreams, log })
  followSettings(configuration, current, foundation, asking)
  if (reads_models) configuration.onChange(() => models.noticeChanges())
  const auditing = openAuditing({ ...shared, settings: configuration })
  defineJobs({ ...shared, ...auditing, files, logs, purge: conversations.services.purge, stopAsksOf: asking.stopAllOf })
  if (!for_command) await beginWork({ sources, asking, jobs, ...usage, models: reads_models ? models : null })

  return {
    open,
    bus,
    jobs,
    jobAdministration: openJobAdministration({ open, jobs }),
    metrics,
    sources,
    instructions: shared.instructions,
    ...openOffers(shared),
    ...accounts.services,
    users,
    asking,
    ...tools,
    ...conversations.services,
    ...auditing,
    files,
    logs,
    ...usage,
    unreadableKeys,

    async close(timeIsUp: AbortSignal): Promise<void> {
      await jobs.close()
      await asking.close(timeIsUp)
      conversations.close()
      for (const source of sources.all) source.close?.()
      await closeInOrder(tools.toolAsks, tools.keys, usage.notices, users, usage.requestCounts, accounts, foundation)
    },
  }
}

async function openProcessLogs({ start, log_name, for_command = false }: ServiceOptions, { clock, log }: Foundation) {
  const logs = openLogs({ ...start.configuration.data, ...start.configuration.log, own: log_name ?? null })
  if (!for_command) await logs.begin(clock.now(), log)
  return logs
}

const logged =
  (log: Log, text: string, about: object) =>
  (cause: unknown): void =>
    log.warn({ err: cause, ...about }, text)

/** What takes effect at once though nothing asks for it. */
function followSettings(
  { onChange }: Pick<ConfigurationService, 'onChange'>,
  current: () => Configuration,
  foundation: Foundation,
  asking: Asking,
): void {
  const apply = () => applySettings(current(), foundation, asking)
  apply()
  onChange(apply)
}

function applySettings({ log: { console_log_level }, common }: Configuration, foundation: Foundation, asking: Asking) {
  foundation.printStatements(common.print_sql)
  setLogLevel(foundation.log, console_log_level)
  asking.queuesChanged()
}

async function closeInOrder(...services: { close(): Promise<void> }[]): Promise<void> {
  for (const service of services) await service.close()
}

/** The settings, and the accounts and keys that are asked as the settings say. */
async function openAccounts({ start, env, demonstrationUrls, ...options }: ServiceOptions, foundation: Foundation) {
  const { open, bus, log, secretBox, outbound } = foundation
  await sealCredentialsAnew(open, secretBox)
  const configuration = await openConfiguration(start, open, bus, settingsOfUpstreams)
  configuration.guard(currencyStays)
  const ofSources = { ...foundation, configuration, credentials: start.credentials, demonstrationUrls, env, presumed }
  const upstreams = await openUpstreams(ofSources)
  const credentials = openCredentials({ ...foundation, start, configuration, snapshot: upstreams.snapshot })
  const plans = await openPlanSnapshot({ ...foundation, configuration: upstreams.configuration })
  const providers = { ...openProviders(SOURCE_LIST, outbound, log), ...options.providers }
  const prices = await openPrices({ ...foundation, configuration: upstreams.configuration, upstreams })
  const models = openModelReading({ ...foundation, providers, upstreams, configuration, prices })
  const pools = openPools({ ...foundation, configuration: plans.current, upstreams })
  const shared = { ...foundation, configuration, upstreams, providers, models }
  return {
    configuration,
    upstreams,
    models,
    prices,
    plans,
    pools,
    providers,
    services: {
      pools,
      prices,
      configuration,
      credentials,
      upstreams,
      models,
      upstreamAdministration: openUpstreamAdministration(shared),
    },

    async close(): Promise<void> {
      await models.close()
      await prices.close()
      await plans.close()
      await upstreams.close()
      configuration.close()
    },
  }
}

type Shared = Foundation &
  Pick<Awaited<ReturnType<typeof openAccounts>>, 'upstreams' | 'providers' | 'prices' | 'plans' | 'pools'> & {
    users: Users
    sources: Sources
    instructions: Instructions
    configuration(): Configuration
    ownEndpoints: OwnEndpoints
    data_dir: string
  }

function openConversationServices(shared: Shared & { files: Files }) {
  const { open, clock, log, configuration, upstreams, sources, searchQueue, jobs, files } = shared
  const closing = new AbortController()
  const search = searchIndex(open.engine)
  // An earlier process may have left something in the queue.
  searchQueue.wake()
  const onRemoved = () => jobs.start(OVERWRITING_JOB)
  const purge = openPurge({ ...shared, onRemoved })
  const terms = openTerms(shared)
  jobs.define(keepingJob({ open, clock, terms, purge, onRemoved }))
  jobs.define(overwritingJob(open, log))
  const onEnding = () =>
    void jobs.start(KEEPING_JOB).catch(logged(log, 'what is kept for no day could not be removed at once', {}))
  const onHidden = () => (configuration().keeping.deleted_days === 0 ? onEnding() : undefined)
  jobs.define(conversationJob({ open, clock, purge, sources, onRemoved, onHidden }))
  return {
    services: {
      purge,
      conversationAdministration: openConversationAdministration({ open, clock, jobs }),
      conversationListing: openConversationListing({ open, clock, upstreams, terms }),
      keepingPreview: openKeepingPreview({ ...shared, terms, expiringFiles: files.expiringBy }),
      listDeleted: openDeleted({ open, terms }),
      keepRequests: openKeepRequests({ open, clock, terms }),
      conversations: openConversations({ open, clock, upstreams, configuration, sources, terms, onEnding }),
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

/** What asks: the page, and other tools by their keys. */
function openAskingServices(shared: Shared & Files & Awaited<ReturnType<typeof openUsage>> & { for_command: boolean }) {
  const ownEndpoint: Parameters<typeof openAsking>[0]['ownEndpoint'] = (setting, upstream_id) =>
    ownEndpointOf(setting, upstream_id, shared.secretBox)
  const asking = openAsking({ ...shared, ownEndpoint, notices: shared.notices.ofAsks })
  const keys = openKeys({ ...shared, stopAsk: asking.stop })
  const toolUsage = openToolUsage(shared)
  const toolAsks = openToolAsks({ ...shared, asking, usage: toolUsage, keepExchange: openExchanges(shared) })
  return { asking, keys, toolUsage, toolAsks, trials: openTrials({ ...shared, keys }) }
}

/** How busy the portal is, what is left to whom, and how administrators look after both. */
async function openUsage(shared: Shared, env: NodeJS.ProcessEnv) {
  const { open, clock, log, jobs, users, configuration, upstreams, prices, sources, ownEndpoints, data_dir } = shared
  const allowance = openAllowances({
    ...shared,
    serves: upstreams.serves,
    isShared: id => upstreams.find(id) !== null,
    leastCost: (id, model, time) => leastCost(prices.of(id, model, time)),
    upstreamsOf: async (user_id, source) => upstreams.idsFor(source, await ownEndpoints(user_id, source)),
  })
  const { gifts, grants } = openGiving(shared)
  return {
    status: openStatus({ open, clock, configuration, upstreams, prices, sources, version: VERSION }),
    meter: openMeter({ open, clock, configuration, upstreams }),
    shares: openShares(shared),
    requestCounts: openRequestCounts({ open, clock, log, configuration }),
    statistics: openStatistics({ open, clock }),
    askLogs: openAskLogs({ open, clock, configuration }),
    systemInformation: openSystemInformation({ open, clock, data_dir }),
    loads: openLoads({ open, clock, upstreams }),
    allowance,
    replays: openReplays(shared),
    notices: await openNoticeServices({ ...shared, env }, allowance),
    planAdministration: openPlanAdministration({ ...shared, readUse: readUseOf(shared) }),
    personPolicies: openPersonPolicy(shared),
    peopleList: openPeopleList(shared),
    gifts,
    usageReports: openUsageReports({ open, clock, configuration, allowance, grants }),
    userAdministration: openUserAdministration({ open, clock, log, jobs, configuration, users, allowance }),
  }
}

/** What is used of limits, for whoever previews a change of plans. */
const readUseOf =
  ({ clock, configuration }: Pick<Shared, 'clock' | 'configuration'>): ReadUse =>
  async (database, asked) => {
    const { time_zone } = configuration().portal
    const uses = await readLimitUse(database, { ...asked, now: clock.now(), time_zone })
    return new Map(uses.map(({ limit, used }) => [limitKey(limit), used]))
  }
