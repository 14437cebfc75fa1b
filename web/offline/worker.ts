import { isFromGateway } from './gateway.ts'
import { offlinePage } from './offlinePage.ts'

/**
 * Stands between the page and the network for one thing: when a page cannot be fetched, by itself or by a proxy before the server, it
 * says so. It keeps nothing, neither files nor answers, so that nobody ever sees what is not so any more; a new version takes over at
 * once, since there is nothing to lose.
 */
const here = globalThis as unknown as Worker // the library of types knows pages only

type Worker = {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  registration: { navigationPreload?: { enable(): Promise<void> } }
  addEventListener(
    type: 'install',
    listener: (event: Lasting & { addRoutes?(rule: object): Promise<void> }) => void,
  ): void
  addEventListener(type: 'activate', listener: (event: Lasting) => void): void
  addEventListener(type: 'fetch', listener: (event: Asked) => void): void
}
type Lasting = { waitUntil(work: Promise<unknown>): void }
type Asked = {
  request: Request
  preloadResponse?: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}

here.addEventListener('install', event => {
  event.waitUntil(here.skipWaiting())
  // Where the browser knows how, everything but a page goes by without waking this up.
  void event.addRoutes?.({ condition: { not: { requestMode: 'navigate' } }, source: 'network' }).catch(() => null)
})

here.addEventListener('activate', event => {
  event.waitUntil(Promise.all([here.clients.claim(), here.registration.navigationPreload?.enable()]))
})

here.addEventListener('fetch', event => {
  if (event.request.mode === 'navigate') event.respondWith(pageOrWord(event))
})

async function pageOrWord({ request, preloadResponse }: Asked): Promise<Response> {
  try {
    const answer = (await preloadResponse) ?? (await fetch(request))
    return isFromGateway(answer) ? offlinePage() : answer
  } catch {
    return offlinePage()
  }
}
