import { describe, expect, test } from 'vitest'
import type { MyUsage } from '#contract/usage.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const HOUR = 3_600_000
const DAYS = String((10 * 24 * HOUR) / 1000)
/** Whoever signs in stays so while the clock moves. */
const LONG_SESSIONS = { COMMONS_AUTH_JWT_LIFETIME_SECONDS: DAYS, COMMONS_AUTH_COOKIE_MAX_AGE: DAYS }

const lastOf = async (person: Person) => {
  const chat = await person.chat(question('/simulate tokens=2', { new_title: 'x' }))
  return chat.until(frame => frame.type === 'finished' || frame.type === 'error')
}

/** Weeks by their two Mondays at midnight in the zone, and how long they are. */
const WEEKS = [
  ['whose clock goes forward', 'Europe/Berlin', '2026-03-22T23:00:00.000Z', '2026-03-29T22:00:00.000Z', 167],
  ['whose clock goes back', 'Europe/Berlin', '2026-10-18T22:00:00.000Z', '2026-10-25T23:00:00.000Z', 169],
  ['of half hours', 'Asia/Kolkata', '2026-03-22T18:30:00.000Z', '2026-03-29T18:30:00.000Z', 168],
] as const

eachStorage((_name, storage) => {
  describe('a limit of a week', () => {
    test.each(WEEKS)('in a zone %s comes back at its midnight (%s)', async (_name, zone, monday, next, hours) => {
      const [begins, ends] = [Date.parse(monday), Date.parse(next)]
      expect((ends - begins) / HOUR).toBe(hours)
      const clock = testClock(begins - 1)
      const { admin, person } = await startPortal({
        storage: await storage(),
        clock,
        environment: { COMMONS_PORTAL_TIME_ZONE: zone, ...LONG_SESSIONS },
      })
      const limits = [{ source: 'openai_api', unit: 'asks', amount: 2, window: { kind: 'week' } }]
      const plan = await admin.result<{ id: number }>('POST', '/plan', { name: 'Weekly', limits })
      const lin = await person()
      await admin.result('PUT', `/user/${lin.id}/plan`, { plan_id: plan.id })
      const refused = { tip: 'errors.limitReached', values: { window: 'week', amount: 2, opens_at: next } }

      expect(await lastOf(lin), 'in the last moment of the week before').toMatchObject({ type: 'finished' })
      clock.set(begins)
      for (const at of ['first', 'second']) expect(await lastOf(lin), at).toMatchObject({ type: 'finished' })
      expect(await lastOf(lin)).toMatchObject(refused)
      clock.set(ends - 1)
      expect(await lastOf(lin)).toMatchObject(refused)
      const { limits: left } = await lin.result<MyUsage>('GET', '/usage/me')
      expect(left).toMatchObject([{ unit: 'asks', used: 2, left: 0, opens_at: next }])
      clock.set(ends)
      expect(await lastOf(lin)).toMatchObject({ type: 'finished' })
      expect((await lin.result<MyUsage>('GET', '/usage/me')).limits).toMatchObject([{ used: 1, left: 1 }])
    })
  })
})
