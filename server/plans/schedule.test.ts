import { describe, expect, test } from 'vitest'
import type { PersonPolicy } from '#contract/planPeople.ts'
import { limitText, type Plan, type PlanLimit } from '#contract/plans.ts'
import { readLimitUse } from '#server/limits/limitUse.ts'
import { withOrigin } from '#server/policy/limitList.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { randomFrom } from '#testing/random.ts'

/** Shortly before midnight at the end of a month, in a zone of half hours. */
const START = Date.parse('2027-01-31T17:00:00Z')
const ZONE = 'Asia/Kolkata'
const OFFSET = 5.5 * 3_600_000
const HOUR = 3_600_000
const STEPS = 45

const asks = { source: 'openai_api', unit: 'asks', models: null } as const
const KINDS: Omit<PlanLimit, 'amount'>[] = [
  { ...asks, window: { kind: 'day' } },
  { ...asks, window: { kind: 'month' }, models: ['gpt_4'] },
  { ...asks, window: { kind: 'rolling', seconds: 3_600 } },
]

type Own = PlanLimit & { until: number | null }
type ScheduledPerson = { person: Person; plan: number; own: Own[]; asked: { time: number; model: string }[] }
type ScheduledPlan = { parent: number | null; limits: PlanLimit[] }

/** What the specification says of a schedule, by what was done and not by what is stored. */
function reference() {
  const plans = new Map<number, ScheduledPlan>([[1, { parent: null, limits: [] }]])
  function wayUp(id: number): number[] {
    const parent = plans.get(id)?.parent ?? null
    return parent === null ? [id] : [id, ...wayUp(parent)]
  }
  function inForce({ own, plan }: ScheduledPerson, now: number): Map<string, [number, number | 'own']> {
    const levels: [number | 'own', readonly PlanLimit[]][] = [
      ['own', own.filter(({ until }) => until === null || until > now)],
      ...wayUp(plan).map((id): [number, PlanLimit[]] => [id, plans.get(id)?.limits ?? []]),
    ]
    const found = new Map<string, [number, number | 'own']>()
    for (const [from, limits] of levels)
      for (const limit of limits) if (!found.has(limitText(limit))) found.set(limitText(limit), [limit.amount, from])
    return found
  }
  function used({ asked }: ScheduledPerson, { window, models }: Omit<PlanLimit, 'amount'>, now: number): number {
    const date = (time: number) =>
      new Date(time + OFFSET).toISOString().slice(0, window.kind === 'day' ? '2027-01-31'.length : '2027-01'.length)
    const isIn = (time: number) =>
      'seconds' in window ? time > now - window.seconds * 1_000 : date(time) === date(now)
    return asked.filter(({ time, model }) => isIn(time) && (models === null || models.includes(model))).length
  }
  return { plans, wayUp, inForce, used }
}

