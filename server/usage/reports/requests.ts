import type { BodyOf, QueryOf } from '#contract/call.ts'
import { isMoney, MILLIONTHS } from '#contract/plans.ts'
import type { decideUsageRequest, listUsageRequests, requestUsage, UsageRequest } from '#contract/usage.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { Json } from '#server/foundation/database/schema/portal.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { AccountGrants } from '#server/shares/gifts/grants.ts'
import { userStore } from '#server/users/store.ts'
import { requestStore, type UsageRequestRow } from '../requestStore.ts'
import { type UsageLine, usageLedgerStore } from '../usageLedger.ts'
import { monthAt, monthSpan } from './months.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration; grants: AccountGrants }
type Reader = { id: number; is_superuser: boolean }
type Decided = BodyOf<typeof decideUsageRequest>

export type UsageRequests = ReturnType<typeof openUsageRequests>

/** Milliseconds: nothing is asked for or granted for longer. */
const MAX_AHEAD = 366 * 86_400_000

/**
 * Requests for more: beyond one's limits, of which one of a person, source and unit is open at a time, and of an
 * account that everybody has a share of, of which one of a person and account is.
 */
export function openUsageRequests({ open, clock, configuration, grants }: Dependencies) {
  const endOfMonth = (): number => {
    const { time_zone } = configuration().portal
    return monthSpan(monthAt(clock.now(), time_zone), time_zone).to
  }

  function endOf(until: string | null | undefined, otherwise: number): number {
    const end = until === undefined || until === null ? otherwise : Date.parse(until)
    if (end <= clock.now() || end > clock.now() + MAX_AHEAD)
      throw invalid(['body', 'until'], 'not within a year from now')
    return end
  }

  /** What is asked for more of, and until when unless it is said. */
  async function askedFor(user_id: number, { source, unit, upstream_id = null }: BodyOf<typeof requestUsage>) {
    if (upstream_id !== null) return grants.asked(user_id, upstream_id, unit)
    // One of the two is there: so it was parsed.
    if (source === undefined || unit === undefined)
      throw invalid(['body', 'source'], 'a source or an account is needed')
    if (source === 'openai_web' && unit === 'money') throw invalid(['body', 'unit'], 'not counted there')
    return { upstream_id: null, source, unit, until: endOfMonth() }
  }

  const requestsOf = (rows: readonly UsageRequestRow[]) => sentRequests(open.database, rows, grants.label)

  /** With whose part it would be, for whoever may decide. */
  async function withParts(rows: readonly UsageRequestRow[], reader: Reader): Promise<UsageRequest[]> {
    const requests = await requestsOf(rows)
    return Promise.all(
      requests.map(async (request, at) => {
        const row = rows[at]
        if (row === undefined || row.upstream_id === null || !mayDecide(grants, reader, row)) return request
        return { ...request, part: await grants.part(row, reader.id) }
      }),
    )
  }

  /** One's own, and what one may decide: the oldest first. */
  async function openFor(reader: Reader): Promise<UsageRequestRow[]> {
    const store = requestStore(open.database)
    if (reader.is_superuser) return store.open(null)
    const [own, ofAccounts] = await Promise.all([store.open(reader.id), store.openOfAccounts()])
    const ofMine = ofAccounts.filter(row => mayDecide(grants, reader, row))
    return [...own, ...ofMine].toSorted((a, b) => a.id - b.id)
  }

  return {
    async request(user_id: number, body: BodyOf<typeof requestUsage>): Promise<UsageRequest> {
      const { until, ...asked } = await askedFor(user_id, body)
      const row = {
        ...{ user_id, ...asked, amount: storedAmount(asked, body.amount), until: endOf(body.until, until) },
        ...{ reason: body.reason, create_time: clock.now() },
      }
      const stored = await open.transaction(async trx => {
        // So that two at the same moment do not both find none.
        await userStore(trx).lock(user_id, open.engine)
        if ((await requestStore(trx).openOf(row)) !== undefined) throw new Refusal('usageRequestOpen')
        return requestStore(trx).insert(row)
      })
      return one(await requestsOf([stored]))
    },

    async list(reader: Reader, { open: isOpen }: QueryOf<typeof listUsageRequests>): Promise<UsageRequest[]> {
      const [waiting, answered] = await Promise.all([
        isOpen === 'false' ? [] : openFor(reader),
        isOpen === 'true' ? [] : requestStore(open.database).answered(reader.is_superuser ? null : reader.id),
      ])
      return [...(await withParts(waiting, reader)), ...(await requestsOf(answered))]
    },

    /** Granted for as long and as much as was asked for, unless said otherwise. */
    async decide(decider: Reader, id: number, { decision, amount, until, word }: Decided): Promise<UsageRequest> {
      const decided = await open.transaction(async trx => {
        const store = requestStore(trx)
        const asked = await store.findForUpdate(id, open.engine)
        if (asked === undefined || !mayDecide(grants, decider, asked)) throw new Refusal('usageRequestNotFound')
        if (asked.decision !== null) throw new Refusal('usageRequestAnswered')
        const granted = decision === 'granted' && {
          granted_amount: amount === undefined || amount === null ? asked.amount : storedAmount(asked, amount),
          granted_until: endOf(until, asked.until),
        }
        const answer = { decision, word, decided_by: decider.id, decide_time: clock.now() }
        const row = await store.change(id, { ...answer, ...granted })
        if (granted !== false) {
          const { granted_amount, granted_until } = granted
          const { user_id, upstream_id, unit } = row
          if (upstream_id !== null)
            await grants.grant(trx, { user_id, upstream_id }, { amount: granted_amount, until: granted_until, unit })
          await usageLedgerStore(trx).note(grantedLine(row, clock.now()))
        }
        await recordDecision(trx, asked, granted)
        return row
      })
      return one(await requestsOf([decided]))
    },

    /** Somebody else's is not found. */
    async withdraw(user_id: number, id: number): Promise<void> {
      const asked = await requestStore(open.database).find(id)
      if (asked === undefined || asked.user_id !== user_id) throw new Refusal('usageRequestNotFound')
      if (!(await requestStore(open.database).withdraw(id))) throw new Refusal('usageRequestAnswered')
    },

    requestsOf,

    openOf: async (user_id: number): Promise<UsageRequest[]> =>
      requestsOf(await requestStore(open.database).open(user_id)),
  }
}

