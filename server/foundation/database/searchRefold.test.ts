import { pino } from 'pino'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { storedEarlierConversation, storedUser } from '#testing/rows.ts'
import { aRun } from '../jobs/jobs.testing.ts'
import { sql } from 'kysely'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { openDatabase, type OpenDatabase } from './open.ts'
import { indexKnown, searchIndex } from './search.ts'
import { searchRebuild } from './searchRebuild.ts'
import { refoldSome } from './searchRefold.ts'

const before = MIGRATIONS.filter(({ version }) => version < 23)
/** As the program of then indexed them. */
const EARLIER = [
  { text: 'die Straße', terms: 'die straße' },
  { text: '繁體字', terms: '繁體 體字 字' },
  { text: 'kubectl', terms: 'kubectl' },
]

eachStorage((_, storage) => {
  test('messages of before are found as they were until they are indexed anew, and then by what people type', async () => {
    const where = await storage('empty')
    const user_id = await madeBefore(await openDatabase(where, { migrate: false }))
    const open = await openDatabase(where)
    try {
      const { find } = searching(open, user_id)
      expect([await find('Straße'), await find('繁體字'), await find('kube'), await find('strasse')]).toEqual([
        1, 1, 58, 0,
      ])
      expect(await refoldSome(open)).toBe(50)
      expect([await find('繁体字'), await find('繁體字')]).toEqual([1, 1])
      await searchRebuild(open, pino({ level: 'silent' })).run(aRun())
      expect([await find('strasse'), await find('Straße'), await find('繁体字'), await find('kube')]).toEqual([
        1, 1, 1, 58,
      ])
      expect(await refoldSome(open)).toBe('whole')
      const { rows } = await sql<{ folded_title: string }>`select folded_title from conversations`.execute(
        open.database,
      )
      expect(rows).toEqual([{ folded_title: '体 strasse' }])
    } finally {
      await open.close()
    }
  })

  test('several at once index no message twice and end together', async () => {
    const where = await storage('empty')
    const user_id = await madeBefore(await openDatabase(where, { migrate: false }))
    const open = await openDatabase(where)
    try {
      const steps = await Promise.all(Array.from({ length: 4 }, () => refoldSome(open)))
      expect(steps.filter(step => step === 50)).toHaveLength(1)
      await searchRebuild(open, pino({ level: 'silent' })).run(aRun())
      expect(await searching(open, user_id).find('strasse')).toBe(1)
    } finally {
      await open.close()
    }
  })
})

/** A database of the schema before, with more messages than are indexed at a time. */
async function madeBefore(open: OpenDatabase): Promise<number> {
  try {
    await migrate(open, before)
    const user_id = await storedUser(open.database)
    const conversation_id = await storedEarlierConversation(open.database, user_id)
    await sql`update conversations set title = '體 Straße', folded_title = '體 straße'`.execute(open.database)
    const [first, ...others] = EARLIER
    const all = [first, ...Array.from({ length: 57 }, () => EARLIER[2]), ...others].flatMap(each => each ?? [])
    for (const [position, { text, terms }] of all.entries()) {
      const message_id = String(position)
      const content = { content_type: 'text' as const, text }
      await open.database
        .insertInto('messages')
        .values({ conversation_id, message_id, position, role: 'user', content, create_time: position })
        .execute()
      const { id } = await open.database
        .insertInto('searched_messages')
        .values({ conversation_id, message_id })
        .returning('id')
        .executeTakeFirstOrThrow()
      await open.transaction(trx => indexKnown(trx, open.engine, [{ id, terms, term_count: terms.split(' ').length }]))
    }
    return user_id
  } finally {
    await open.close()
  }
}

const searching = ({ engine, database }: OpenDatabase, user_id: number) => ({
  find: async (words: string) =>
    (await searchIndex(engine).find(database, { conversation_ids_of_user: user_id, words, limit: 1 }))[0]?.total ?? 0,
})
