import { describe, expect, test } from 'vitest'
import type { listAudit } from '#contract/audit.ts'
import type { ResultOf } from '#contract/call.ts'
import type { listJobs } from '#contract/jobs.ts'
import { KEEPING_JOB } from '#contract/keeping.ts'
import { hidden } from '#server/conversations/store.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { type Database, type DatabaseStorage, openDatabase } from '#server/foundation/database/open.ts'
import { loseLease } from '#server/foundation/jobs/jobs.testing.ts'
import { aSimulator } from '#testing/dataFolder.ts'
import { eachStorage } from '#testing/database.ts'
import { aMessage } from '#testing/messages.ts'
import { PATIENCE } from '#testing/patience.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { randomFrom } from '#testing/random.ts'
import { storedConversation } from '#testing/rows.ts'
import { startServer } from '#testing/server.ts'
import { until } from '#testing/until.ts'

// SEED repeats what failed.
const SEED = Number(process.env['SEED'] ?? 1999)
const [PEOPLE, DELETED, LIVING, MESSAGES, KILLS] = [3, 24, 4, 6, 2]
const DAY = 86_400_000

/** Conversations of a person: most were deleted long ago, the others stay. Gives the ids of these. */
async function conversationsOf(database: Database, user_id: number): Promise<string[]> {
  const staying: string[] = []
  for (let made = 0; made < DELETED + LIVING; made++) {
    const past = made < DELETED ? hidden(Date.now() - 40 * DAY, user_id) : {}
    const id = await storedConversation(database, { user_id, create_time: Date.now() - DAY, ...past })
    const messages = Array.from({ length: MESSAGES }, (_each, at) => aMessage({ id: `${id}-${at}` }))
    await messageStore(database).add(id, messages)
    if (made >= DELETED) staying.push(id)
  }
  return staying
}

/** What is left, read beside the server. */
async function leftIn(where: DatabaseStorage) {
  const open = await openDatabase(where)
  const rows = await open.database.selectFrom('conversations').select(['conversation_id', 'is_valid']).execute()
  const messages = await open.database.selectFrom('messages').select('conversation_id').execute()
  await loseLease(open, KEEPING_JOB) // as it is half a minute after a kill
  await open.close()
  return { rows, messages }
}

const start = (admin: Person, name: string) => admin.result('POST', `/system/jobs/${encodeURIComponent(name)}/start`)
const finished = (admin: Person, name: string, before: number) =>
  until(async () => {
    const job = (await admin.result<ResultOf<typeof listJobs>>('GET', '/system/jobs')).find(each => each.name === name)
    if (job?.last_run?.outcome !== 'finished' || Date.parse(job.last_run.end_time) < before)
      throw new Error(`${name} is ${JSON.stringify(job)}`)
  })

eachStorage((_name, storage) => {
  describe('a server that is killed again and again while it removes what was deleted', () => {
    test(
      `leaves nothing half when it is started again, loses nothing that stays, and says how much went (seed ${SEED})`,
      { timeout: 4 * PATIENCE },
      async () => {
        const where = await storage()
        const simulator = await aSimulator()
        const portal = await startPortal({ storage: where, simulator })
        const staying: string[] = []
        for (let made = 0; made < PEOPLE; made++) {
          const { id } = await portal.person()
          staying.push(...(await conversationsOf(portal.app.services.open.database, id)))
        }
        await portal.close()
        const env = {
          ...('data_dir' in where ? { COMMONS_DATA_DATA_DIR: where.data_dir } : { DATABASE_URL: where.database_url }),
          ...{ OPENAI_BASE_URL: simulator.url, OPENAI_API_KEY: 'test-key' },
        }
        const start_time = Date.now()
        const random = randomFrom(SEED)
        let wasCutShort = false
        for (let left = PEOPLE * DELETED, kill = 0; kill < KILLS; kill++) {
          const server = await startServer(env)
          const admin = portal.admin.at(server.url)
          await start(admin, KEEPING_JOB)
          const goal = Math.max(0, left - 1 - random.below(DELETED / 2))
          await until(async () => {
            const page = await admin.result<{ total: number }>('GET', '/system/conversations?state=hidden')
            expect(page.total).toBeLessThanOrEqual(goal)
          })
          server.kill('SIGKILL')
          await server.ended
          left = (await leftIn(where)).rows.filter(({ is_valid }) => !is_valid).length
          wasCutShort ||= left > 0
        }
        expect(wasCutShort).toBe(true)

        const server = await startServer(env)
        const admin = portal.admin.at(server.url)
        const again = Date.now()
        for (const name of [KEEPING_JOB, 'unfinished deletions']) {
          await start(admin, name)
          await finished(admin, name, again)
        }
        const { rows } = await admin.result<ResultOf<typeof listAudit>>('GET', '/audit?action=conversations.purged')
        expect(rows.map(({ after }) => after)).toMatchObject([{ deleted: PEOPLE * DELETED, people: PEOPLE, aged: 0 }])
        expect(Date.parse(rows[0]!.time)).toBeGreaterThanOrEqual(start_time)
        server.kill('SIGTERM')
        expect(await server.ended).toMatchObject({ code: 0, errors: '' })
        const { rows: left, messages } = await leftIn(where)
        expect(left.map(({ conversation_id }) => conversation_id).toSorted()).toEqual(staying.toSorted())
        expect(messages).toHaveLength(staying.length * MESSAGES)
      },
    )
  })
})
