import { describe, expect, onTestFinished, test } from 'vitest'
import { type Bus, openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { settingsOfUpstreams } from '#testing/upstreams.ts'
import { openConfiguration } from './configuration.ts'
import { SETTINGS } from './settings.ts'
import { readStartConfiguration } from './start.ts'

const [SUE, LI] = [3, 4]
const NAMES = new Map([
  [SUE, 'Sue'],
  [LI, 'Li Wei'],
])
const namesOf = async (ids: readonly number[]) => new Map([...NAMES].filter(([id]) => ids.includes(id)))
const FILE = new Map<string, unknown>([['asking.max_queue_length', 11]])

eachDatabase((_name, open) => {
  describe('a setting that is reset', () => {
    test('has the value of the file again, else the default, in every process and after a restart', async () => {
      const database = await open()
      const bus = await openBus(database)
      onTestFinished(() => bus.close())
      const [one, other] = [await opened(database, {}, bus), await opened(database, {}, bus)]
      await one.store({ asking: { max_queue_length: 21, lease_seconds: 20 }, portal: { name: 'x' } }, SUE)
      const changed = new Promise<void>(resolve => {
        other.onChange(resolve)
      })
      await one.store({ _reset: ['asking.max_queue_length', 'asking.lease_seconds'] }, LI)
      await changed
      for (const configuration of [one, other, await opened(database)]) {
        expect(configuration.current()).toMatchObject({
          asking: { max_queue_length: 11, lease_seconds: 15 },
          portal: { name: 'x' },
        })
        expect(configuration.originOf('asking.max_queue_length')).toBe('file')
        expect(Object.keys(configuration.read()._stored)).toEqual(['portal.name'])
      }
    })
    test('is not, where somebody else has changed it since it was read', async () => {
      const configuration = await opened(await open())
      await configuration.store({ asking: { max_queue_length: 21 } }, SUE)
      const { _version } = configuration.read()
      await configuration.store({ asking: { max_queue_length: 22 } }, LI)
      await expect(
        configuration.store({ _version, _reset: ['asking.max_queue_length'], portal: { name: 'x' } }, SUE, namesOf),
      ).rejects.toMatchObject({
        key: 'configurationConflict',
        values: { settings: 'asking.max_queue_length', people: 'Li Wei' },
        detail: [{ loc: ['body', 'asking', 'max_queue_length'], msg: 'was changed meanwhile by Li Wei' }],
      })
      expect(configuration.current()).toMatchObject({ asking: { max_queue_length: 22 }, portal: { name: null } })
    })
  })

  describe('what is read of a stored setting', () => {
    test('is who changed it when, and what would count without it', async () => {
      const configuration = await opened(await open())
      const before = Date.now()
      await configuration.store({ asking: { max_queue_length: 21 }, portal: { name: 'x' } }, SUE)
      await configuration.store({ portal: { name: 'y' } }, LI)
      const { _stored } = configuration.read(await namesOf(configuration.changedBy()))
      expect(_stored).toMatchObject({
        'asking.max_queue_length': { changed_by: 'Sue', fallback: 11, fallback_origin: 'file' },
        'portal.name': { changed_by: 'Li Wei', fallback: null, fallback_origin: 'default' },
      })
      for (const { changed_at } of Object.values(_stored)) expect(Date.parse(changed_at)).toBeGreaterThanOrEqual(before)
      expect(configuration.read()._stored['portal.name']?.changed_by).toBe(null)
    })
  })
})

describe('a reset', () => {
  test.each([
    [['http.port'], ['body', 'http', 'port']],
    [['portal.name'], ['body', 'portal', 'name']],
    [
      ['asking.max_queue_length', 'no.such'],
      ['body', '_reset', 1],
    ],
    [['asking'], ['body', '_reset', 0]],
    [[['asking.max_queue_length']], ['body', '_reset', 0]],
    [[null], ['body', '_reset', 0]],
    ['asking.max_queue_length', ['body', '_reset']],
    [{ 0: 'asking.max_queue_length' }, ['body', '_reset']],
    [Array.from({ length: 100_000 }, () => 'asking.max_queue_length'), ['body', '_reset']],
  ])('of what cannot be reset is refused by its place, and nothing is stored', async (_reset, loc) => {
    const configuration = await opened(await aDatabase(), { COMMONS_PORTAL_NAME: 'of the environment' })
    await configuration.store({ asking: { max_queue_length: 21 } }, SUE)
    await expect(configuration.store({ _reset, log: { console_log_level: 'DEBUG' } }, SUE)).rejects.toMatchObject({
      key: 'configurationWrong',
      detail: [{ loc }],
    })
    expect(configuration.current()).toMatchObject({
      asking: { max_queue_length: 21 },
      log: { console_log_level: 'INFO' },
    })
  })
  test('of what is not stored changes nothing', async () => {
    const configuration = await opened(await aDatabase())
    const before = configuration.current()
    await configuration.store({ _reset: ['asking.max_queue_length', 'portal.name'] }, SUE)
    await configuration.store({ _reset: null }, SUE)
    expect(configuration.current()).toBe(before)
  })
  test('may not leave a model without its name', async () => {
    const configuration = await opened(await aDatabase())
    await configuration.store(
      { openai_api: { enabled_models: ['gpt_4', 'o9'], model_code_mapping: { o9: 'o9-large' } } },
      SUE,
    )
    await expect(configuration.store({ _reset: ['openai_api.model_code_mapping'] }, SUE)).rejects.toMatchObject({
      detail: [{ loc: ['body', 'openai_api', 'enabled_models'] }],
    })
    await configuration.store({ _reset: ['openai_api.model_code_mapping', 'openai_api.enabled_models'] }, SUE)
    expect(configuration.current().openai_api.enabled_models).toEqual(['gpt_3_5', 'gpt_4'])
  })
})

describe('what is read of a setting of the environment', () => {
  test('is the variable that sets it', async () => {
    const configuration = await opened(await aDatabase(), { PORT: '9000', COMMONS_PORTAL_NAME: 'x' })
    expect(configuration.read()._variables).toEqual({ 'http.port': 'PORT', 'portal.name': 'COMMONS_PORTAL_NAME' })
  })
})

describe('a change of every setting to a wrong type', () => {
  test('is refused by the place of each', async () => {
    const configuration = await opened(await aDatabase())
    const changes: Record<string, Record<string, unknown>> = {}
    for (const { section, key, kind } of SETTINGS) (changes[section] ??= {})[key] = kind === 'string' ? 5 : 'wrong'
    const refused = configuration.store(changes, SUE)
    await expect(refused).rejects.toMatchObject({
      key: 'configurationWrong',
      detail: SETTINGS.map(({ section, key }) => ({ loc: ['body', section, key] })),
    })
  })
})

async function opened(open: OpenDatabase, environment: NodeJS.ProcessEnv = {}, shared: Bus | null = null) {
  const bus = shared ?? (await openBus(open))
  const configuration = await openConfiguration(
    withFile(readStartConfiguration(environment)),
    open,
    bus,
    settingsOfUpstreams,
  )
  onTestFinished(async () => {
    configuration.close()
    if (shared === null) await bus.close()
  })
  return configuration
}

/** As if the configuration file had named them. */
function withFile(start: ReturnType<typeof readStartConfiguration>) {
  const { configuration } = start
  const asking = { ...configuration.asking, max_queue_length: 11 }
  return { ...start, file: FILE, configuration: { ...configuration, asking } }
}
