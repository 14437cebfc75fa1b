import { describe, expect, test } from 'vitest'
import type { LimitUnit } from '#contract/plans.ts'
import { planStore } from '#server/policy/planStore.ts'
import { firstUpstream } from '#testing/asks.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { type Chat, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { randomFrom } from '#testing/random.ts'
import { readLimitUse } from './limitUse.ts'
import { withOrigin } from '#server/policy/limitList.ts'

const START = Date.parse('2026-03-27T20:00:00.000Z')
const STEPS = 40
const WINDOW = { kind: 'day' } as const
const AMOUNTS: Record<LimitUnit, number> = { asks: 25, tokens: 2_000, money: 9_000 }

eachStorage((_name, storage) => {
  describe('after any schedule of asks, failures, crashes and changes of prices', () => {
    test.each([1, 2])(
      'what is used is the sum of the ledger, and nobody is over a limit (%d)',
      async seed => {
        const random = randomFrom(seed)
        const clock = testClock(START)
        const portal = await startPortal({
          ...{ storage: await storage(), clock },
          environment: { COMMONS_ASKING_MAX_RUNNING_ASKS_PER_USER: '5', COMMONS_PORTAL_TIME_ZONE: 'Europe/Berlin' },
        })
        const { database } = portal.app.services.open
        const upstream = await firstUpstream(database)
        const lin = await portal.person()
        const own_limits = (Object.keys(AMOUNTS) as LimitUnit[]).map(unit => ({
          ...{ source: 'openai_api' as const, unit, amount: AMOUNTS[unit], window: WINDOW, models: null, until: null },
        }))
        await planStore(database).setOf(lin.id, { own_limits })
        const price = () =>
          portal.admin.result('PUT', `/system/upstreams/${upstream}/prices`, {
            prices: [{ model: 'gpt_4', input: random.below(4), output: random.below(20) }],
          })
        await price()
        let running: Chat[] = []
        const stopAll = async () => {
          for (const chat of running) chat.send({ stop: true })
          await Promise.all(running.map(chat => chat.closed))
          running = []
        }

        for (let step = 0; step < STEPS; step++) {
          const choice = random.below(10)
          if (choice === 0) await price()
          else if (choice === 1) clock.pass(random.below(5) * 3_600_000)
          else if (choice === 2) await stopAll()
          else {
            if (choice === 3) portal.simulator.nextFault({ kind: 'status', status: 500 })
            if (choice >= 8) portal.simulator.nextFault({ kind: 'stall', after_tokens: random.below(3) })
            const text = `/simulate tokens=${1 + random.below(60)}`
            const chat = await lin.chat(question(text, { new_title: 'x', parameters: { max_tokens: 100 } }))
            await chat.until(({ type }) => type === 'waiting' || type === 'error')
            if (choice >= 8) running.push(chat)
            else await chat.until(({ type }) => type === 'finished' || type === 'error')
          }
          clock.pass(1)
          const limits = own_limits.map(limit => withOrigin(limit, { from: 'own' }))
          const asked = { user_id: lin.id, source: 'openai_api' as const, limits, now: clock.now() }
          for (const { limit, used } of await readLimitUse(database, { ...asked, time_zone: 'Europe/Berlin' }))
            expect(used, `${limit.unit} after step ${step}`).toBeLessThanOrEqual(limit.amount)
        }
        await stopAll()
        const lines = await database.selectFrom('usage_ledger').selectAll().where('user_id', '=', lin.id).execute()
        const sums = await database.selectFrom('usage_sums').selectAll().where('user_id', '=', lin.id).execute()
        const total = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
          rows.reduce((sum, row) => sum + of(row), 0)
        expect(lines.length).toBeGreaterThan(5)
        expect(total(sums, ({ asks }) => asks)).toBe(lines.length)
        expect(total(sums, ({ cost }) => cost)).toBe(total(lines, ({ cost }) => cost))
        expect(total(sums, ({ input_tokens, output_tokens }) => input_tokens + output_tokens)).toBe(
          total(lines, ({ tokens }) => tokens),
        )
        const logged = await database.selectFrom('ask_logs').selectAll().where('user_id', '=', lin.id).execute()
        expect(total(logged, ({ cost }) => cost ?? 0)).toBe(total(lines, ({ cost }) => cost))
      },
      120_000,
    )
  })
})
