import { REFUSALS, type RefusalKey } from '#contract/refusals.ts'

/** Of refusals whose code is -1; of any other of those it is 400. */
const STATUSES: Partial<Record<RefusalKey, number>> = {
  timeout: 408,
  fileTooLarge: 413,
  tooManyRequests: 429,
  tooManySignInAttempts: 429,
  askedTooOften: 429,
  queueFull: 429,
  conversationNotFound: 404,
  messageNotFound: 404,
  askNotFound: 404,
  internal: 500,
  unknownError: 500,
  serverStopping: 503,
  diskFull: 507,
  diskNotWritable: 503,
}

/** The HTTP status of a refusal, for what is answered outside the envelope, where every status is 200. */
export function statusOf(key: RefusalKey): number {
  const { code } = REFUSALS[key]
  switch (code) {
    case 10401:
      return 401
    case 10403:
      return 403
    case -1:
      return STATUSES[key] ?? 400
    default:
      return code
  }
}
