import webPush from 'web-push'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { openStoredKey, type SecretBox } from '#server/foundation/secrets.ts'
import { keyStore, subscriptionStore } from './store.ts'

/** By which push services know this portal (VAPID, RFC 8292). */
export type PushKeys = { public_key: string; private_key: string }

type Dependencies = { open: OpenDatabase; secretBox: SecretBox; clock: Pick<Clock, 'now'>; log: Log }

/**
 * The portal’s key pair: made when it is needed first, once for all processes, and kept encrypted. One that cannot be
 * opened is replaced, and with it go the browsers that know it: each asks to be told again when its page is opened.
 */
export function openPushKeys({ open, secretBox, clock, log }: Dependencies): () => Promise<PushKeys> {
  const contextOf = (public_key: string) => `push key ${public_key}`

  async function stored(): Promise<PushKeys | null> {
    const row = await keyStore(open.database).find()
    if (row === undefined) return null
    const { public_key } = row
    const { key: private_key } = openStoredKey(secretBox, row.private_key, contextOf(public_key))
    if (private_key !== null) return { public_key, private_key }
    log.warn('the key of notices cannot be opened with the present secret key: a new one is made')
    await open.transaction(async trx => {
      const { numDeletedRows } = await keyStore(trx).removeUnreadable(row.private_key)
      if (numDeletedRows > 0n) await subscriptionStore(trx).removeAll()
    })
    return null
  }

  async function read(): Promise<PushKeys> {
    const before = await stored()
    if (before !== null) return before
    const made = webPush.generateVAPIDKeys()
    const private_key = secretBox.seal(made.privateKey, contextOf(made.publicKey))
    await keyStore(open.database).insert({ public_key: made.publicKey, private_key, create_time: clock.now() })
    // Another process may have been first.
    return (await stored()) ?? { public_key: made.publicKey, private_key: made.privateKey }
  }

  let known: Promise<PushKeys> | null = null
  return async () => {
    known ??= read()
    try {
      return await known
    } catch (cause) {
      known = null
      throw cause
    }
  }
}