eachStorage((_, newStorage) => {
  describe('after any schedule of changes of plans, moves and asks', () => {
    test.each([3, 4])(
      'the first limit on the way up is in force, what is used is what was asked, and nobody asks beyond it (%d)',
      async seed => {
        const random = randomFrom(seed)
        const clock = testClock(START)
        const portal = await startPortal({
          ...{ storage: await newStorage(), clock },
          environment: { COMMONS_PORTAL_TIME_ZONE: ZONE },
        })
        const { admin } = portal
        const { database } = portal.app.services.open
        const { plans, wayUp, inForce, used } = reference()
        const people: ScheduledPerson[] = []
        for (let at = 0; at < 2; at++) people.push({ person: await portal.person(), plan: 1, own: [], asked: [] })
        for (const parent of [1, 0, 0]) {
          const parent_id = parent || random.of([...plans.keys()])
          const { id } = await admin.result<Plan>('POST', '/plan', { name: 'A plan', parent_id })
          plans.set(id, { parent: parent_id, limits: [] })
        }
        const someLimit = (): PlanLimit => ({ ...random.of(KINDS), amount: random.of([-1, 0, 1, 2, 3, 5]) })

        async function changePlan(): Promise<void> {
          const id = random.of([...plans.keys()])
          const limits = [...new Map([someLimit(), someLimit()].map(limit => [limitText(limit), limit])).values()]
          await admin.result('PATCH', `/plan/${id}`, { limits })
          // The default plan inherits from nobody: a limit that is taken from it is gone.
          plans.set(id, { parent: plans.get(id)?.parent ?? null, limits })
        }
        async function hangBelow(): Promise<void> {
          const [id, parent_id] = [random.of([...plans.keys()].slice(1)), random.of([...plans.keys()])]
          const { message, code } = await admin.call('PATCH', `/plan/${id}`, { parent_id })
          const isCircle = wayUp(parent_id).includes(id)
          expect(code === 200 ? '' : message).toBe(isCircle ? 'errors.planInCircle' : '')
          if (!isCircle) plans.set(id, { limits: plans.get(id)?.limits ?? [], parent: parent_id })
        }
        async function move(who: ScheduledPerson): Promise<void> {
          who.plan = random.of([...plans.keys()])
          await admin.result('PUT', `/user/${who.person.id}/plan`, { plan_id: who.plan })
        }
        async function makeOwn(who: ScheduledPerson): Promise<void> {
          const { amount, ...identity } = someLimit()
          const until = random.percent(50) ? clock.now() + random.below(3) * HOUR + 1 : null
          const isOwn = random.percent(70)
          const end = until === null ? null : new Date(until).toISOString()
          await admin.result('PUT', `/user/${who.person.id}/policy`, {
            limits: [{ ...identity, amount: isOwn ? amount : null, until: end }],
          })
          const others = who.own.filter(limit => limitText(limit) !== limitText(identity))
          who.own = isOwn ? [...others, { ...identity, amount, until }] : others
        }
        async function ask(who: ScheduledPerson): Promise<void> {
          const [now, model] = [clock.now(), random.of(['gpt_4', 'gpt_3_5'])]
          const amounts = inForce(who, now)
          const reached = KINDS.filter(kind => {
            const [amount = -1] = amounts.get(limitText(kind)) ?? []
            const isOf = kind.models === null || kind.models.includes(model)
            return isOf && amount >= 0 && used(who, kind, now) >= amount
          })
          const last = (await who.person.ask('/simulate tokens=2', { new_title: 'x', model })).at(-1)
          const context = `${JSON.stringify(last)} under ${JSON.stringify([...amounts])}`
          expect(last?.type === 'error', context).toBe(reached.length > 0)
          if (reached.length === 0) who.asked.push({ time: now, model })
        }
        async function requireTruth(who: ScheduledPerson): Promise<void> {
          const { limits } = await admin.result<PersonPolicy>('GET', `/user/${who.person.id}/policy`)
          const shown = limits.map(({ origin, ...limit }) => [
            limitText(limit),
            [limit.amount, origin.from === 'own' ? 'own' : origin.plan_id],
          ])
          expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(inForce(who, clock.now())))
          const counted = KINDS.map(kind => withOrigin({ ...kind, amount: 99 }, { from: 'own' }))
          const at = { source: 'openai_api' as const, limits: counted, now: clock.now(), time_zone: ZONE }
          const uses = await readLimitUse(database, { ...at, user_id: who.person.id })
          expect(uses.map(use => use.used)).toEqual(KINDS.map(kind => used(who, kind, clock.now())))
        }

        for (let step = 0; step < STEPS; step++) {
          const who = random.of(people)
          const choice = random.below(10)
          if (choice === 0) await changePlan()
          else if (choice === 1) await hangBelow()
          else if (choice === 2) await move(who)
          else if (choice === 3) await makeOwn(who)
          else if (choice === 4) clock.pass(random.of([HOUR - 1, HOUR, 7 * HOUR]))
          else await ask(who)
          await requireTruth(who)
          clock.pass(1)
        }
        for (const { person, asked } of people) {
          const lines = await database.selectFrom('usage_ledger').selectAll().where('user_id', '=', person.id).execute()
          expect(lines.reduce((sum, line) => sum + line.asks, 0)).toBe(asked.length)
        }
        expect(people.flatMap(({ asked }) => asked).length).toBeGreaterThan(5)
      },
      120_000,
    )
  })
})
