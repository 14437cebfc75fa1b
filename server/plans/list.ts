import { type ListedRow, MAX_LISTED } from '#contract/planPeople.ts'
import { DEFAULT_PLAN } from '#contract/plans.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { Email, Nickname, Username } from '#contract/users.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { invalid, storageRefusalOf } from '#server/foundation/refusal.ts'
import { planStore } from '#server/policy/planStore.ts'
import { NOTHING_OWN } from '#server/policy/plans.ts'
import { plansOf } from '#server/policy/planTree.ts'
import { moveIntoPlan } from '#server/users/planMoves.ts'
import { generatedPassword } from '#server/users/passwords.ts'
import { userStore } from '#server/users/store.ts'
import { emailKey, usernameKey } from '#server/users/user.ts'
import type { Users } from '#server/users/users.ts'
import { readTable } from './table.ts'

type Dependencies = {
  open: OpenDatabase
  configuration(): Configuration
  users: Pick<Users, 'directory'>
  log: Log
}
type Problem = NonNullable<ListedRow['problem']>

/** What is to be done for a row, before anything is done. */
type Decision = ListedRow & { plan_id: number | null }

/** Puts the people of a list into plans. Rows with a problem are named, and keep no other from being done. */
export function openPeopleList({ open, configuration, users, log }: Dependencies) {
  /** In a transaction of its own, so that one row that fails undoes no other. */
  async function carryOut({ plan_id, ...row }: Decision): Promise<ListedRow> {
    if (row.outcome === 'refused' || row.outcome === 'same' || plan_id === null) return row
    try {
      if (row.user_id !== null) {
        const { user_id } = row
        await open.transaction(trx => moveIntoPlan(trx, user_id, plan_id, open))
        return row
      }
      const password = generatedPassword()
      const account = { username: row.username ?? '', nickname: row.name, email: row.email, password, remark: '' }
      const flags = { is_active: true, is_superuser: false, is_verified: false }
      const user_id = await users.directory.make({ ...account, ...flags }, NOTHING_OWN, async (trx, id) => {
        await moveIntoPlan(trx, id, plan_id, open)
      })
      return { ...row, user_id, password }
    } catch (cause) {
      const refusal = storageRefusalOf(cause)
      if (refusal !== null) throw refusal
      log.warn({ err: cause, line: row.line }, 'a row of a list was not done')
      return { ...row, outcome: 'refused', problem: 'failed' }
    }
  }

  return async ({ csv, dry_run }: { csv: string; dry_run: boolean }) => {
    const rows: ListedRow[] = []
    for (const decision of await decide(open.database, configuration(), csv)) {
      const { plan_id: _plan, ...row } = decision
      rows.push(dry_run ? row : await carryOut(decision))
    }
    const count = (outcome: ListedRow['outcome']) => rows.filter(row => row.outcome === outcome).length
    return { rows, created: count('created'), moved: count('moved'), same: count('same'), refused: count('refused') }
  }
}
export type PeopleList = ReturnType<typeof openPeopleList>

async function decide(database: Database, configuration: Configuration, csv: string): Promise<Decision[]> {
  const lines = readTable(csv)
  if (lines.length > MAX_LISTED) throw invalid(['body', 'csv'], `at most ${MAX_LISTED} rows`)
  const [users, values] = [await userStore(database).list(), await planStore(database).listOf()]
  const planOf = new Map(values.map(({ user_id, plan_id }) => [user_id, plan_id ?? DEFAULT_PLAN]))
  const byEmail = Map.groupBy(
    users.filter(({ email }) => email !== ''),
    ({ email }) => emailKey(email),
  )
  const byName = Map.groupBy(users, ({ username }) => usernameKey(username))
  const taken = new Set(byName.keys())
  const seen = new Set<string>()
  const plans = plansOf(configuration).rows
  return lines.map(({ line, cells }): Decision => {
    const [name = '', email = '', plan = ''] = cells
    const base = { line, name, email, plan, user_id: null, username: null, password: null, plan_id: null }
    const refused = (problem: Problem): Decision => ({ ...base, outcome: 'refused', problem })
    if (cells.length > 3 || cells.length < 2) return refused('columnsWrong')
    const nickname = Nickname.safeParse(name)
    if (name === '') return refused('nameMissing')
    if (!nickname.success) return refused('nameTooLong')
    const address = Email.safeParse(email)
    if (!address.success) return refused('emailWrong')
    const target = plan === '' ? DEFAULT_PLAN : plans.find(each => isCalled(each, plan))?.id
    if (target === undefined) return refused('planUnknown')
    const key = email === '' ? `name ${usernameKey(name)}` : emailKey(email)
    if (seen.has(key)) return refused('emailTwice')
    seen.add(key)
    const known = email === '' ? byName.get(usernameKey(name)) : byEmail.get(key)
    if ((known?.length ?? 0) > 1) return refused('emailShared')
    const user = known?.[0]
    if (user === undefined) {
      const username = freeUsername(name, email, taken)
      return {
        ...base,
        name: nickname.data,
        email: address.data,
        username,
        plan_id: target,
        outcome: 'created',
        problem: null,
      }
    }
    const outcome = (planOf.get(user.id) ?? DEFAULT_PLAN) === target ? 'same' : 'moved'
    return { ...base, user_id: user.id, username: user.username, plan_id: target, outcome, problem: null }
  })
}

const isCalled = ({ id, name }: { id: number; name: string }, text: string): boolean =>
  usernameKey(name) === usernameKey(text) || (id === DEFAULT_PLAN && text === String(DEFAULT_PLAN))

/** From the e-mail address, else from the name: what people remember, and nobody else has. */
function freeUsername(name: string, email: string, taken: Set<string>): string {
  const wanted = (email === '' ? name : (email.split('@')[0] ?? ''))
    .replaceAll(/[^\p{L}\p{N}\p{M}_.-]/gu, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
  const stem = Username.safeParse(wanted.slice(0, 28)).data ?? 'user'
  for (let at = 1; ; at++) {
    const username = at === 1 ? stem : `${stem}${at}`
    if (taken.has(usernameKey(username))) continue
    taken.add(usernameKey(username))
    return username
  }
}
