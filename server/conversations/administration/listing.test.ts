import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import type { QueryOf } from '#contract/call.ts'
import type { listEveryConversation } from '#contract/conversationAdministration.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { testClock } from '#testing/clock.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import { openTerms } from '../terms.ts'
import { openConversationListing } from './listing.ts'

type Query = QueryOf<typeof listEveryConversation>

const listing = (open: OpenDatabase) =>
  openConversationListing({
    open,
    clock: testClock(),
    upstreams: { find: () => null },
    terms: openTerms({ open, clock: testClock(), configuration: () => Configuration.parse({}) }),
  })

const titles = async (open: OpenDatabase, query: Query) =>
  (await listing(open).page(query)).rows.map(({ title }) => title)

eachDatabase((_name, open) => {
  describe('everybody’s conversations', () => {
    test('are found by words in titles, whatever their case and width, and signs stand for themselves', async () => {
      const opened = await open()
      for (const title of [
        '100% Baumwolle',
        '100 Äpfel',
        'ＦＵＬＬ width Résumé',
        'a_b',
        'axb',
        '团购接龙的表格公式',
        null,
      ])
        await storedConversation(opened.database, { title })
      const found = (words: string) => titles(opened, { words, sort: 'title' })
      expect(await found('100%')).toEqual(['100% Baumwolle'])
      expect(await found('A_B')).toEqual(['a_b'])
      expect(await found('resume full')).toEqual(['ＦＵＬＬ width Résumé'])
      expect(await found('apfel')).toEqual(['100 Äpfel'])
      expect(await found('表格')).toEqual(['团购接龙的表格公式'])
      expect(await found("'; drop table conversations; --")).toEqual([])
      expect(await found('  ')).toHaveLength(7)
    })

    test('are found by their id', async () => {
      const opened = await open()
      await storedConversation(opened.database, { title: 'other' })
      const id = await storedConversation(opened.database, { title: 'this one' })
      expect(await titles(opened, { words: id.toUpperCase() })).toEqual(['this one'])
    })

    test('are filtered by all that is asked for, and counted', async () => {
      const opened = await open()
      const { database } = opened
      const [lin, mei] = [await storedUser(database), await storedUser(database)]
      const gpt4 = { current_model: 'gpt_4' }
      await storedConversation(database, { title: 'of lin', user_id: lin, ...gpt4 })
      await storedConversation(database, { title: 'of mei', user_id: mei, upstream_id: 3, ...gpt4 })
      await storedConversation(database, { title: 'hidden', user_id: lin, is_valid: false, deletion_id: 7 })
      await storedConversation(database, { title: 'nobody’s', source: 'openai_web' })
      const found = async (query: Query) => (await titles(opened, query)).toSorted()
      expect(await found({ owner: String(lin) })).toEqual(['hidden', 'of lin'])
      expect(await found({ owner: String(lin), state: 'valid' })).toEqual(['of lin'])
      expect(await found({ upstream_id: '3' })).toEqual(['of mei'])
      expect(await found({ upstream_id: '3', owner: String(lin) })).toEqual([])
      expect(await found({ owner: 'nobody' })).toEqual(['nobody’s'])
      expect(await found({ source: 'openai_web' })).toEqual(['nobody’s'])
      expect(await found({ model: 'gpt_4', words: 'mei' })).toEqual(['of mei'])
      expect(await found({ state: 'hidden' })).toEqual(['hidden'])
      expect(await found({ deletion: '7' })).toEqual(['hidden'])
      expect(await found({ deletion: '8' })).toEqual([])
      expect(await listing(opened).counts()).toMatchObject({
        all: 4,
        valid: 3,
        nobodys: 1,
        models: [{ source: 'openai_api', model: 'gpt_4', count: 2 }],
      })
    })

    test('come in any order either way, what is missing last, and page by page without a gap', async () => {
      const opened = await open()
      const { database } = opened
      const [zhou, an] = [
        await storedUser(database, { nickname: 'zhou' }),
        await storedUser(database, { nickname: 'an' }),
      ]
      await storedConversation(database, { title: 'b', user_id: zhou, create_time: 3, update_time: 3 })
      await storedConversation(database, { title: 'a', user_id: an, create_time: 1, update_time: 9 })
      await storedConversation(database, { title: null, user_id: null, create_time: 2, update_time: null })
      expect(await titles(opened, {})).toEqual(['b', null, 'a'])
      expect(await titles(opened, { order: 'asc' })).toEqual(['a', null, 'b'])
      expect(await titles(opened, { sort: 'update_time' })).toEqual(['a', 'b', null])
      expect(await titles(opened, { sort: 'update_time', order: 'asc' })).toEqual(['b', 'a', null])
      expect(await titles(opened, { sort: 'title' })).toEqual(['a', 'b', null])
      expect(await titles(opened, { sort: 'title', order: 'desc' })).toEqual(['b', 'a', null])
      expect(await titles(opened, { sort: 'owner' })).toEqual(['a', 'b', null])
      expect(await titles(opened, { sort: 'owner', order: 'desc' })).toEqual(['b', 'a', null])
      for (let at = 0; at < 40; at++) await storedConversation(database, { title: 'same', create_time: 5 })
      const pages = await Promise.all(['1', '2', '3', '9'].map(page => listing(opened).page({ page, size: '20' })))
      expect(pages.map(({ rows, total }) => [rows.length, total])).toEqual([
        [20, 43],
        [20, 43],
        [3, 43],
        [0, 43],
      ])
      expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(43)
    })

    test('say whose they are, and when and by whom they were hidden, as far as it is known', async () => {
      const opened = await open()
      const { database } = opened
      const admin = await storedUser(database, { username: 'boss', nickname: 'Boss' })
      const hide = { is_valid: false, hide_time: 1_700_000_000_000, hidden_by: admin, deletion_id: 3 }
      await storedConversation(database, { title: 'hidden', user_id: admin, upstream_id: 9, ...hide })
      await storedConversation(database, { title: 'long ago', is_valid: false, create_time: 1 })
      const boss = { id: admin, username: 'boss', nickname: 'Boss' }
      expect((await listing(opened).page({})).rows).toMatchObject([
        {
          owner: boss,
          upstream: { id: 9, label: null },
          hidden: { time: '2023-11-14T22:13:20.000Z', by: boss, deletion: 3 },
        },
        { owner: null, upstream: null, hidden: { time: null, by: null, deletion: null } },
      ])
    })
  })
})
