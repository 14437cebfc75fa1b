import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { sessionCaller } from '#server/users/callers.ts'
import { sessionStore } from '#server/users/sessionStore.ts'
import { openAdmission } from '#server/asking/admission.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
import { askStore } from '#server/asks/store.ts'
import type { AdmittedAsk } from '#server/asks/ask.ts'
import type { AccountWindow } from '#contract/shares.ts'
import { usageLedgerStore } from '#server/usage/usageLedger.ts'
import { openServices, type Services } from '#server/services.ts'
import { aRequestedAsk } from '#testing/asks.ts'
import { median } from '../figures.ts'

export type Admission = {
  /** CPU milliseconds of this process for one admission. */
  cpu: number
  /** Milliseconds from start to commit. */
  time: number
  /** Milliseconds of the smallest query. */
  roundTrip: number
}

const WARM_UP = 50
const CHEAP = { memory: 64, passes: 1, parallelism: 1 }
const QUESTION = 'How does a heat pump work, and when has it paid for itself? '.repeat(5)

/** A limit of every kind for everybody, so that each rule has something to check and to reserve. */
const BOUNDED = {
  COMMONS_NEW_USERS_TOTAL_ASK_COUNT: '100000',
  COMMONS_NEW_USERS_MAX_CONV_COUNT: '100000',
  COMMONS_NEW_USERS_PER_MODEL_ASK_COUNT: '{"gpt_4":100000}',
  COMMONS_NEW_USERS_RATE_LIMITS: '[{"window_seconds":10800,"max_requests":100000}]',
}

/**
 * Admits one ask after the other, each of another person: all rules, the reservation, the stored question, the ask's
 * row.
 */
export async function measureAdmission(
  people: number,
  database_url: string | null,
  { isShared = false }: { isShared?: boolean } = {},
): Promise<Admission> {
  const data_dir = await mkdtemp(join(tmpdir(), 'commons-bench-'))
  const env = {
    ...BOUNDED,
    COMMONS_DATA_DATA_DIR: data_dir,
    ...(database_url !== null && { DATABASE_URL: database_url }),
  }
  const services = await openServices({
    start: readStartConfiguration(env),
    env,
    log: pino({ level: 'silent' }),
    demonstrationUrls: { openai_api: 'http://127.0.0.1:9/v1/', openai_web: 'http://127.0.0.1:9/web/' },
    password_cost: CHEAP,
  })
  try {
    return await measure(services, people, isShared)
  } finally {
    await services.close(AbortSignal.abort())
    await rm(data_dir, { recursive: true, force: true })
  }
}

async function measure(services: Services, people: number, isShared: boolean): Promise<Admission> {
  const { open, users, configuration, sources, upstreams, pools } = services
  const ids: number[] = []
  for (let person = 0; person < people + WARM_UP; person += 1) {
    const fields = {
      username: `person${person}`,
      nickname: 'Person',
      email: `person${person}@example.org`,
      password: 'bench-password-1',
    }
    const { id } = await users.createUser({ ...fields, is_active: true, is_superuser: false, is_verified: false })
    const now = Date.now()
    const visit = {
      user_agent: null,
      address: null,
      create_time: now,
      last_seen_time: now,
      expire_time: now + 3_600_000,
    }
    await sessionStore(open.database).insert({ token_hash: sessionOf(id), user_id: id, ...visit })
    ids.push(id)
  }
  const admit = openAdmission({
    open,
    clock: Date,
    leaseTime: Date,
    holder: 'bench',
    configuration: configuration.current,
    sources,
    upstreams: unlimited(upstreams),
    // Only people whose tokens or money are limited have them counted.
    prices: { of: () => null },
    instructions: { forAsk: () => Promise.resolve([]) },
    pools,
    ownEndpoint: () => null,
  })
  const admitOne = (user_id: number) =>
    admit(
      aRequestedAsk({
        caller: sessionCaller({ id: user_id, session: sessionOf(user_id) }, Date),
        text: QUESTION,
      }),
    )
  const upstream_id = upstreams.ofSettings('openai_api').id
  if (isShared) await share(services, upstream_id, ids)
  for (const id of ids.splice(0, WARM_UP)) await ended(services, await admitOne(id))
  const trips: number[] = []
  for (let trip = 0; trip < people; trip += 1) trips.push(await timed(() => sql`select 1`.execute(open.database)))
  const times: number[] = []
  let cpu = 0
  for (const id of ids) {
    let admitted: AdmittedAsk | null = null
    const before = process.cpuUsage()
    times.push(await timed(async () => (admitted = await admitOne(id))))
    const { user, system } = process.cpuUsage(before)
    cpu += user + system
    await ended(services, admitted)
  }
  return { cpu: cpu / 1000 / ids.length, time: median(times), roundTrip: median(trips) }
}

