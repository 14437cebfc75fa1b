import { addDevice, readNotices, removeDevice } from '#contract/notices.ts'
import { call } from '#web/foundation/call.ts'
import { readStored, writeStored } from '#web/foundation/stored.ts'
import { useSession } from '#web/foundation/session.ts'

/**
 * Whether this browser can show notices: over plain http no browser can; some have no push at all; and somebody may
 * have said no, which only the browser itself can take back.
 */
export type NoticeSupport = 'ready' | 'insecure' | 'missing' | 'blocked'

export function noticeSupport(): NoticeSupport {
  if (!isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)) return 'missing'
  return Notification.permission === 'denied' ? 'blocked' : 'ready'
}

/** Of this person in this browser: `on` is told, `never` does not want to be asked. */
const entryName = () => `notices.${useSession.getState().user?.id ?? ''}`

export const deviceChoice = (): string | null => readStored(entryName())

/** Whether it may be asked, beside a wait, if somebody wants to be told. */
export const mayOffer = (): boolean =>
  noticeSupport() !== 'insecure' && noticeSupport() !== 'missing' && deviceChoice() === null

export const neverOffer = (): void => writeStored(entryName(), 'never')

export type SwitchedOn = 'on' | 'blocked' | 'off here' | 'failed'

/** Asks the browser, which asks the person, and has this browser told. Called by a click alone. */
export async function switchOn(): Promise<SwitchedOn> {
  if ((await Notification.requestPermission()) !== 'granted') return 'blocked'
  const { public_key } = await call(readNotices, {})
  if (public_key === null) return 'off here'
  return (await subscribe(public_key)) ? 'on' : 'failed'
}

export async function switchOff(): Promise<void> {
  writeStored(entryName(), 'never')
  const subscription = await present()
  if (subscription === null) return
  await call(removeDevice, { body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
}

/**
 * Of a browser that is told: after a sign-in it has to be added once more, and with a new key of the portal it needs
 * another address. `public_key` is the portal’s.
 */
export async function renewDevice(public_key: string | null): Promise<void> {
  if (deviceChoice() !== 'on' || public_key === null || noticeSupport() !== 'ready') return
  if (Notification.permission === 'granted') await subscribe(public_key)
}

async function subscribe(public_key: string): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration()
  if (registration === undefined) return false
  const key = bytesOf(public_key)
  const before = await registration.pushManager.getSubscription()
  const isOfKey = before !== null && sameBytes(before.options.applicationServerKey, key)
  if (before !== null && !isOfKey) await before.unsubscribe()
  const subscription = isOfKey
    ? before
    : await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => null)
  const { endpoint, keys } = subscription?.toJSON() ?? {}
  if (endpoint === undefined || keys?.['p256dh'] === undefined || keys['auth'] === undefined) return false
  await call(addDevice, { body: { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } } })
  writeStored(entryName(), 'on')
  return true
}

async function present(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

function sameBytes(one: ArrayBuffer | null, other: Uint8Array): boolean {
  const bytes = new Uint8Array(one ?? new ArrayBuffer(0))
  return bytes.length === other.length && bytes.every((byte, at) => byte === other[at])
}
