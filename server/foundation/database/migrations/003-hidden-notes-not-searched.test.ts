import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { storedEarlierConversation, storedUser } from '#testing/rows.ts'
import { searchedBefore } from '../earlierSearch.testing.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { searchIndex } from '../search.ts'
import { hiddenNotesNotSearched } from './003-hidden-notes-not-searched.ts'
import { MIGRATIONS } from './migrations.ts'

eachStorage((_, storage) => {
  test('of what was searched before, only the notes of the system are forgotten', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    try {
      await migrate(
        open,
        MIGRATIONS.filter(({ version }) => version < hiddenNotesNotSearched.version),
      )
      const user_id = await storedUser(open.database)
      const conversation_id = await storedEarlierConversation(open.database, user_id)
      const index = searchIndex(open.engine)
      for (const [position, role] of ['system', 'user', 'assistant', 'tool'].entries()) {
        await open.database
          .insertInto('messages')
          .values({ conversation_id, message_id: role, position, role, create_time: 1 })
          .execute()
        await searchedBefore(open, { conversation_id, message_id: role, text: 'word' })
      }
      await migrate(open)
      const found = await index.find(open.database, { conversation_ids_of_user: user_id, words: 'word', limit: 10 })
      expect(found.map(({ message_id }) => message_id).toSorted()).toEqual(['assistant', 'tool', 'user'])
    } finally {
      await open.close()
    }
  })
})
