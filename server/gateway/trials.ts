import type { IncomingHttpHeaders } from 'node:http'
import { beginningOf } from '#contract/cutText.ts'
import { type KeyTrial, TRIAL_MINUTES, type TrialOutcome } from '#contract/keyTrials.ts'
import type { LiveReply } from '#server/asking/liveReply.ts'
import { tokensOfRelay } from '#server/asks/logStore.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import { addressKey } from '#server/foundation/http/rates.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Keys } from '#server/keys/keys.ts'
import { beginningOfSecret, endingOf, hashOf, isWellFormed, missingOf } from '#server/keys/secret.ts'
import { refusalOfEnd } from './answer.ts'
import { secretsIn } from './keyInRequest.ts'
import { meantForPost, pathOfUrl } from './paths.ts'
import { toolName } from './toolName.ts'

/** Somebody who waits for a request. Of their keys it holds what the database holds, and the hash of a beginning. */
type Watch = {
  user_id: number
  key_id: number
  /** Hashes of all their keys. */
  keys: Record<string, number>
  /** Of the secret that is awaited; null where the page does not know it. */
  beginning_hash: string | null
  ending: string
  /** From where the page is open. */
  address: string
  until: number
}

type Seen = { method: string; url: string; ip: string; headers: IncomingHttpHeaders }

/** A request that somebody waits for. */
export type Trial = {
  refused(refusal: Refusal): void
  /** Follows its answer to the end. */
  follow(reply: LiveReply, model: string): Promise<void>
}

const STARTED = 'trial started'
const CAME = 'trial'
const MAX_WATCHES = 500
const MAX_PATH = 200
/**
 * The first requests that people wait for, in memory, and in every process. A request is theirs that has one of their
 * keys, or the beginning or the end of the one they wait for. What comes with no key of theirs from the address of
 * their page is only said to have come.
 */
