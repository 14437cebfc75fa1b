import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import { aRun } from '../jobs/jobs.testing.ts'
import { type DatabaseStorage, openDatabase, type OpenDatabase } from '../database/open.ts'
import { indexKnown, searchIndex } from './search.ts'
import { reindexSome, searchReindex } from './searchReindex.ts'
import { DATABASE_FILE } from '../database/sqlite/database.ts'

const silent = pino({ level: 'silent' })

eachStorage((name, storage) => {
  test('messages are found by the terms that they have until they are indexed anew, across a restart', async () => {
    const where = await storage()
    const user_id = await using(where, open => madeBefore(open, 50))
    await using(where, async open => {
      const { find } = searching(open, user_id)
      expect(await reindexSome(open)).toBe(20)
      expect([await find('kubectl'), await find('strasse'), await find('of v0.1.2')]).toEqual([51, 0, 51])
    })
    await using(where, async open => {
      const { find } = searching(open, user_id)
      expect(await reindexSome(open)).toBe(20)
      await reindex(open)
      expect([await find('kubectl'), await find('strasse'), await find('0.1')]).toEqual([51, 1, 51])
      expect(await reindexSome(open)).toBe('whole')
    })
  })

  test('what is stored, changed or withdrawn meanwhile is as it is then', async () => {
    const where = await storage()
    await using(where, async open => {
      const user_id = await madeBefore(open, 50)
      const { find, add, remove } = searching(open, user_id)
      await reindexSome(open)
      await Promise.all([reindex(open), add('new', 'kubectl anew'), add('3', 'helm'), remove(['0', '45'])])
      expect([await find('kubectl'), await find('anew'), await find('helm')]).toEqual([49, 1, 1])
    })
  })

  test('the order is that of the messages’ own times', async () => {
    await using(await storage(), async open => {
      const user_id = await madeBefore(open, 3)
      await reindex(open)
      const hits = await searchIndex(open.engine).find(open.database, {
        conversation_ids_of_user: user_id,
        words: 'kube',
        limit: 2,
      })
      expect(hits.map(({ message_id }) => message_id)).toEqual(['2', '1'])
    })
  })

  test('a job that is closed stops, and goes on when it is run again', async () => {
    await using(await storage(), async open => {
      const user_id = await madeBefore(open, 100)
      const closing = new AbortController()
      const closed = reindex(open, closing.signal)
      closing.abort()
      await expect(closed).rejects.toThrow('aborted')
      await reindex(open)
      expect(await searching(open, user_id).find('strasse')).toBe(1)
    })
  })

  test('several at once index no message twice and end together', async () => {
    await using(await storage(), async open => {
      const user_id = await madeBefore(open, 60)
      const steps = await Promise.all(Array.from({ length: 8 }, () => reindexSome(open)))
      expect(steps.filter(step => step === 20).length).toBeGreaterThan(0)
      expect(steps.every(step => step === 20 || step === 'later')).toBe(true)
      await reindex(open)
      expect(await searching(open, user_id).find('kube')).toBe(61)
    })
  })

  if (name === 'SQLite')
    test('a backup made meanwhile goes on where it is put', async () => {
      const folder = await anEmptyFolder()
      const user_id = await using(await storage(), async open => {
        const id = await madeBefore(open, 50)
        await reindexSome(open)
        await open.backup(join(folder, DATABASE_FILE))
        return id
      })
      await using({ data_dir: folder }, async open => {
        await reindex(open)
        expect(await searching(open, user_id).find('strasse')).toBe(1)
      })
    })

  test('a new database has nothing to index anew', async () => {
    await using(await storage('empty'), async open => expect(await reindexSome(open)).toBe('whole'))
  })

  test('contents of kinds that are not known have no words', async () => {
    await using(await storage(), async open => {
      const user_id = await madeBefore(open, 2, [
        { content_type: 'thoughts', text: 'x', seconds: 1 },
        { content_type: 'odd' },
        null,
      ])
      await reindex(open)
      expect(await searching(open, user_id).find('kube')).toBe(3)
    })
  })
})

const reindex = (open: OpenDatabase, signal?: AbortSignal) => searchReindex(open, silent).run(aRun(signal))

async function anEmptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function using<T>(where: DatabaseStorage, work: (open: OpenDatabase) => Promise<T>): Promise<T> {
  const open = await openDatabase(where)
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}

const CONVERSATION = 'aaaaaaaa-0000-4000-8000-000000000000'

/**
 * A person's messages with the terms of the version before: the oldest of a street, so many about kubectl, then of
 * further contents.
 */
async function madeBefore(open: OpenDatabase, messages: number, contents: unknown[] = []): Promise<number> {
  const user_id = await storedUser(open.database)
  const conversation_id = await storedConversation(open.database, { user_id, conversation_id: CONVERSATION })
  const about = { content_type: 'text', text: 'kubectl of v0.1.2' }
  const all = [
    { ...about, text: 'die Straße, kubectl of v0.1.2' },
    ...Array.from({ length: messages }, () => about),
    ...contents,
  ]
  for (const [at, content] of all.entries()) {
    const message_id = String(at - 1)
    // of no known kind, some
    const row = { conversation_id, message_id, position: at, role: 'user', content: content as never, create_time: at }
    await open.database.insertInto('messages').values(row).execute()
    const { id } = await open.database
      .insertInto('searched_messages')
      .values({ conversation_id, message_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const terms = at === 0 ? 'die straße kubectl of v0.1.2' : 'kubectl of v0.1.2'
    await open.transaction(trx => indexKnown(trx, open.engine, [{ id, terms, term_count: 3 }]))
  }
  await open.database.updateTable('search_index').set({ version: 1 }).execute()
  return user_id
}

function searching({ engine, database, transaction }: OpenDatabase, user_id: number) {
  const index = searchIndex(engine)
  const conversation_id = CONVERSATION
  return {
    find: async (words: string) =>
      (await index.find(database, { conversation_ids_of_user: user_id, words, limit: 1 }))[0]?.total ?? 0,
    add: (message_id: string, text: string) =>
      transaction(async trx => {
        await trx
          .updateTable('messages')
          .set({ content: { content_type: 'text', text } })
          .where('message_id', '=', message_id)
          .execute()
        await index.add(trx, [{ conversation_id, message_id, text }])
      }),
    remove: (message_ids: string[]) => transaction(trx => index.remove(trx, conversation_id, message_ids)),
  }
}
