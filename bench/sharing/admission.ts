import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { sessionCaller, sessionStore } from '#server/users/sessions.ts'
import { openAdmission } from '#server/asking/admission.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
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
export async function measureAdmission(people: number, database_url: string | null): Promise<Admission> {
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
    return await measure(services, people)
  } finally {
    await services.close(AbortSignal.abort())
    await rm(data_dir, { recursive: true, force: true })
  }
}

async function measure(
  { open, users, configuration, sources, upstreams }: Services,
  people: number,
): Promise<Admission> {
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
    ownEndpoint: () => null,
  })
  const admitOne = (user_id: number) =>
    admit(
      aRequestedAsk({
        caller: sessionCaller({ id: user_id, session: sessionOf(user_id) }, Date),
        text: QUESTION,
      }),
    )
  for (const id of ids.splice(0, WARM_UP)) await admitOne(id)
  const trips: number[] = []
  for (let trip = 0; trip < people; trip += 1) trips.push(await timed(() => sql`select 1`.execute(open.database)))
  const times: number[] = []
  const before = process.cpuUsage()
  for (const id of ids) times.push(await timed(() => admitOne(id)))
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1000 / ids.length, time: median(times), roundTrip: median(trips) }
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
