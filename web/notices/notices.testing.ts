import { onTestFinished, vi } from 'vitest'

const KEY = 'B'.padEnd(87, 'A')
export const PUBLIC_KEY = KEY

type Had = { endpoint: string; key: string } | null

/** A browser with a push service, whose own question is answered as the test says. */
export function aPushBrowser({
  answer = 'granted' as NotificationPermission,
  had = null as Had,
  isReachable = true,
} = {}) {
  let present = had === null ? null : aSubscription(had.endpoint, had.key)
  const asked = vi.spyOn(Notification, 'requestPermission').mockImplementation(async () => answer)
  const permission = vi
    .spyOn(Notification, 'permission', 'get')
    .mockImplementation(() => (had === null ? 'default' : 'granted'))
  const subscribe = vi.fn(async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
    if (!isReachable) throw new DOMException('no push service', 'AbortError')
    present = aSubscription('https://push.example.org/new', applicationServerKey)
    return present
  })
  const registration = vi.spyOn(navigator.serviceWorker, 'getRegistration').mockImplementation(
    async () => ({ pushManager: { subscribe, getSubscription: async () => present } }) as never, // all that is used of it
  )
  onTestFinished(() => {
    for (const each of [asked, permission, registration]) each.mockRestore()
  })
  return { asked, subscribe, present: () => present }
}

function aSubscription(endpoint: string, key: string | Uint8Array) {
  const bytes = typeof key === 'string' ? Uint8Array.from(atob(key.replaceAll('-', '+')), of => of.charCodeAt(0)) : key
  return {
    endpoint,
    options: { applicationServerKey: bytes.slice().buffer },
    unsubscribe: vi.fn(async () => true),
    toJSON: () => ({ endpoint, keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } }),
  }
}
