import { describe, expect, test } from 'vitest'
import type { Plan } from '#contract/plans.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'

const NOON = Date.parse('2027-01-15T12:00:00Z')
const DAY = 86_400_000
const EVER = { source: 'openai_api', unit: 'asks', window: { kind: 'ever' }, models: null } as const

eachStorage((_, newStorage) => {
  describe('the list of people', () => {
    test('has those who are spared among those who may ask, in the order of what they have, until then', async () => {
      const clock = testClock(NOON)
      const { admin, person } = await startPortal({ storage: await newStorage(), clock })
      const plan = await admin.result<Plan>('POST', '/plan', { name: 'Family', limits: [{ ...EVER, amount: 5 }] })
      const [spared, more, plain] = [await person(), await person(), await person()].map(({ id }) => id)
      for (const id of [spared, more, plain]) await admin.result('PUT', `/user/${id}/plan`, { plan_id: plan.id })
      const until = new Date(NOON + DAY).toISOString()
      const limits = [{ ...EVER, amount: 80, until }]
      await admin.result('PUT', `/user/${more}/policy`, { limits })
      await admin.result('PATCH', `/plan/${plan.id}`, {
        openai_api: { allow_to_use: false },
        spare: [{ user_id: spared, until }],
      })
      const ids = async (query: string) =>
        (await admin.result<{ rows: { id: number }[] }>('GET', `/system/users?plan=${plan.id}&${query}`)).rows.map(
          ({ id }) => id,
        )
      const byRemaining = 'source=openai_api&sort=remaining&order=desc'
      expect(await ids('allowed=openai_api')).toEqual([spared])
      expect(await ids(byRemaining)).toEqual([more, spared, plain])
      clock.pass(DAY)
      expect(await ids('allowed=openai_api')).toEqual([])
      expect(await ids(byRemaining)).toEqual([spared, more, plain])
    })
  })
})
