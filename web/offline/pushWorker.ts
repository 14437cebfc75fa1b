import { isAbout, parsed, shownNotice } from './pushed.ts'

/** What a service worker needs in order to show notices. */
export type PushWorker = {
  location: { origin: string }
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly OpenPage[]>
    openWindow(address: string): Promise<unknown>
  }
  registration: { showNotification(title: string, options: object): Promise<void> }
  addEventListener(type: 'push', listener: (event: PushedEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void
}
type OpenPage = {
  url: string
  visibilityState: string
  focus(): Promise<OpenPage>
  navigate(address: string): Promise<unknown>
}
type Lasting = { waitUntil(work: Promise<unknown>): void }
type PushedEvent = Lasting & { data: { json(): unknown } | null }
type ClickEvent = Lasting & { notification: { close(): void; data: { path?: string } | null } }

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

  worker.addEventListener('push', event => event.waitUntil(show(event.data)))
  worker.addEventListener('notificationclick', event => {
    event.notification.close()
    event.waitUntil(open(event.notification.data?.path ?? '/conversation'))
  })
}
