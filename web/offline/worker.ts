import { isFromGateway, offlinePage } from './offlinePage.ts'
import { listenForPushes, type PushWorker } from './pushWorker.ts'

/**
 * The service worker. It answers navigations that fail, here or at a proxy before the server, with the offline page,
 * and shows notices that are pushed. It caches nothing, so that nobody sees anything outdated; a new version replaces
 * it at once.
 */
const here = globalThis as unknown as Worker // the library of types knows pages only

type Worker = PushWorker & {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  registration: { navigationPreload?: { enable(): Promise<void> } }
  addEventListener(
    type: 'install',
    listener: (event: ExtendableEvent & { addRoutes?(rule: object): Promise<void> }) => void,
  ): void
  addEventListener(type: 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: NavigationEvent) => void): void
}
type ExtendableEvent = { waitUntil(work: Promise<unknown>): void }
type NavigationEvent = {
  request: Request
  preloadResponse?: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}

here.addEventListener('install', event => {
  event.waitUntil(here.skipWaiting())
  // Where the browser supports it, only navigations start this worker.
  void event.addRoutes?.({ condition: { not: { requestMode: 'navigate' } }, source: 'network' }).catch(() => null)
})

here.addEventListener('activate', event => {
  event.waitUntil(Promise.all([here.clients.claim(), here.registration.navigationPreload?.enable()]))
})

here.addEventListener('fetch', event => {
  if (event.request.mode === 'navigate') event.respondWith(pageOrOfflinePage(event))
})

async function pageOrOfflinePage({ request, preloadResponse }: NavigationEvent): Promise<Response> {
  try {
    const answer = (await preloadResponse) ?? (await fetch(request))
    return isFromGateway(answer) ? offlinePage() : answer
  } catch {
    return offlinePage()
  }
}

listenForPushes(here)
