import { describe, expect, onTestFinished, test } from 'vitest'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { settingsOfUpstreams } from '#testing/upstreams.ts'
import { openConfiguration } from './configuration.ts'
import { readStartConfiguration } from './start.ts'

const ADMIN = 1

eachDatabase((_name, open) => {
  describe('the stored configuration', () => {
    test('keeps what an administrator stores, over a restart', async () => {
      const database = await open()
      const { configuration } = await opened(database)
      await configuration.store({ portal: { name: '实验室' }, asking: { max_queue_length: 5 } }, ADMIN)
      expect(configuration.current()).toMatchObject({ portal: { name: '实验室' }, asking: { max_queue_length: 5 } })
      const again = await opened(database)
      expect(again.configuration.current()).toEqual(configuration.current())
      expect(
        await database.database
          .selectFrom('stored_settings')
          .select(['setting_path', 'updated_by'])
          .orderBy('setting_path')
          .execute(),
      ).toEqual([
        { setting_path: 'asking.max_queue_length', updated_by: ADMIN },
        { setting_path: 'portal.name', updated_by: ADMIN },
      ])
    })

    test('reaches whoever shares the database', async () => {
      const database = await open()
      const { configuration, bus } = await opened(database)
      const otherProcess = await openConfiguration(readStartConfiguration({}), database, bus, settingsOfUpstreams)
      onTestFinished(() => otherProcess.close())
      const changed = new Promise<void>(resolve => {
        otherProcess.onChange(resolve)
      })
      await configuration.store({ portal: { name: 'shared' } }, ADMIN)
      await changed
      expect(otherProcess.current().portal.name).toBe('shared')
    })

    test('skips a stored value that no longer fits', async () => {
      const database = await open()
      const { configuration } = await opened(database)
      await configuration.store({ asking: { max_queue_length: 7 }, portal: { name: 'kept' } }, ADMIN)
      await database.database
        .updateTable('stored_settings')
        .set({ setting_value: 'many' })
        .where('setting_path', '=', 'asking.max_queue_length')
        .execute()
      const again = await opened(database)
      expect(again.configuration.current()).toMatchObject({
        asking: { max_queue_length: 200 },
        portal: { name: 'kept' },
      })
      expect(again.configuration.originOf('asking.max_queue_length')).toBe('default')
    })
  })
})

describe('the configuration', () => {
  test('puts default, file, stored and environment over each other, and tells which it was', async () => {
    const database = await aDatabase()
    const file = new Map<string, unknown>([
      ['portal.name', 'of the file'],
      ['asking.max_queue_length', 11],
      ['http.max_sockets', 12],
    ])
    const start = { ...readStartConfiguration({ COMMONS_HTTP_MAX_SOCKETS: '13' }), file }
    const { configuration } = await opened(database, start)
    await configuration.store({ asking: { max_queue_length: 21 } }, ADMIN)
    const { portal, asking, http } = configuration.current()
    expect([portal.name, asking.max_queue_length, http.max_sockets, http.requests_per_minute]).toEqual([
      'of the file',
      21,
      13,
      1200,
    ])
    expect(
      ['portal.name', 'asking.max_queue_length', 'http.max_sockets', 'http.requests_per_minute'].map(path =>
        configuration.originOf(path),
      ),
    ).toEqual(['file', 'stored', 'environment', 'default'])
  })

  test('is the same object until something changes, and tells when', async () => {
    const { configuration } = await opened(await aDatabase())
    let notified = 0
    const leave = configuration.onChange(() => {
      notified++
    })
    const before = configuration.current()
    await configuration.store({ portal: { name: before.portal.name } }, ADMIN)
    expect(configuration.current()).toBe(before)
    expect(notified).toBe(0)
    await configuration.store({ portal: { name: 'new' } }, ADMIN)
    expect(notified).toBe(1)
    leave()
    await configuration.store({ portal: { name: 'newer' } }, ADMIN)
    expect(notified).toBe(1)
  })

  test('cannot be changed in place', async () => {
    const { configuration } = await opened(await aDatabase())
    const current = configuration.current()
    expect(() => {
      current.portal.name = 'x'
    }).toThrow(TypeError)
    expect(() => current.openai_api.enabled_models.push('x')).toThrow(TypeError)
  })

  test('leaves alone what is not named', async () => {
    const { configuration } = await opened(await aDatabase())
    await configuration.store({ portal: { name: 'one' } }, ADMIN)
    await configuration.store({ asking: { max_queue_length: 7 } }, ADMIN)
    expect(configuration.current().portal.name).toBe('one')
  })

  test('takes back whole what it gave, without storing anything', async () => {
    const database = await aDatabase()
    const { configuration } = await opened(
      database,
      readStartConfiguration({ COMMONS_HTTP_METRICS_TOKEN: 'geheim', COMMONS_PORTAL_NAME: 'x' }),
    )
    await configuration.store({ ...configuration.read(), unknown: 5, more: { a: 1 } }, ADMIN)
    expect(await database.database.selectFrom('stored_settings').selectAll().execute()).toEqual([])
  })
})

