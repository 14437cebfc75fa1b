import { join } from 'node:path'
import { readMe } from '#contract/users.ts'
import { readAllowance } from '#contract/allowance.ts'
import { CHAT_PATH, DELTA_PROTOCOL } from '#contract/asking.ts'
import type { Call } from '#contract/call.ts'
import { listConversations } from '#contract/conversations.ts'
import { readPreferences } from '#contract/preferences.ts'
import { readPortal, readSharedMeter } from '#contract/status.ts'
import { accountRoutes } from './users/routes.ts'
import { userStore } from './users/store.ts'
import type { User } from './users/user.ts'
import { MAX_PAYLOAD } from './asking/socket.ts'
import { auditRoutes } from './audit/routes.ts'
import { configurationRoutes } from './configuration/routes.ts'
import { conversationAdministrationRoutes } from './conversations/administration/routes.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { credentialRoutes } from './upstreams/settingsView/routes.ts'
import { hasVersion, isOfGateway } from './gateway/paths.ts'
import { gatewayRoutes } from './gateway/routes.ts'
import { POLICY_CHANGED } from './gateway/refusalMemory.ts'
import { followUnknownPaths } from './gateway/trialRoutes.ts'
import { fileRoutes } from './files/routes.ts'
import { type Http, openHttp } from './foundation/http/http.ts'
import { acceptSockets } from './foundation/socket/socket.ts'
import { instructionRoutes } from './instructions/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { replayRoutes } from './shares/replay/routes.ts'
import { noticeRoutes } from './notices/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { limitRoutes } from './limits/allowance.ts'
import { ROOT, VERSION } from './version.ts'
import { openServices, type ServiceOptions, type Services } from './services.ts'
import { closeSignedOut } from './signedOut.ts'
import { signInRoutes } from './signIn/routes.ts'
import { shareRoutes } from './shares/routes.ts'
import { logRoutes } from './logs/logs.ts'
import { giftRoutes } from '#server/shares/gifts/routes.ts'
import { usageRoutes } from './usage/reports/routes.ts'
import { statisticsRoutes } from './statistics/routes.ts'
import { jobRoutes, statusRoutes } from './status/routes.ts'
import { quietRoutes } from './asking/quiet/routes.ts'
import { priceRoutes } from './upstreams/prices/routes.ts'
import { upstreamRoutes } from './upstreams/routes.ts'
import { userRoutes } from './users/administration/administration.ts'

/** Milliseconds that running answers are given to end when the program is stopped. */
const GRACE = 25_000

const PAGE = join(ROOT, 'dist/page/')

type Options = ServiceOptions & { page_dir?: string }

export type App = Awaited<ReturnType<typeof openApp>>