const DAY = 86_400_000

/** Everybody has asked in the morning and in the evening of each of the last 28 days. */
async function share({ open, upstreams, bus }: Services, upstream_id: number, ids: readonly number[]): Promise<void> {
  const now = Date.now()
  const line = { source: 'openai_api', upstream_id, model: 'gpt_4', asks: 1, tokens: 500, cost: 0, credit_cost: 0 }
  const used = { input_tokens: 300, cached_tokens: 0, output_tokens: 200 }
  for (const user_id of ids) {
    const times = Array.from({ length: 56 }, (_, half) => now - (half + 1) * (DAY / 2) - user_id * 60_000)
    const lines = times.map(time => ({
      ...line,
      ...used,
      time,
      asked_time: time,
      user_id,
      reason: 'settled',
      estimated: false,
    }))
    const sums = times.map(time => ({
      ...{ user_id, source: 'openai_api', upstream_id, model: 'gpt_4', asks: 1, ...used, estimated_asks: 0, cost: 0 },
      ...{ credit_cost: 0, ask_time_ms: 1_000, start_time: Math.floor(time / 1_800_000) * 1_800_000 },
    }))
    await open.database.insertInto('usage_ledger').values(lines).execute()
    await open.database
      .insertInto('usage_sums')
      .values(sums)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
  const windows: AccountWindow[] = [
    { unit: 'asks', amount: 4 * ids.length, window: { kind: 'rolling', seconds: 18_000 }, models: null },
    { unit: 'asks', amount: 40 * ids.length, window: { kind: 'week' }, models: null },
  ]
  await open.database
    .updateTable('upstreams')
    .set({ windows, sharing: 'shares' })
    .where('id', '=', upstream_id)
    .execute()
  await upstreams.snapshot.reload()
  bus.publish('upstreams')
}

/** Settles it, so that as few run as in a portal: no part of what is measured. */
async function ended({ open }: Services, ask: AdmittedAsk | null): Promise<void> {
  if (ask === null) return
  const { ask_id, source, model, upstream, caller, create_time } = ask
  const now = Date.now()
  await open.transaction(async trx => {
    await askStore(trx).close(ask_id, {
      ...{ outcome: 'finished', failure_key: null, failure_values: null, first_token_time: now, end_time: now },
      last_message_id: null,
    })
    await usageLedgerStore(trx).settle(
      {
        ...{
          time: now,
          asked_time: create_time,
          user_id: caller.user_id,
          source,
          upstream_id: upstream.id,
          model,
          ask_id,
        },
        ...{ reason: 'settled', asks: 1, tokens: 500, cost: 0, credit_cost: 0 },
        ...{ input_tokens: 300, cached_tokens: 0, output_tokens: 200, estimated: false },
      },
      1_000,
    )
  })
}

/** The shared accounts without a limit of concurrent asks, so that nobody waits. */
function unlimited(upstreams: Services['upstreams']): Services['upstreams'] {
  const serving: typeof upstreams.serving = (source, model) =>
    upstreams.serving(source, model).map(upstream => ({ ...upstream, concurrency: 1_000_000 }))
  return { ...upstreams, serving }
}

const sessionOf = (user_id: number): string => `session of ${user_id}`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
