import type { addDevice } from '#contract/notices.ts'
import { isAbout, parsed, shownNotice } from './pushed.ts'

/** What a service worker needs in order to show notices. */
export type PushWorker = {
  location: { origin: string }
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly OpenPage[]>
    openWindow(address: string): Promise<unknown>
  }
  registration: {
    showNotification(title: string, options: object): Promise<void>
    pushManager: { subscribe(options: object): Promise<Subscription> }
  }
  fetch(address: string, init: { method: string; headers: Record<string, string>; body: string }): Promise<unknown>
  addEventListener(type: 'push', listener: (event: PushedEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void
  addEventListener(type: 'pushsubscriptionchange', listener: (event: ChangeEvent) => void): void
}
type Subscription = { toJSON(): { endpoint?: string; keys?: Record<string, string> } }
type OpenPage = {
  url: string
  visibilityState: string
  focus(): Promise<OpenPage>
  navigate(address: string): Promise<unknown>
}
type Lasting = { waitUntil(work: Promise<unknown>): void }
type PushedEvent = Lasting & { data: { json(): unknown } | null }
type ChangeEvent = Lasting & {
  oldSubscription?: { options: object } | null
  newSubscription?: Subscription | null
}
type ClickEvent = Lasting & { notification: { close(): void; data: { path?: string } | null } }

/** Of the contract its types alone: the worker is to stay small. */
const DEVICES = '/api/user/me/notices/devices' satisfies `/api${typeof addDevice.path}`

export function listenForPushes(worker: PushWorker): void {
  const { clients, registration } = worker
  const { origin } = worker.location
  const openPages = () => clients.matchAll({ type: 'window', includeUncontrolled: true })

  /** What somebody looks at needs no notice: the server mostly knows, but its word may have come too late. */
  async function show(data: PushedEvent['data']): Promise<void> {
    let sent: unknown = null
    try {
      sent = data?.json()
    } catch {
      return
    }
    const [notice, shown] = [parsed(sent), shownNotice(sent)]
    if (notice === null || shown === null) return
    const pages = await openPages()
    if (pages.some(page => page.visibilityState === 'visible' && isAbout(notice, page.url))) return
    await registration.showNotification(shown.title, shown.options)
  }

  /** In a page that is open there; else in any page of the portal, or a new one. */
  async function open(path: string): Promise<void> {
    const pages = await openPages()
    const address = new URL(path, origin).href
    const page = pages.find(({ url }) => url === address) ?? pages.find(({ url }) => url.startsWith(origin))
    if (page === undefined) return void (await clients.openWindow(address))
    const focused = await page.focus()
    if (focused.url !== address) await focused.navigate(address).catch(() => clients.openWindow(address))
  }

  /** The browser has another address from now on. Where it cannot be added here, the page adds it when it is opened. */
  async function renew({ oldSubscription, newSubscription }: ChangeEvent): Promise<void> {
    const before = oldSubscription?.options
    const subscription = newSubscription ?? (before && (await registration.pushManager.subscribe(before)))
    if (subscription == null) return
    const { endpoint, keys } = subscription.toJSON()
    await worker.fetch(new URL(DEVICES, origin).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint, keys: { p256dh: keys?.['p256dh'], auth: keys?.['auth'] } }),
    })
  }

  worker.addEventListener('pushsubscriptionchange', event => event.waitUntil(renew(event).catch(() => undefined)))
  worker.addEventListener('push', event => event.waitUntil(show(event.data)))
  worker.addEventListener('notificationclick', event => {
    event.notification.close()
    event.waitUntil(open(event.notification.data?.path ?? '/conversation'))
  })
}
