import type { ConversationRecord } from '#contract/conversations.ts'
import type { DeletedConversations, KeepingResult } from '#contract/keeping.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { overwriteDeleted } from '#server/foundation/search/overwriting.ts'
import { testClock } from '#testing/clock.ts'
import type { Run } from '#server/foundation/jobs/job.ts'
import type { NewStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { openTerms } from '../terms.ts'
import { keepingJob } from './keepingJob.ts'

export const DAY = 86_400_000
/** Noon in the portal's zone, which has neither full hours nor summer time. */
export const NOON = Date.parse('2026-11-20T06:15:00Z')
const ZONE = 'Asia/Kathmandu'
/** The first 04:00 after that. */
export const NEXT_CLEANING = '2026-11-20T22:15:00.000Z'

/** Years pass in these tests. */
const LONG_SESSIONS = { COMMONS_AUTH_JWT_LIFETIME_SECONDS: '315360000', COMMONS_AUTH_COOKIE_MAX_AGE: '315360000' }

/** A portal whose time is set, at noon at first. */
export async function aPortal(storage: NewStorage, environment: Record<string, string> = {}, runsJobs = false) {
  const clock = testClock(NOON)
  const lines: string[] = []
  const where = await storage()
  const portal = await startPortal({
    storage: where,
    clock,
    environment: { ...LONG_SESSIONS, COMMONS_PORTAL_TIME_ZONE: ZONE, ...environment },
    log: line => lines.push(line),
  })
  const { services } = portal.app
  const { database } = services.open
  const terms = openTerms({ open: services.open, clock, configuration: services.upstreams.configuration })
  const job = keepingJob({ ...services, clock, terms, onRemoved: async () => true })
  // Years pass: what the portal would do by itself meanwhile is done here, one run after the other.
  if (!runsJobs) await services.jobs.close()
  return {
    ...portal,
    clock,
    lines,
    database,
    database_url: 'database_url' in where ? where.database_url : null,
    clean: async () => (await job.run(aRun(services.open))) as KeepingResult, // the job's own
    overwrite: () => overwriteDeleted(services.open, new AbortController().signal),
    rows: async () => (await database.selectFrom('conversations').select('title').execute()).map(({ title }) => title),
  }
}

const aRun = ({ transaction }: Pick<OpenDatabase, 'transaction'>): Run<null> => ({
  input: null,
  progress: null,
  signal: new AbortController().signal,
  save: async () => undefined,
  saveWith: work => transaction(async trx => void (await work(trx))),
})

export async function asked(person: Person, title: string, text = 'hello'): Promise<string> {
  const [accepted] = await person.ask(text, { new_title: title })
  return String(accepted?.['conversation_id'])
}

export const deletedOf = (person: Person) => person.result<DeletedConversations>('GET', '/conv/deleted')
export const listOf = (person: Person) => person.result<ConversationRecord[]>('GET', '/conv')

export async function lastOf(person: Person, id: string): Promise<string> {
  return (await person.result<{ current_node: string }>('GET', `/conv/${id}`)).current_node
}

export async function questionOf(person: Person, id: string, text: string): Promise<string> {
  const { mapping } = await person.result<{ mapping: Record<string, unknown> }>('GET', `/conv/${id}`)
  return Object.entries(mapping).find(([, message]) => JSON.stringify(message).includes(`"${text}"`))?.[0] ?? ''
}