/** Whoever may not decide does not learn that there is such a request. Nobody but administrators answers themselves. */
function mayDecide(grants: AccountGrants, decider: Reader, { user_id, upstream_id }: UsageRequestRow): boolean {
  if (decider.is_superuser) return true
  return upstream_id !== null && user_id !== decider.id && grants.mayDecide(decider, upstream_id)
}

type GrantedValues = { granted_amount: number; granted_until: number }

async function recordDecision(trx: Transaction, asked: UsageRequestRow, granted: GrantedValues | false): Promise<void> {
  const { user_id, source, unit, amount, until, upstream_id } = asked
  const of: Record<string, Json> = upstream_id === null ? { source } : { source, upstream_id }
  const given = granted && { amount: granted.granted_amount, until: granted.granted_until }
  await recordAudit(trx, {
    action: given === false ? 'usage.declined' : 'usage.granted',
    subject: { kind: 'user', id: user_id, name: (await userStore(trx).nicknameOf(user_id))?.nickname },
    before: { ...of, unit, amount, until },
    after: given === false ? null : { ...of, unit, ...given },
  })
}

function storedAmount({ unit }: { unit: string }, amount: number): number {
  if (unit === 'money' ? !isMoney(amount) : !Number.isInteger(amount))
    throw invalid(['body', 'amount'], 'invalid amount')
  return unit === 'money' ? Math.round(amount * MILLIONTHS) : amount
}

/** As it is sent. */
export const sentAmount = (unit: string, amount: number): number =>
  unit === 'money' && amount > 0 ? amount / MILLIONTHS : amount

function one(requests: readonly UsageRequest[]): UsageRequest {
  const [request] = requests
  if (request === undefined) throw new Error('one row is one request')
  return request
}

/** With the names of those who asked and answered, and of the account that it is of. */
async function sentRequests(
  database: Database,
  rows: readonly UsageRequestRow[],
  label: (upstream_id: number) => string,
): Promise<UsageRequest[]> {
  const ids = rows.flatMap(({ user_id, decided_by }) => [user_id, ...(decided_by === null ? [] : [decided_by])])
  const nicknames = await userStore(database).nicknamesOf([...new Set(ids)])
  return rows.map(row => ({
    id: row.id,
    user_id: row.user_id,
    nickname: nicknames.get(row.user_id) ?? '',
    source: row.source as UsageRequest['source'], // only requests that were parsed are stored
    unit: row.unit as UsageRequest['unit'],
    amount: sentAmount(row.unit, row.amount),
    until: iso(row.until),
    reason: row.reason,
    create_time: iso(row.create_time),
    upstream: row.upstream_id === null ? null : { id: row.upstream_id, label: label(row.upstream_id) },
    part: null,
    decision: row.decision as UsageRequest['decision'],
    granted_amount: row.granted_amount === null ? null : sentAmount(row.unit, row.granted_amount),
    granted_until: row.granted_until === null ? null : iso(row.granted_until),
    word: row.word,
    decided_by: row.decided_by === null ? null : (nicknames.get(row.decided_by) ?? null),
    decide_time: row.decide_time === null ? null : iso(row.decide_time),
  }))
}

/** What was granted is in the ledger, and no use of anybody. */
const grantedLine = (
  { user_id, source, unit, granted_amount, upstream_id }: UsageRequestRow,
  now: number,
): UsageLine => {
  const of = (which: string): number => (unit === which ? (granted_amount ?? 0) : 0)
  return {
    time: now,
    asked_time: now,
    user_id,
    source,
    upstream_id: upstream_id ?? 0,
    model: '',
    ask_id: null,
    reason: 'granted',
    asks: of('asks'),
    tokens: of('tokens'),
    cost: of('money'),
    credit_cost: 0,
    input_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    estimated: false,
  }
}

const iso = (time: number): string => new Date(time).toISOString()
