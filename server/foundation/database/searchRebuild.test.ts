import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { storedEarlierConversation, storedUser } from '#testing/rows.ts'
import { aRun } from '../jobs/jobs.testing.ts'
import { searchedBefore } from './earlierSearch.testing.ts'
import { migrate } from './migrate.ts'
import { beginningsOfWords } from './migrations/008-beginnings-of-words.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { type DatabaseStorage, openDatabase, type OpenDatabase } from './open.ts'
import { searchIndex } from './search.ts'
import { fillSome, searchRebuild } from './searchRebuild.ts'
import { DATABASE_FILE } from './sqlite/dataFolder.ts'

const silent = pino({ level: 'silent' })

eachStorage((name, storage) => {
  test('the earlier index answers until the new one has all messages, across a restart; then it is gone', async () => {
    const where = await storage('empty')
    const { user_id, conversation_id } = await madeBefore(where, 50)
    await using(where, async open => {
      const { find, add } = searching(open, user_id)
      expect(await fillSome(open)).toBe(20)
      expect([await find('kubectl'), await find('kube')]).toEqual([50, 0])
      await add(conversation_id, 'new', 'kubectl anew')
      expect([await find('kubectl'), await find('anew'), await find('kube')]).toEqual([51, 1, 0])
    })
    await using(where, async open => {
      const { find, remove } = searching(open, user_id)
      expect(await fillSome(open)).toBe(20)
      await remove(conversation_id, ['0', '45'])
      expect(await find('kubectl')).toBe(49)
      await rebuild(open)
      expect([await find('kubectl'), await find('kube'), await find('ane'), await find('0.1')]).toEqual([49, 49, 1, 48])
      expect(await earlierIsThere(open)).toBe(false)
    })
    // Who opens the database from now on knows the new one only.
    await using(where, async open => {
      const { find, add } = searching(open, user_id)
      await add(conversation_id, 'later', 'kubelet')
      expect(await find('kube')).toBe(50)
    })
  })

  test('who had begun to use the earlier index goes on with the new one', async () => {
    const where = await storage('empty')
    const { user_id, conversation_id } = await madeBefore(where, 3)
    await using(where, async open => {
      const { find, add } = searching(open, user_id)
      const [found] = await Promise.all([
        find('kubectl'),
        rebuild(open),
        add(conversation_id, 'a', 'kubectl'),
        add(conversation_id, 'b', 'kubectl'),
      ])
      expect(found).toBeGreaterThanOrEqual(3)
      expect(await find('kube')).toBe(5)
    })
  })

  test('the order of the new index is that of the messages’ own times, theirs too that were there before', async () => {
    const where = await storage('empty')
    const { user_id } = await madeBefore(where, 3)
    await using(where, async open => {
      await rebuild(open)
      const hits = await searchIndex(open.engine).find(open.database, {
        conversation_ids_of_user: user_id,
        words: 'kube',
        limit: 2,
      })
      expect(hits.map(({ message_id }) => message_id)).toEqual(['2', '1'])
    })
  })

  test('a rebuild that is closed stops, and goes on when it is opened again', async () => {
    const where = await storage('empty')
    const { user_id } = await madeBefore(where, 100)
    await using(where, async open => {
      const closing = new AbortController()
      const closed = rebuild(open, closing.signal)
      closing.abort()
      await expect(closed).rejects.toThrow('aborted')
      expect(await earlierIsThere(open)).toBe(true)
      await rebuild(open)
      expect(await searching(open, user_id).find('kube')).toBe(100)
    })
  })

  test('several at once fill no message twice and end together', async () => {
    const where = await storage('empty')
    const { user_id } = await madeBefore(where, 60)
    await using(where, async open => {
      const steps = await Promise.all(Array.from({ length: 8 }, () => fillSome(open)))
      expect(steps.filter(step => step === 20).length).toBeGreaterThan(0)
      expect(steps.every(step => step === 20 || step === 'later' || step === 'whole')).toBe(true)
      await rebuild(open)
      expect(await searching(open, user_id).find('kube')).toBe(60)
    })
  })

  if (name === 'SQLite')
    test('a backup made meanwhile goes on where it is put, and one made later is whole', async () => {
      const where = await storage('empty')
      const { user_id } = await madeBefore(where, 50)
      const half = await anEmptyFolder()
      const all = await anEmptyFolder()
      await using(where, async open => {
        await fillSome(open)
        await open.backup(join(half, DATABASE_FILE))
        await rebuild(open)
        await open.backup(join(all, DATABASE_FILE))
      })
      await using({ data_dir: half }, async open => {
        const { find } = searching(open, user_id)
        expect([await find('kubectl'), await find('kube')]).toEqual([50, 0])
        await rebuild(open)
        expect(await find('kube')).toBe(50)
      })
      await using({ data_dir: all }, async open => expect(await searching(open, user_id).find('kube')).toBe(50))
    })

  test('a database without messages has the new index only', async () => {
    await using(await storage('empty'), async open => {
      await migrate(open)
      expect(await earlierIsThere(open)).toBe(false)
      expect(await fillSome(open)).toBe('whole')
    })
  })

  test('thoughts and contents of kinds that are not known have no words', async () => {
    const where = await storage('empty')
    const { user_id } = await madeBefore(where, 2, [
      { content_type: 'thoughts', text: 'kubectl', seconds: 1 },
      { content_type: 'unheard of' },
      null,
    ])
    await using(where, async open => {
      await rebuild(open)
      expect(await searching(open, user_id).find('kube')).toBe(2)
    })
  })
})

