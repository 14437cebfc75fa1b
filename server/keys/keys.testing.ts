import type { NewKey, UserKey } from '#contract/keys.ts'
import type { LiveReply } from '#server/asking/liveReply.ts'
import type { DatabaseStorage } from '#server/foundation/database/open.ts'
import { aRequestedAsk } from '#testing/asks.ts'
import { testClock } from '#testing/clock.ts'
import type { Person } from '#testing/person.ts'
import { type Portal, startPortal } from '#testing/portal.ts'

/** A Friday of 2027, 08:00 UTC. */
export const START = 1_800_000_000_000

export type MadeKey = { id: number; key: string }

/** The end of an ask. */
export async function ended(reply: LiveReply) {
  const { signal } = new AbortController()
  while (reply.phase.at !== 'ended') await reply.changed(signal)
  return reply.phase
}

/** Asks as a tool does with a key: in no conversation. */
export async function askWith({ app }: Pick<Portal, 'app'>, secret: string, fields: AskFields = {}) {
  const { caller, user } = await app.services.keys.find(secret)
  const asked = { caller, user_id: user.id, conversation: null, tool: 'codex', text: 'Hello' }
  return app.services.asking.ask(aRequestedAsk({ ...asked, ...fields }))
}
type AskFields = Parameters<typeof aRequestedAsk>[0]

/** Never ends of itself while a test runs. */
export const LONG = '/simulate tokens=200000 pace=5'

/** A portal in whose default plan everybody may have three keys, with somebody who has none yet. */
export async function portalWithKeys(storage: DatabaseStorage, max_keys = 3) {
  const clock = testClock(START)
  const portal = await startPortal({ storage, clock })
  return { ...(await withKeys(portal, max_keys)), clock }
}

/** The same of a portal that runs already. */
export async function withKeys<P extends Portal>(portal: P, max_keys = 3) {
  await portal.admin.result('PATCH', '/plan/1', { max_keys })
  const lin = await portal.person('lin')
  return {
    ...portal,
    lin,
    find: portal.app.services.keys.find,
    make: (fields: Partial<NewKey> = {}, owner: Person = lin) =>
      owner.result<MadeKey>('POST', '/user/me/keys', { name: 'Laptop', ...fields }),
    list: (owner: Person = lin) => owner.result<{ keys: UserKey[]; most: number }>('GET', '/user/me/keys'),
    begin: (secret: string, fields?: AskFields) => askWith(portal, secret, fields),
    ask: async (secret: string, fields?: AskFields) => ended(await askWith(portal, secret, fields)),
  }
}