export function openTrials({ bus, clock, keys }: { bus: Bus; clock: Clock; keys: Pick<Keys, 'secretsOf'> }) {
  const watches = new Map<number, Watch & { last: KeyTrial | null }>()

  bus.subscribe(STARTED, body => {
    const watch = JSON.parse(body) as Watch // only `begin` writes it
    for (const [user_id, { until }] of watches)
      if (until <= clock.now() || watches.size >= MAX_WATCHES) watches.delete(user_id)
    watches.delete(watch.user_id)
    watches.set(watch.user_id, { ...watch, last: null })
  })
  bus.subscribe(CAME, body => {
    const [user_id, last] = JSON.parse(body) as [number, KeyTrial] // only `say` writes it
    const watch = watches.get(user_id)
    if (watch !== undefined) watch.last = last
  })

  function say({ user_id }: Watch, { headers }: Seen, key_id: number | null, outcome: TrialOutcome): void {
    const time = new Date(clock.now()).toISOString()
    // Of a stranger's request nothing is passed on, the program among it.
    const tool = key_id === null ? null : toolName(headers)
    bus.publish(CAME, JSON.stringify([user_id, { time, key_id, tool, outcome } satisfies KeyTrial]))
  }

  const isOpen = ({ until }: Watch): boolean => clock.now() < until

  /** Who waits for a request, and by which key it comes. */
  function ownerOf({ headers }: Seen): { watch: Watch; key_id: number } | null {
    const hashes = secretsIn(headers).map(hashOf)
    for (const watch of watches.values()) {
      const key_id = hashes.map(hash => watch.keys[hash]).find(id => id !== undefined)
      if (key_id !== undefined && isOpen(watch)) return { watch, key_id }
    }
    return null
  }

  /** Of a request that has no key of anybody who waits. */
  function sayOfStranger(seen: Seen): void {
    const [secret] = secretsIn(seen.headers)
    if (secret !== undefined && !isWellFormed(secret)) {
      const beginning_hash = beginningOfSecret(secret)
      for (const watch of watches.values()) {
        if (!isOpen(watch)) continue
        if (watch.beginning_hash !== beginning_hash && watch.ending !== endingOf(secret)) continue
        const outcome = { as: 'mistyped', ending: endingOf(secret), missing: missingOf(secret) } as const
        return say(watch, seen, watch.key_id, outcome)
      }
    }
    const address = addressKey(seen.ip)
    const as = meantForPost(seen) ? 'notPosted' : secret === undefined ? 'withoutKey' : 'unknownKey'
    for (const watch of watches.values()) if (watch.address === address && isOpen(watch)) say(watch, seen, null, { as })
  }

  return {
    /** `secret`: of the key, where the page knows it. */
    async begin(user_id: number, key_id: number, { secret, ip }: { secret: string | null; ip: string }): Promise<void> {
      const rows = await keys.secretsOf(user_id)
      const row = rows.find(({ id, revoke_time }) => id === key_id && revoke_time === null)
      if (row === undefined) throw new Refusal('keyNotFound')
      const watch: Watch = {
        ...{ user_id, key_id, ending: row.ending, address: addressKey(ip) },
        keys: Object.fromEntries(rows.map(({ id, secret_hash }) => [secret_hash, id])),
        beginning_hash: secret !== null && hashOf(secret) === row.secret_hash ? beginningOfSecret(secret) : null,
        until: clock.now() + TRIAL_MINUTES * 60_000,
      }
      bus.publish(STARTED, JSON.stringify(watch))
    },

    read(user_id: number, key_id: number): KeyTrial | null {
      const watch = watches.get(user_id)
      return watch?.key_id === key_id ? watch.last : null
    },

    /** A request by a key that holds; null where nobody waits for it. */
    of(seen: Seen): Trial | null {
      const owner = watches.size === 0 ? null : ownerOf(seen)
      if (owner === null) return null
      const { watch, key_id } = owner
      const sayOf = (outcome: TrialOutcome): void => say(watch, seen, key_id, outcome)
      return {
        refused: refusal => sayOf(refusedAs(refusal)),
        follow: (reply, model) => follow(reply, model, sayOf),
      }
    },

    /** A request that was refused before anybody was asked. */
    refused(seen: Seen, refusal: Refusal): void {
      if (watches.size === 0) return
      const owner = ownerOf(seen)
      if (owner === null) return refusal.key === 'keyInvalid' || meantForPost(seen) ? sayOfStranger(seen) : undefined
      const isUnknown = refusal.key === 'resourceNotFound'
      const path = pathOfUrl(seen.url).slice(0, MAX_PATH)
      const wrong: TrialOutcome = meantForPost(seen) ? { as: 'notPosted' } : { as: 'wrongPath', path }
      say(owner.watch, seen, owner.key_id, isUnknown ? wrong : refusedAs(refusal))
    },
  }
}

export type Trials = ReturnType<typeof openTrials>

/** Characters of a value, which may be what the tool has sent. */
const MAX_VALUE = 300

function refusedAs({ key, values, detail }: Refusal): TrialOutcome {
  const short = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? beginningOf(value, MAX_VALUE) : value,
  ])
  return { as: 'refused', key, values: Object.fromEntries(short), field: detail?.[0]?.loc.slice(1).join('.') || null }
}

async function follow(reply: LiveReply, model: string, say: (outcome: TrialOutcome) => void): Promise<void> {
  let shown: number | null = -1
  for (let { phase } = reply; phase.at !== 'ended'; { phase } = reply) {
    const position = phase.at === 'queueing' && phase.place > 0 ? phase.place : null
    if (position !== shown)
      say(
        phase.at === 'queueing' && position !== null
          ? { as: 'queued', model, position, estimate_seconds: phase.estimate_seconds }
          : { as: 'asking', model },
      )
    shown = position
    await reply.changed(null)
  }
  const { phase, metered } = reply
  if (phase.at !== 'ended') return
  if (phase.outcome !== 'finished') return say(refusedAs(refusalOfEnd(phase)))
  const used = metered === null ? null : tokensOfRelay(metered)
  const tokens = used === null ? null : (used.prompt_tokens ?? 0) + (used.completion_tokens ?? 0)
  say({ as: 'answered', model, tokens, charged: phase.charged })
}
