import webPush from 'web-push'
import type { ResultOf } from '#contract/call.ts'
import { MAX_DEVICES, type PushSubscription, type readNotices, type Reminder } from '#contract/notices.ts'
import type { Source } from '#contract/models.ts'
import { type Bus, inOrder, keepUpToDate } from '#server/foundation/database/bus.ts'
import { type Outbound, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { User } from '#server/users/user.ts'
import { openAskNotices } from './askNotices.ts'
import { type DeliveryDependencies, openDelivery } from './delivery.ts'
import { openPushKeys } from './keys.ts'
import { openPush, pushAddresses } from './push.ts'
import { noticeStore, subscriptionStore } from './store.ts'
import { openViews, type Views } from './views.ts'

export type NoticeDependencies = Omit<DeliveryDependencies, 'push' | 'views'> & {
  bus: Bus
  outbound: Outbound
  secretBox: SecretBox
  env: NodeJS.ProcessEnv
}

const TOPIC = { due: 'notice-due', devices: 'notice-devices' }
/** Milliseconds between two looks at what has become due; what is due at once is announced by the bus. */
const POLL_MS = 15_000
/** Milliseconds: no window of a limit is longer than a month and what it is counted in. */
const MAX_AHEAD_MS = 32 * 86_400_000
/** Milliseconds in which the address of a push service is looked up. */
const LOOKUP_MS = 4_000

export type Notices = Awaited<ReturnType<typeof openNotices>>

/** Notices that browsers show when the page is closed or not looked at (Web Push). */
export async function openNotices(dependencies: NoticeDependencies) {
  const { open, bus, clock, log } = dependencies
  const keys = openPushKeys(dependencies)
  const views = openViews(dependencies)
  const deliver = openDelivery({ ...dependencies, views, push: openPush({ ...dependencies, keys }) })
  const notified = await openNotified(dependencies)
  const wake = () => bus.publish(TOPIC.due)
  const rounds = inOrder(async () => {
    await deliver()
  })
  const look = () => void rounds.reload().catch((cause: unknown) => log.warn({ err: cause }, 'notices were not sent'))
  let end: (() => void) | null = null

  return {
    ...openOwnNotices({ ...dependencies, views, keys, wake, notified }),

    /** What the life of an ask tells of. */
    ofAsks: openAskNotices({ open, clock, log, wake, isNotified: notified.has }),

    /** Sends what is due now. */
    deliver,

    /** From now on this process sends. */
    begin(): void {
      const timer = setInterval(look, POLL_MS).unref()
      const unsubscribe = bus.subscribe(TOPIC.due, look)
      end = () => {
        clearInterval(timer)
        unsubscribe()
      }
      look()
    },

    async close(): Promise<void> {
      end?.()
      views.close()
      await notified.close()
      await rounds.idle()
    },
  }
}

/** Who is told anywhere, in memory: of everybody else nothing is noted. */
async function openNotified({ open, bus }: NoticeDependencies) {
  let notified = new Set<number>()
  const { reload, idle } = inOrder(async () => {
    notified = new Set((await subscriptionStore(open.database).userIds()).map(({ user_id }) => user_id))
  })
  await reload()
  const end = keepUpToDate({ open, bus, topic: TOPIC.devices, what: 'who is sent notices', reload })
  return {
    has: (user_id: number): boolean => notified.has(user_id),
    /** Somebody is told somewhere from now on, or nowhere: known here when it resolves, elsewhere a moment later. */
    async changed(): Promise<void> {
      bus.publish(TOPIC.devices)
      await reload()
    },
    async close(): Promise<void> {
      end()
      await idle()
    },
  }
}

type Own = NoticeDependencies & {
  views: Views
  keys: ReturnType<typeof openPushKeys>
  notified: Awaited<ReturnType<typeof openNotified>>
  wake(): void
}

/** What people switch on and off for themselves. */
function openOwnNotices({ open, clock, configuration, outbound, views, keys, notified, wake }: Own) {
  const devices = subscriptionStore(open.database)
  const isOn = () => configuration().portal.browser_notices

  async function requireUsable({ endpoint, keys: { p256dh, auth } }: PushSubscription): Promise<void> {
    try {
      webPush.encrypt(p256dh, auth, 'x', 'aes128gcm')
    } catch {
      throw invalid(['body', 'keys'], 'is no key of a browser')
    }
    try {
      await outbound.requireAllowed(endpoint, pushAddresses(configuration()), LOOKUP_MS)
    } catch (cause) {
      if (cause instanceof OutboundFailure) throw new Refusal('addressNotAllowed', {}, { cause })
      throw cause
    }
  }

  return {
    async read({ id }: Pick<User, 'id'>): Promise<ResultOf<typeof readNotices>> {
      const [pair, rows, row] = await Promise.all([
        isOn() ? keys() : null,
        devices.listOf(id),
        noticeStore(open.database).reminderOf(id),
      ])
      const of = row !== undefined && 'model' in row.details ? row.details : null
      const moment = new Date(row?.due_time ?? 0).toISOString()
      const source = of?.source as Source // only `remind` writes it
      return {
        public_key: pair?.public_key ?? null,
        devices: rows.length,
        reminder: of === null ? null : { source, model: of.model, label: of.label, moment },
      }
    },

    async addDevice({ id, session }: Pick<User, 'id' | 'session'>, device: PushSubscription): Promise<void> {
      if (!isOn()) throw new Refusal('noticesOff')
      await requireUsable(device)
      const now = clock.now()
      await open.transaction(async trx => {
        const added = await subscriptionStore(trx).add({ ...device, user_id: id, session }, now)
        if (added === undefined) throw new Refusal('loginExpired')
        await subscriptionStore(trx).removeBeyond(id, MAX_DEVICES)
      })
      await notified.changed()
    },

    removeDevice: async ({ id }: Pick<User, 'id'>, endpoint: string): Promise<void> => {
      await devices.removeByEndpoint(id, endpoint)
      await notified.changed()
    },

    async remind({ id }: Pick<User, 'id'>, { source, model, label, moment }: Reminder): Promise<void> {
      const now = clock.now()
      const due_time = Math.min(Math.max(Date.parse(moment), now), now + MAX_AHEAD_MS)
      await open.transaction(async trx => {
        await noticeStore(trx).removeReminder(id)
        const details = { source, model, label }
        await noticeStore(trx).insert({ user_id: id, kind: 'window', due_time, create_time: now, details })
      })
      wake()
    },

    forgetReminder: async ({ id }: Pick<User, 'id'>): Promise<void> => {
      await noticeStore(open.database).removeReminder(id)
    },

    noteView: ({ id }: Pick<User, 'id'>, view: { page_id: string; conversation_id: string | null }): void =>
      views.publish({ user_id: id, ...view }),
  }
}
