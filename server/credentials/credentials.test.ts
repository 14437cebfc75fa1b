import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Configuration } from '#contract/configuration.ts'
import { openBus } from '#server/foundation/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openSecretBox } from '#server/foundation/secrets.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { openCredentials } from './credentials.ts'

const NONE = { openai_api_key: null, openai_web_access_token: null }
const KEY = 'sk-geheim-1234'

eachDatabase((_name, open) => {
  describe('a stored credential', () => {
    test('is kept over a restart, and unreadable in the database', async () => {
      const database = await open()
      const { credentials, again } = await opened(database)
      await credentials.store({ openai_api_key: KEY })
      expect(credentials.openaiApiKey()).toBe(KEY)
      expect((await again()).openaiApiKey()).toBe(KEY)
      expect(
        JSON.stringify(await database.database.selectFrom('stored_credentials').selectAll().execute()),
      ).not.toContain(KEY)
    })
    test('is kept by a blank and by leaving it out, replaced by a new one, and cleared by null', async () => {
      const { credentials } = await opened(await open())
      await credentials.store({ openai_api_key: KEY, openai_web_access_token: 'token-of-the-web' })
      await credentials.store({ openai_api_key: '' })
      expect(credentials.openaiApiKey()).toBe(KEY)
      await credentials.store({})
      expect(credentials.openaiApiKey()).toBe(KEY)
      await credentials.store({ openai_api_key: 'sk-another-5678' })
      expect(credentials.openaiApiKey()).toBe('sk-another-5678')
      await credentials.store({ openai_api_key: null })
      expect(credentials.openaiApiKey()).toBe(null)
      expect(credentials.openaiWebAccessToken()).toBe('token-of-the-web')
    })
    test('reaches whoever shares the database', async () => {
      const { credentials, again } = await opened(await open())
      const otherProcess = await again()
      await credentials.store({ openai_api_key: KEY })
      await expect.poll(() => otherProcess.openaiApiKey()).toBe(KEY)
    })
  })
})

describe('a credential', () => {
  test('is not given for another address than it was entered for', async () => {
    const { credentials, configure } = await opened(await aDatabase())
    await credentials.store({ openai_api_key: KEY })
    configure({ openai_api: { openai_base_url: 'https://api.openai.com/v2/' } })
    expect(credentials.openaiApiKey()).toBe(KEY)
    for (const openai_base_url of [
      'https://evil.example/v1/',
      'http://api.openai.com/v1/',
      'https://api.openai.com:8443/v1/',
    ]) {
      configure({ openai_api: { openai_base_url } })
      expect(credentials.openaiApiKey()).toBe(null)
      expect(credentials.read()._set['openai_api_key']).toEqual({ set: false, last4: null })
    }
    await credentials.store({ openai_api_key: 'sk-for-the-new-one' })
    expect(credentials.openaiApiKey()).toBe('sk-for-the-new-one')
    configure({})
    expect(credentials.openaiApiKey()).toBe(null)
  })
  test('of the web account is bound to its address, too', async () => {
    const { credentials, configure } = await opened(await aDatabase())
    configure({ openai_web: { chatgpt_base_url: 'https://one.example/' } })
    await credentials.store({ openai_web_access_token: 'token-of-the-web' })
    configure({ openai_web: { chatgpt_base_url: 'https://two.example/' } })
    expect(credentials.openaiWebAccessToken()).toBe(null)
    configure({ openai_web: { chatgpt_base_url: 'https://one.example/other/' } })
    expect(credentials.openaiWebAccessToken()).toBe('token-of-the-web')
  })
  test('cannot be moved to another address in the database', async () => {
    const database = await aDatabase()
    const { credentials, configure, again } = await opened(database)
    await credentials.store({ openai_api_key: KEY })
    await database.database.updateTable('stored_credentials').set({ origin: 'https://evil.example' }).execute()
    configure({ openai_api: { openai_base_url: 'https://evil.example/v1/' } })
    expect((await again()).openaiApiKey()).toBe(null)
  })
  test('of the environment goes with any address, and cannot be changed here', async () => {
    const { credentials, configure } = await opened(await aDatabase(), { ...NONE, openai_api_key: KEY })
    configure({ openai_api: { openai_base_url: 'http://127.0.0.1:11434/v1/' } })
    expect(credentials.openaiApiKey()).toBe(KEY)
    await expect(credentials.store({ openai_api_key: 'sk-other' })).rejects.toMatchObject({
      key: 'configurationWrong',
      detail: [{ loc: ['body', 'openai_api_key'] }],
    })
    await credentials.store({ openai_api_key: '', openai_web_access_token: 'token-of-the-web' })
    expect(credentials.openaiWebAccessToken()).toBe('token-of-the-web')
  })
  test('that cannot be opened any more counts as none', async () => {
    const database = await aDatabase()
    const { credentials } = await opened(database)
    await credentials.store({ openai_api_key: KEY })
    expect((await opened(database)).credentials.openaiApiKey()).toBe(null)
  })
})

describe('what is read of the credentials', () => {
  test('is whether there is one, and its end', async () => {
    const { credentials } = await opened(await aDatabase())
    expect(credentials.read()).toEqual({
      openai_api_key: '',
      openai_web_access_token: '',
      _set: { openai_api_key: { set: false, last4: null }, openai_web_access_token: { set: false, last4: null } },
    })
    await credentials.store({ openai_api_key: KEY, openai_web_access_token: 'short' })
    expect(credentials.read()).toEqual({
      openai_api_key: '',
      openai_web_access_token: '',
      _set: { openai_api_key: { set: true, last4: '1234' }, openai_web_access_token: { set: true, last4: null } },
    })
  })
})

/** The service on a data folder of its own; `again` opens it anew there, as a restart would. */
async function opened(open: OpenDatabase, credentials: typeof NONE | Record<keyof typeof NONE, string | null> = NONE) {
  const folder = mkdtempSync(join(tmpdir(), 'commons-test-'))
  const bus = await openBus(open)
  let current = Configuration.parse({})
  const again = async () => {
    const service = await openCredentials(
      { credentials },
      open,
      openSecretBox(folder, {}),
      { current: () => current },
      bus,
    )
    onTestFinished(() => service.close())
    return service
  }
  onTestFinished(async () => {
    await bus.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    credentials: await again(),
    again,
    configure: (changes: object) => {
      current = Configuration.parse(changes)
    },
  }
}
