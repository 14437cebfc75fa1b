import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openSecretBox } from '#server/foundation/secrets.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { openSnapshot } from '../snapshot.ts'
import { openCredentials } from './credentials.ts'

const NONE = { openai_api_key: null, openai_web_access_token: null }
const KEY = 'sk-geheim-1234'

eachDatabase((_name, open) => {
  describe('a stored credential', () => {
    test('is kept over a restart, and unreadable in the database', async () => {
      const database = await open()
      const { credentials, again } = await opened(database)
      await credentials.store({ openai_api_key: KEY }, 1)
      expect(credentials.inUse('openai_api_key')).toBe(KEY)
      expect((await again()).inUse('openai_api_key')).toBe(KEY)
      expect(JSON.stringify(await database.database.selectFrom('upstreams').selectAll().execute())).not.toContain(KEY)
    })
    test('is kept by a blank and by leaving it out, replaced by a new one, and cleared by null', async () => {
      const { credentials } = await opened(await open())
      await credentials.store({ openai_api_key: KEY, openai_web_access_token: 'token-of-the-web' }, 1)
      await credentials.store({ openai_api_key: '' }, 1)
      expect(credentials.inUse('openai_api_key')).toBe(KEY)
      await credentials.store({}, 1)
      expect(credentials.inUse('openai_api_key')).toBe(KEY)
      await credentials.store({ openai_api_key: 'sk-another-5678' }, 1)
      expect(credentials.inUse('openai_api_key')).toBe('sk-another-5678')
      await credentials.store({ openai_api_key: null }, 1)
      expect(credentials.inUse('openai_api_key')).toBe(null)
      expect(credentials.inUse('openai_web_access_token')).toBe('token-of-the-web')
    })
    test('reaches whoever shares the database', async () => {
      const { credentials, again } = await opened(await open())
      const otherProcess = await again()
      await credentials.store({ openai_api_key: KEY }, 1)
      await expect.poll(() => otherProcess.inUse('openai_api_key')).toBe(KEY)
    })
  })
})

describe('a credential', () => {
  test('is not given for another address than it was entered for', async () => {
    const { credentials, configure } = await opened(await aDatabase())
    await credentials.store({ openai_api_key: KEY }, 1)
    configure({ openai_api: { openai_base_url: 'https://api.openai.com/v2/' } })
    expect(credentials.inUse('openai_api_key')).toBe(KEY)
    for (const openai_base_url of [
      'https://evil.example/v1/',
      'http://api.openai.com/v1/',
      'https://api.openai.com:8443/v1/',
    ]) {
      configure({ openai_api: { openai_base_url } })
      expect(credentials.inUse('openai_api_key')).toBe(null)
      expect(credentials.read()._set['openai_api_key']).toMatchObject({
        set: false,
        last4: null,
        kept_for: 'https://api.openai.com',
      })
    }
    await credentials.store({ openai_api_key: 'sk-for-the-new-one' }, 1)
    expect(credentials.inUse('openai_api_key')).toBe('sk-for-the-new-one')
    configure({})
    expect(credentials.inUse('openai_api_key')).toBe(null)
  })
  test('of the web account is bound to its address, too', async () => {
    const { credentials, configure } = await opened(await aDatabase())
    configure({ openai_web: { chatgpt_base_url: 'https://one.example/' } })
    await credentials.store({ openai_web_access_token: 'token-of-the-web' }, 1)
    configure({ openai_web: { chatgpt_base_url: 'https://two.example/' } })
    expect(credentials.inUse('openai_web_access_token')).toBe(null)
    configure({ openai_web: { chatgpt_base_url: 'https://one.example/other/' } })
    expect(credentials.inUse('openai_web_access_token')).toBe('token-of-the-web')
  })
  test('cannot be moved to another address in the database', async () => {
    const database = await aDatabase()
    const { credentials, configure, again } = await opened(database)
    await credentials.store({ openai_api_key: KEY }, 1)
    await database.database.updateTable('upstreams').set({ secret_origin: 'https://evil.example' }).execute()
    configure({ openai_api: { openai_base_url: 'https://evil.example/v1/' } })
    expect((await again()).inUse('openai_api_key')).toBe(null)
  })
  test('of the environment goes with any address, and cannot be changed here', async () => {
    const { credentials, configure } = await opened(await aDatabase(), { ...NONE, openai_api_key: KEY })
    configure({ openai_api: { openai_base_url: 'http://127.0.0.1:11434/v1/' } })
    expect(credentials.inUse('openai_api_key')).toBe(KEY)
    await expect(credentials.store({ openai_api_key: 'sk-other' }, 1)).rejects.toMatchObject({
      key: 'configurationWrong',
      detail: [{ loc: ['body', 'openai_api_key'] }],
    })
    await credentials.store({ openai_api_key: '', openai_web_access_token: 'token-of-the-web' }, 1)
    expect(credentials.inUse('openai_web_access_token')).toBe('token-of-the-web')
  })
  test('that cannot be opened any more is not used, and is none that never was', async () => {
    const database = await aDatabase()
    const { credentials } = await opened(database)
    await credentials.store({ openai_api_key: KEY }, 1)
    const { credentials: otherProcess, configure } = await opened(database)
    expect(otherProcess.inUse('openai_api_key')).toBe(null)
    expect([otherProcess.isUnreadable('openai_api_key'), otherProcess.isUnreadable('openai_web_access_token')]).toEqual(
      [true, false],
    )
    expect(otherProcess.read()._set['openai_api_key']).toMatchObject({ set: false, unreadable: true, kept_for: null })
    configure({ openai_api: { openai_base_url: 'http://127.0.0.1:11434/v1/' } })
    expect([otherProcess.isUnreadable('openai_api_key'), otherProcess.unreadable()]).toEqual([
      false,
      ['openai_api_key'],
    ])
  })
})