const rebuild = (open: OpenDatabase, signal?: AbortSignal) => searchRebuild(open, silent).run(aRun(signal))

async function anEmptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function using(where: DatabaseStorage, work: (open: OpenDatabase) => Promise<void>): Promise<void> {
  const open = await openDatabase(where)
  try {
    await work(open)
  } finally {
    await open.close()
  }
}

/** A database of the schema before, with a person's conversation of so many messages about kubectl, and of further contents. */
async function madeBefore(where: DatabaseStorage, messages: number, contents: unknown[] = []) {
  const open = await openDatabase(where, { migrate: false })
  try {
    await migrate(
      open,
      MIGRATIONS.filter(({ version }) => version < beginningsOfWords.version),
    )
    const user_id = await storedUser(open.database)
    const conversation_id = await storedEarlierConversation(open.database, user_id)
    const all = [
      ...Array.from({ length: messages }, () => ({ content_type: 'text', text: 'kubectl of v0.1.2' })),
      ...contents,
    ]
    for (const [position, content] of all.entries()) {
      const message_id = String(position)
      await open.database
        .insertInto('messages')
        .values({ conversation_id, message_id, position, role: 'user', content, create_time: position })
        .execute()
      await searchedBefore(open, { conversation_id, message_id, text: 'kubectl of v0.1.2' })
    }
    return { user_id, conversation_id }
  } finally {
    await open.close()
  }
}

function searching({ engine, database, transaction }: OpenDatabase, user_id: number) {
  const index = searchIndex(engine)
  return {
    find: async (words: string) =>
      (await index.find(database, { conversation_ids_of_user: user_id, words, limit: 1 }))[0]?.total ?? 0,
    add: (conversation_id: string, message_id: string, text: string) =>
      transaction(async trx => {
        await trx
          .insertInto('messages')
          .values({
            conversation_id,
            message_id,
            position: 1_000,
            role: 'user',
            content: { content_type: 'text', text },
            create_time: 5_000,
          })
          .execute()
        await index.add(trx, [{ conversation_id, message_id, text }])
      }),
    remove: (conversation_id: string, message_ids: string[]) =>
      transaction(trx => index.remove(trx, conversation_id, message_ids)),
  }
}

async function earlierIsThere({ engine, database }: OpenDatabase): Promise<boolean> {
  const tables = await database.introspection.getTables()
  return engine === 'sqlite'
    ? tables.some(({ name }) => name.startsWith('message_grams'))
    : tables.some(
        ({ name, columns }) => name === 'searched_messages' && columns.some(column => column.name === 'grams'),
      )
}
