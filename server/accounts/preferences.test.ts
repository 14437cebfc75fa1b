import { describe, expect, test } from 'vitest'
import { login } from '#contract/accounts.ts'
import { DEFAULT_PREFERENCES, readPreferences, updatePreferences } from '#contract/preferences.ts'
import { eachDatabase } from '#testing/database.ts'
import { servedAccounts } from '#testing/servedAccounts.ts'

describe('preferences', () => {
  eachDatabase((_, open) => {
    async function signedIn() {
      const database = await open()
      const { accounts, aBrowser } = await servedAccounts(database)
      const password = await accounts.createAdmin('root', null)
      const browser = aBrowser()
      await browser.call(login, { body: { username: 'root', password } })
      return { browser, database: database.database }
    }

    test('are the defaults at first', async () => {
      const { browser } = await signedIn()
      expect((await browser.call(readPreferences)).result).toEqual(DEFAULT_PREFERENCES)
    })
    test('are changed one by one, and kept', async () => {
      const { browser } = await signedIn()
      await browser.call(updatePreferences, { body: { language: 'ms-MY' } })
      const { result } = await browser.call(updatePreferences, { body: { theme: 'dark' } })
      expect(result).toEqual({ ...DEFAULT_PREFERENCES, language: 'ms-MY', theme: 'dark' })
      expect((await browser.call(readPreferences)).result).toEqual(result)
    })
    test('changed on two devices at once are both kept', async () => {
      const { browser } = await signedIn()
      await Promise.all([
        browser.call(updatePreferences, { body: { sendKey: 'Ctrl+Enter' } }),
        browser.call(updatePreferences, { body: { codeAutoWrap: true } }),
      ])
      expect((await browser.call(readPreferences)).result).toEqual({
        ...DEFAULT_PREFERENCES,
        sendKey: 'Ctrl+Enter',
        codeAutoWrap: true,
      })
    })
    test('that are none are refused', async () => {
      const { browser } = await signedIn()
      for (const body of [{ language: 'xx' }, { theme: 'blue' }, { sendKey: 1 }, { codeAutoWrap: 'true' }, []]) {
        expect((await browser.call(updatePreferences, { body })).code).toBe(422)
      }
    })
    test('of another version give way to the defaults', async () => {
      const { browser, database } = await signedIn()
      await database
        .insertInto('user_preferences')
        .values({ user_id: 1, preferences: { language: 'tlh', theme: 'dark' }, update_time: 1 })
        .execute()
      expect((await browser.call(readPreferences)).result).toEqual(DEFAULT_PREFERENCES)
    })
  })
})
