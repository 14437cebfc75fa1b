import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { storable, Time } from './envelope.ts'
import { Source } from './models.ts'

/** What the browser may tell a person who is not looking: an answer is ready, it is their turn, they may ask again. */
export const NOTICE_KINDS = ['answer', 'turn', 'window'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** Browsers of one person; a further one takes the place of the one that was added first. */
export const MAX_DEVICES = 10

/** Characters of a name that the page gives a model. */
const MAX_LABEL = 100

/** The server looks at it more closely before anything is sent there. */
const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]+\/\S*$/.test(text)

/** A browser’s address at its push service, and the keys by which what is sent there is encrypted (RFC 8291). */
export const PushSubscription = z.object({
  endpoint: z.string().check(z.maxLength(1_000), storable, z.refine(isAddress, 'no address of a push service')),
  keys: z.object({
    p256dh: z.string().check(z.regex(/^[A-Za-z0-9_-]{86,88}=?$/)),
    auth: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}(==)?$/)),
  }),
})
export type PushSubscription = z.infer<typeof PushSubscription>

/** The moment at which a model may be asked again, of which a person wants to be told. There is one at a time. */
export const Reminder = z.object({
  source: Source,
  model: z.string().check(storable, z.minLength(1), z.maxLength(200)),
  /** As the page names the model. */
  label: z.string().check(storable, z.minLength(1), z.maxLength(MAX_LABEL)),
  moment: Time,
})
export type Reminder = z.infer<typeof Reminder>

export const readNotices = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/user/me/notices',
  summary: 'Whether browsers can be sent notices, by which key, and what one wants to be reminded of.',
  result: z.object({
    /** The public half of the portal’s own key pair (VAPID); null where notices are switched off. */
    public_key: z.nullable(z.string()),
    /** How many browsers of the person are told. */
    devices: z.int(),
    reminder: z.nullable(Reminder),
  }),
} as const satisfies Call

export const addDevice = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/user/me/notices/devices',
  summary: 'From now on this browser is told, for as long as one is signed in there.',
  body: PushSubscription,
  result: z.null(),
} as const satisfies Call

export const removeDevice = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/user/me/notices/devices/remove',
  summary: 'This browser of one’s own is not told any more.',
  body: z.object({ endpoint: PushSubscription.shape.endpoint }),
  result: z.null(),
} as const satisfies Call

export const setReminder = {
  ...nothing,
  access: 'user',
  method: 'PUT',
  path: '/user/me/notices/reminder',
  summary: 'Reminds of one moment, in place of the one before, also when the page is closed.',
  body: Reminder,
  result: z.null(),
} as const satisfies Call

export const forgetReminder = {
  ...nothing,
  access: 'user',
  method: 'DELETE',
  path: '/user/me/notices/reminder',
  summary: 'Reminds of nothing.',
  result: z.null(),
} as const satisfies Call

/** Milliseconds for which a page that says nothing more counts as being looked at. */
export const VIEW_TTL_MS = 60_000

export const noteView = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/user/me/notices/view',
  summary: 'Which conversation somebody looks at in an open page, so that no notice tells of it; null: none.',
  body: z.object({
    page_id: z.string().check(z.regex(/^[\w-]{8,64}$/)),
    conversation_id: z.nullable(z.uuid()),
  }),
  result: z.null(),
} as const satisfies Call

/** What is sent to a browser, which makes the text of it. It holds nothing of a question or an answer. */
export type PushedNotice = {
  kind: NoticeKind
  language: string
  conversation_id: string | null
  /** Of the conversation, where the person wants titles. */
  title: string | null
  /** Of a window: the model that may be asked. */
  label: string | null
  /** How long the answer took; null where that is not known. */
  seconds: number | null
  /** The answer did not end as it should. */
  has_failed: boolean
}
