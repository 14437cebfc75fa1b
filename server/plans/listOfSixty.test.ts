import { describe, expect, test } from 'vitest'
import type { ListedRow } from '#contract/planPeople.ts'
import type { Plan } from '#contract/plans.ts'
import { eachStorage } from '#testing/database.ts'
import { signIn } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

type Answer = { rows: ListedRow[]; created: number; moved: number; same: number; refused: number }

const WRONG: Record<number, [string, NonNullable<ListedRow['problem']>]> = {
  7: [',nobody@example.org,Family', 'nameMissing'],
  19: ['Person 19,person19.example.org,Family', 'emailWrong'],
  28: ['Person 28,person28@example.org,No such plan', 'planUnknown'],
  41: ['Person 41,PERSON40@example.org,Kids', 'emailTwice'],
  60: ['Person 60,person60@example.org,Kids,more', 'columnsWrong'],
}
const KNOWN = [1, 2, 3]
const planOf = (at: number) => (at % 2 === 0 ? 'Kids' : 'family')
const SIXTY = Array.from(
  { length: 60 },
  (_, at) => WRONG[at + 1]?.[0] ?? `Person ${at + 1},person${at + 1}@example.org,${planOf(at + 1)}`,
)

eachStorage((_, newStorage) => {
  async function opened() {
    const portal = await startPortal({ storage: await newStorage() })
    const { admin, app } = portal
    const makePlan = async (name: string) => (await admin.result<Plan>('POST', '/plan', { name })).id
    const plans = { family: await makePlan('Family'), kids: await makePlan('Kids') }
    const send = (csv: string, dry_run = false) => admin.result<Answer>('POST', '/plan/list', { csv, dry_run })
    const people = async () =>
      (await admin.result<Plan[]>('GET', '/plan')).map(({ name, people: count }) => [name, count])
    return { ...portal, ...app.services, plans, send, people }
  }

  describe('a list of sixty people of which five rows are wrong', () => {
    test('moves and makes the fifty-five others, as its dry run said, and says of each of the five why', async () => {
      const { url, admin, plans, person, send, people } = await opened()
      for (const at of KNOWN) {
        const { id } = await person(`person${at}`)
        if (at === 2) await admin.result('PUT', `/user/${id}/plan`, { plan_id: plans.kids })
      }
      const csv = ['Name,E-mail,Plan', ...SIXTY].join('\r\n')
      const before = await people()
      const dry = await send(csv, true)
      expect(dry).toMatchObject({ created: 52, moved: 2, same: 1, refused: 5 })
      expect(await people()).toEqual(before)
      const done = await send(csv)
      const decided = ({ rows }: Answer) =>
        rows.map(({ line, outcome, problem, username }) => [line, outcome, problem, username])
      expect(decided(done)).toEqual(decided(dry))
      expect(
        done.rows.filter(({ outcome }) => outcome === 'refused').map(({ line, problem }) => [line, problem]),
      ).toEqual(Object.entries(WRONG).map(([at, [, problem]]) => [Number(at) + 1, problem]))
      const inKids = (at: number) => at % 2 === 0 && WRONG[at] === undefined
      const kids = SIXTY.filter((_row, at) => inKids(at + 1)).length
      expect(await people()).toEqual([
        ['Default', 1],
        ['Family', 55 - kids],
        ['Kids', kids],
      ])
      const made = done.rows.filter(({ outcome }) => outcome === 'created')
      expect(new Set(made.map(({ password }) => password)).size).toBe(52)
      expect(done.rows.every(({ outcome, password }) => (outcome === 'created') === (password !== null))).toBe(true)
      const last = made.at(-1)
      expect((await signIn(url, last?.username ?? '', last?.password ?? '')).id).toBe(last?.user_id)
      const again = await send(csv)
      expect(again).toMatchObject({ created: 0, moved: 0, same: 55, refused: 5 })
      expect(again.rows.every(({ password }) => password === null)).toBe(true)
    })
  })

  describe('a list', () => {
    test('gives everybody a user name of their own, whoever has it already', async () => {
      const { person, send } = await opened()
      await person('lin')
      const { rows } = await send('Lin Mei,lin@example.com,\nLin Bao,lin@example.net,\n李梅,,\n--,--@example.org,')
      expect(rows.map(({ username, outcome }) => [username, outcome])).toEqual([
        ['lin2', 'created'],
        ['lin3', 'created'],
        ['李梅', 'created'],
        ['user', 'created'],
      ])
    })
    test('writes down who was moved from where, and makes nobody an administrator', async () => {
      const { open, plans, person, send, admin } = await opened()
      const { id } = await person('lin')
      await send('Lin,lin@example.org,Family\nNew,new@example.org,Family')
      const moves = await open.database.selectFrom('audit').selectAll().where('action', '=', 'user.plan').execute()
      expect(moves[0]).toMatchObject({
        ...{ actor_name: 'admin', subject_id: String(id) },
        ...{ before: { plan_id: 1 }, after: { plan_id: plans.family } },
      })
      const users = await admin.result<{ username: string; is_superuser: boolean }[]>('GET', '/user')
      expect(users.filter(({ is_superuser }) => is_superuser).map(({ username }) => username)).toEqual(['admin'])
    })
    test('of an e-mail address that two people have moves neither of them', async () => {
      const { open, person, send, people } = await opened()
      const two = [(await person('one')).id, (await person('two')).id]
      // As older portals have let them be.
      await open.database.updateTable('users').set({ email: 'both@example.org' }).where('id', 'in', two).execute()
      const answer = await send('Either,Both@example.org,Family')
      expect(answer.rows).toMatchObject([{ outcome: 'refused', problem: 'emailShared', user_id: null }])
      expect(await people()).toEqual([
        ['Default', 3],
        ['Family', 0],
        ['Kids', 0],
      ])
    })
    test('of more than a thousand rows, or of nothing, is refused whole', async () => {
      const { admin, send } = await opened()
      const many = Array.from({ length: 1_001 }, (_, at) => `P ${at},p${at}@example.org,`).join('\n')
      expect(await admin.call('POST', '/plan/list', { csv: many, dry_run: true })).toMatchObject({ code: 422 })
      expect(await admin.call('POST', '/plan/list', { csv: '' })).toMatchObject({ code: 422 })
      expect(await send('Name,E-mail,Plan\r\n\r\n')).toMatchObject({ rows: [], created: 0, refused: 0 })
    })
    test('is for administrators alone', async () => {
      const { person } = await opened()
      const lin = await person()
      expect((await lin.call('POST', '/plan/list', { csv: 'A,a@b.org,' })).message).toBe('errors.authorityDeny')
    })
  })

  describe('many people', () => {
    test('are moved at once as the dry run says, by a filter too, which must still find as many', async () => {
      const { admin, plans, person, people } = await opened()
      for (let at = 0; at < 4; at++) {
        const { id } = await person()
        if (at < 2) await admin.result('PUT', `/user/${id}/plan`, { plan_id: plans.kids })
      }
      const change = { action: 'plan', plan_id: plans.family }
      const bulk = (found: number, dry_run: boolean) =>
        admin.call('POST', '/system/users/bulk', {
          selection: { filter: { plan: plans.kids }, found },
          change,
          dry_run,
        })
      const before = await people()
      expect((await bulk(2, true)).result).toMatchObject({ changed: 2, unchanged: {} })
      expect(await people()).toEqual(before)
      expect((await bulk(3, false)).code).not.toBe(200)
      expect(await people()).toEqual(before)
      expect((await bulk(2, false)).result).toMatchObject({ changed: 2 })
      expect(await people()).toEqual([
        ['Default', 3],
        ['Family', 2],
        ['Kids', 0],
      ])
    })
  })
})