/** The whole server: services, calls and the chat socket on one port. */
export async function openApp({ page_dir = PAGE, ...options }: Options) {
  const { start, log } = options
  const services = await openServices(options)
  const { users, asking, configuration, metrics, open } = services
  const current = () => configuration.current()
  const notice = services.upstreams.proxyNotice()
  if (notice !== null) log.info(notice)
  const { http: settings } = start.configuration
  let hasAdmin = false
  const http = openHttp<User>({
    authenticate: users.authenticate,
    log,
    metrics,
    countRequests: services.requestCounts.route,
    page_dir,
    firstCalls,
    version: VERSION,
    publicOrigin: () => current().portal.public_origin,
    corsOrigins: settings.cors_allow_origins,
    anyOrigin: isOfGateway,
    trustedProxies: settings.trusted_proxies,
    requestsPerMinute: () => current().http.requests_per_minute,
    printTraceback: () => current().common.print_traceback,
    furtherOrigins: () => {
      const origins = services.sources.all.flatMap(source => source.origins?.() ?? [])
      return { connect: origins.flatMap(({ connect }) => connect), frame: origins.flatMap(({ frame }) => frame) }
    },
    ready: async () => {
      await open.check()
      return hasAdmin
    },
    metricsToken: settings.metrics_token,
  })
  const started = Promise.withResolvers<void>()
  answerCalls(http, services, started.promise)
  // Any of it may say who may ask, which the gateway remembers for a moment.
  http.fastify.addHook('onResponse', async ({ method, url, verdict }) => {
    if (method !== 'GET' && verdict < 300 && url.startsWith('/api/')) services.bus.publish(POLICY_CHANGED)
  })
  followUnknownPaths(http, services.trials)
  const sockets = acceptSockets<User>(http, {
    path: CHAT_PATH,
    protocols: [DELTA_PROTOCOL],
    httpOnly: hasVersion,
    max_payload: MAX_PAYLOAD,
    authenticateAgain: users.authenticateAgain,
    log,
    metrics,
    perUser: () => current().http.max_sockets_per_user,
    total: () => current().http.max_sockets,
    onSocket: asking.chat,
    countSocket: services.requestCounts.route('WEBSOCKET', CHAT_PATH.slice('/api'.length)),
  })
  const stopLooking = closeSignedOut({ users, asking, sockets, log })

  return {
    services,
    http,
    /**
     * Listens, and then makes the first administrator if there is none: the password of a start whose address is taken
     * would be lost. Until somebody can sign in /readyz says no.
     */
    async listen() {
      const address = await http.fastify.listen({ host: settings.host, port: settings.port })
      const admin = await users.ensureInitialAdmin().finally(started.resolve)
      hasAdmin = true
      return { address, admin }
    },

    /** Nothing new; running answers may end, and are kept as far as they came when the time is up. */
    async close(grace = GRACE): Promise<void> {
      const timeIsUp = new AbortController()
      const timer = setTimeout(() => timeIsUp.abort(), grace)
      // From now on no connection is accepted: a load balancer sends people elsewhere while the last answers end.
      const closed = http.close(grace)
      const jobsClosed = services.jobs.close()
      await services.asking.close(timeIsUp.signal)
      await stopLooking()
      await jobsClosed
      await sockets.close()
      await closed
      await services.close(timeIsUp.signal)
      clearTimeout(timer)
    },
  }
}

/** Every call of the portal. `started` resolves when the first administrator has been made. */
export function answerCalls(http: Http<User>, services: Services, started: Promise<void>): void {
  accountRoutes(http, services.users, started)
  userRoutes(http, services.userAdministration)
  conversationRoutes(http, services)
  conversationAdministrationRoutes(http, services)
  instructionRoutes(http, services)
  invitationRoutes(http, services)
  signInRoutes(http, services)
  keyRoutes(http, services)
  fileRoutes(http, services.files)
  limitRoutes(http, services.allowance)
  const { nicknamesOf } = userStore(services.open.database)
  auditRoutes(http, services)
  configurationRoutes(http, services.configuration, nicknamesOf)
  credentialRoutes(http, services, nicknamesOf)
  upstreamRoutes(http, services, nicknamesOf)
  priceRoutes(http, services.prices)
  logRoutes(http, services.logs)
  statusRoutes(http, services)
  quietRoutes(http, services.asking.quietAsks)
  statisticsRoutes(http, services)
  planRoutes(http, services)
  shareRoutes(http, services)
  usageRoutes(http, services.usageReports)
  noticeRoutes(http, services.notices)
  replayRoutes(http, services)
  giftRoutes(http, services.gifts)
  jobRoutes(http, services.jobAdministration)
  gatewayRoutes(http, services)
  for (const source of services.sources.all) source.routes?.(http)
}

const OF_EVERY_PAGE: readonly Call[] = [readMe, readPreferences]
const OF_CONVERSATIONS: readonly Call[] = [
  ...OF_EVERY_PAGE,
  listConversations,
  readSharedMeter,
  readPortal,
  readAllowance,
]

/** What the page asks before it can show the screen at a path: answered together with the page itself. */
function firstCalls(path: string): readonly Call[] {
  return path === '/conversation' ? OF_CONVERSATIONS : OF_EVERY_PAGE
}