describe('what is read of the credentials', () => {
  test('is whether there is one, and its end', async () => {
    const { credentials } = await opened(await aDatabase())
    const none = {
      last4: null,
      origin: null,
      variable: null,
      changed_by: null,
      changed_at: null,
      kept_for: null,
      unreadable: false,
    }
    expect(credentials.read()).toEqual({
      openai_api_key: '',
      openai_web_access_token: '',
      _set: { openai_api_key: { set: false, ...none }, openai_web_access_token: { set: false, ...none } },
    })
    await credentials.store({ openai_api_key: KEY, openai_web_access_token: 'short' }, 1)
    expect(credentials.read()).toMatchObject({
      openai_api_key: '',
      openai_web_access_token: '',
      _set: { openai_api_key: { set: true, last4: '1234' }, openai_web_access_token: { set: true, last4: null } },
    })
  })
})

describe('what is read of a credential', () => {
  test('is who set it when, and that it can be changed', async () => {
    const before = Date.now()
    const { credentials } = await opened(await aDatabase())
    await credentials.store({ openai_api_key: KEY }, 3)
    await credentials.store({ openai_web_access_token: 'token-of-the-web' }, null)
    expect(credentials.changedBy()).toEqual([3])
    const { openai_api_key, openai_web_access_token } = credentials.read(new Map([[3, 'Sue']]))._set
    expect(openai_api_key).toMatchObject({ origin: 'stored', variable: null, changed_by: 'Sue', kept_for: null })
    expect(openai_web_access_token).toMatchObject({ origin: 'stored', changed_by: null })
    expect(Date.parse(openai_api_key?.changed_at ?? '')).toBeGreaterThanOrEqual(before)
  })
  test('is the variable or the file that sets it, and nobody', async () => {
    const given = { openai_api_key: KEY, openai_web_access_token: 'token-of-the-file' }
    const { credentials } = await opened(await aDatabase(), given, { openai_api_key: 'OPENAI_API_KEY' })
    expect(credentials.read()._set).toMatchObject({
      openai_api_key: { set: true, origin: 'environment', variable: 'OPENAI_API_KEY', changed_at: null },
      openai_web_access_token: { set: true, origin: 'file', variable: null, changed_at: null },
    })
  })
})

/** The service on a data folder of its own; `again` opens it anew there, as a restart would. */
async function opened(
  open: OpenDatabase,
  credentials: typeof NONE | Record<keyof typeof NONE, string | null> = NONE,
  credentialVariables: Partial<Record<keyof typeof NONE, string>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'commons-test-'))
  const bus = await openBus(open)
  let current = Configuration.parse({})
  const again = async () => {
    const configuration = { current: () => current, originOf: () => 'default' as const }
    const shared = { open, bus, configuration, secretBox: openSecretBox(folder, {}) }
    const snapshot = await openSnapshot({ ...shared, credentials })
    onTestFinished(() => snapshot.close())
    return openCredentials({ ...shared, snapshot, start: { credentials, credentialVariables } })
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