describe('a change', () => {
  test.each([
    [{ asking: { max_queue_length: 0 } }, ['body', 'asking', 'max_queue_length']],
    [{ asking: { max_queue_length: '7' } }, ['body', 'asking', 'max_queue_length']],
    [{ asking: { max_queue_length: null } }, ['body', 'asking', 'max_queue_length']],
    [{ portal: { time_zone: 'Mars' } }, ['body', 'portal', 'time_zone']],
    [{ http: { port: 9000 } }, ['body', 'http', 'port']],
    [{ data: { data_dir: '/' } }, ['body', 'data', 'data_dir']],
    [{ portal: { name: 'x' } }, ['body', 'portal', 'name']],
    [{ openai_api: { openai_base_url: 'file:///etc' } }, ['body', 'openai_api', 'openai_base_url']],
    [
      { openai_api: { openai_base_url: 'https://me:word@api.example.org/' } },
      ['body', 'openai_api', 'openai_base_url'],
    ],
    [{ openai_api: { openai_base_url: 'https://api.example.org/v1/#x' } }, ['body', 'openai_api', 'openai_base_url']],
    [{ openai_api: { key_header: 'api key' } }, ['body', 'openai_api', 'key_header']],
    [{ openai_api: { key_header: 'x\r\ny' } }, ['body', 'openai_api', 'key_header']],
    [{ openai_api: { enabled_models: ['gpt_4', 'unheard_of'] } }, ['body', 'openai_api', 'enabled_models']],
  ])('%j is refused by its place, and nothing of it is stored', async (changes, loc) => {
    const database = await aDatabase()
    const { configuration } = await opened(
      database,
      readStartConfiguration({ COMMONS_PORTAL_NAME: 'of the environment' }),
    )
    const refusal = await configuration
      .store({ ...changes, log: { console_log_level: 'DEBUG' } }, ADMIN)
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ key: 'configurationWrong', detail: [{ loc }] })
    expect(configuration.current().log.console_log_level).toBe('INFO')
    expect(await database.database.selectFrom('stored_settings').selectAll().execute()).toEqual([])
  })

  test.each([
    'Host',
    'cookie',
    'Content-Length',
    'transfer-encoding',
    'Connection',
    'upgrade',
    'proxy-authorization',
    'X-Forwarded-For',
    'content-type',
  ])('may not send the key as %s', async key_header => {
    const { configuration } = await opened(await aDatabase())
    await expect(configuration.store({ openai_api: { key_header } }, ADMIN)).rejects.toMatchObject({
      key: 'configurationWrong',
    })
  })
  test.each(['api-key', 'X-Api-Key', 'Authorization'])('may name the header %s for the key', async key_header => {
    const { configuration } = await opened(await aDatabase())
    await configuration.store({ openai_api: { key_header } }, ADMIN)
    expect(configuration.current().openai_api.key_header).toBe(key_header)
  })
  test('may give the endpoint an address with a query, and with spaces around it', async () => {
    const { configuration } = await opened(await aDatabase())
    const openai_base_url = 'https://x.openai.azure.com/openai/deployments/gpt-4o?api-version=2024-10-21'
    await configuration.store({ openai_api: { openai_base_url: ` ${openai_base_url}\n` } }, ADMIN)
    expect(configuration.current().openai_api.openai_base_url).toBe(openai_base_url)
  })
  test('may add a model together with its name', async () => {
    const { configuration } = await opened(await aDatabase())
    await configuration.store(
      { openai_api: { enabled_models: ['gpt_4', 'o9'], model_code_mapping: { o9: 'o9-large' } } },
      ADMIN,
    )
    expect(configuration.current().openai_api.enabled_models).toEqual(['gpt_4', 'o9'])
  })
})

describe('what is read of it', () => {
  test('holds no secret, and says which there are', async () => {
    const start = readStartConfiguration({
      COMMONS_HTTP_METRICS_TOKEN: 'geheim-1',
      COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: 'geheim-2',
    })
    const { configuration } = await opened(await aDatabase(), start)
    const read = configuration.read()
    expect(JSON.stringify(read)).not.toContain('geheim')
    expect(read._set_secrets).toEqual(['common.initial_admin_user_password', 'http.metrics_token'])
    expect(read).toMatchObject({ http: { metrics_token: '', port: 8000 }, data: { database_url: '' } })
  })
  test('says of each value where it comes from', async () => {
    const { configuration } = await opened(await aDatabase(), readStartConfiguration({ PORT: '9000' }))
    const { _origins } = configuration.read()
    expect(_origins['http.port']).toBe('environment')
    expect(_origins['http.host']).toBe('default')
  })
})

async function opened(open: OpenDatabase, start = readStartConfiguration({})) {
  const bus = await openBus(open)
  const configuration = await openConfiguration(start, open, bus, settingsOfUpstreams)
  onTestFinished(async () => {
    configuration.close()
    await bus.close()
  })
  return { configuration, bus }
}
