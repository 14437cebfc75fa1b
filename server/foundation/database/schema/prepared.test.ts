import { describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { prepared } from './prepared.ts'

const store = prepared((database, { path, value }: { path: string; value: unknown }) =>
  database
    .insertInto('stored_settings')
    .values({ setting_path: path, setting_value: value, update_time: 1, updated_by: null }),
)
const find = prepared((database, { path }: { path: string }) =>
  database.selectFrom('stored_settings').select(['setting_path', 'setting_value']).where('setting_path', '=', path),
)
const change = prepared((database, { path, value }: { path: string; value: unknown }) =>
  database.updateTable('stored_settings').set({ setting_value: value }).where('setting_path', '=', path),
)

describe('a prepared query', () => {
  eachDatabase((_, open) => {
    test('is asked with other values each time, json among them', async () => {
      const { database } = await open()
      const values = { a: 'text', b: { list: [1, null] }, c: null }
      for (const [path, value] of Object.entries(values)) await store.run(database, { path, value })
      for (const [path, value] of Object.entries(values)) {
        expect(await find.first(database, { path })).toEqual({ setting_path: path, setting_value: value })
      }
      expect(await find.rows(database, { path: 'd' })).toEqual([])
    })
    test('says whether it changed anything', async () => {
      const { database } = await open()
      await store.run(database, { path: 'a', value: 1 })
      expect(await change.changes(database, { path: 'a', value: 2 })).toBe(true)
      expect(await change.changes(database, { path: 'b', value: 2 })).toBe(false)
      expect(await find.one(database, { path: 'a' })).toMatchObject({ setting_value: 2 })
    })
    test('belongs to the transaction it is asked in', async () => {
      const { database, transaction } = await open()
      await expect(
        transaction(async trx => {
          await store.run(trx, { path: 'a', value: 1 })
          expect(await find.first(trx, { path: 'a' })).toMatchObject({ setting_value: 1 })
          throw new Error('not this one')
        }),
      ).rejects.toThrow('not this one')
      expect(await find.first(database, { path: 'a' })).toBe(undefined)
    })
    test('goes on after one of its kind has failed', async () => {
      const { database, isUniqueViolation } = await open()
      await store.run(database, { path: 'a', value: 1 })
      const again = await store.run(database, { path: 'a', value: 2 }).catch((error: unknown) => error)
      expect(isUniqueViolation(again)).toBe(true)
      await store.run(database, { path: 'b', value: 2 })
      expect(await find.first(database, { path: 'b' })).toMatchObject({ setting_value: 2 })
    })
    test('with a value left out, or one more than before, is a mistake', async () => {
      const { database } = await open()
      await find.first(database, { path: 'a' })
      await expect(find.first(database, {} as { path: string })).rejects.toThrow('other values than before')
      await expect(find.first(database, { path: 'a', more: 1 } as { path: string })).rejects.toThrow(
        'other values than before',
      )
      await expect(find.first(database, { pat: 'a' } as unknown as { path: string })).rejects.toThrow(
        'was given no path',
      )
    })
  })
})
