import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { Clock } from '#server/foundation/clock.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'

/** What the browser keeps between two steps, sealed: nobody else can go on, and nothing is stored here. */
const StartedSignIn = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  provider_id: z.int(),
  redirect: z.nullable(z.string()),
  invitation: z.nullable(z.string()),
  time: z.int(),
})
export type StartedSignIn = z.infer<typeof StartedSignIn>

/** Whom a provider has named, while their password is waited for. */
const Unlinked = z.object({
  provider_id: z.int(),
  issuer: z.string(),
  subject: z.string(),
  claims: z.record(z.string(), z.unknown()),
  time: z.int(),
})
export type Unlinked = z.infer<typeof Unlinked>

/** Seconds for each step. */
export const STEP_SECONDS = 600

/** Characters of a cookie: browsers keep no longer one. */
const MAX_COOKIE = 3_800

type Dependencies = { secretBox: SecretBox; clock: Pick<Clock, 'now'> }

export function openSteps({ secretBox, clock }: Dependencies) {
  const sealing = <T extends { time: number }>(schema: z.ZodMiniType<T>, context: string) => ({
    /** Null: it has no room. */
    seal(step: Omit<T, 'time'>): string | null {
      const sealed = secretBox.seal(JSON.stringify({ ...step, time: clock.now() }), context)
      return sealed.length > MAX_COOKIE ? null : sealed
    },
    /** Null: it is none of ours, or too old. */
    open(sealed: string | undefined): T | null {
      if (sealed === undefined) return null
      try {
        const step = schema.parse(JSON.parse(secretBox.open(sealed, context)))
        return Math.abs(clock.now() - step.time) <= STEP_SECONDS * 1_000 ? step : null
      } catch {
        return null
      }
    },
  })
  return {
    started: sealing<StartedSignIn>(StartedSignIn, 'sign-in/started'),
    unlinked: sealing<Unlinked>(Unlinked, 'sign-in/unlinked'),
  }
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
