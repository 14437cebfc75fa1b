import { describe, expect, onTestFinished, test } from 'vitest'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { settingsOfUpstreams } from '#testing/upstreams.ts'
import { openConfiguration } from './configuration.ts'
import { SETTINGS } from './settings.ts'
import { readStartConfiguration } from './start.ts'

type Whole = Record<string, Record<string, unknown>> & { _version: string }

async function opened(open: OpenDatabase, environment: NodeJS.ProcessEnv = {}) {
  const bus = await openBus(open)
  const configuration = await openConfiguration(readStartConfiguration(environment), open, bus, settingsOfUpstreams)
  onTestFinished(async () => {
    configuration.close()
    await bus.close()
  })
  // As it goes over the wire.
  const read = (): Whole => JSON.parse(JSON.stringify(configuration.read()))
  return { configuration, read, store: (changes: object) => configuration.store({ ...changes }, 1) }
}

eachDatabase((_name, open) => {
  describe('a configuration that is sent back as it was read', () => {
    test('reverts nothing that somebody else has changed meanwhile, in whichever process and after a restart', async () => {
      const database = await open()
      const [one, other] = [await opened(database), await opened(database)]
      const before = other.read()
      await one.store({
        portal: { name: 'first' },
        openai_api: { further_models: [{ code: 'o9', label: 'O9', upstream_name: 'o9' }] },
      })
      await other.store({ ...before, asking: { ...before['asking'], max_queue_length: 9 } })
      const again = await opened(database)
      expect(again.configuration.current()).toMatchObject({
        portal: { name: 'first' },
        asking: { max_queue_length: 9 },
      })
      expect(again.configuration.current().openai_api.further_models).toHaveLength(1)
      await again.store(before)
      expect(again.configuration.current()).toMatchObject({
        portal: { name: 'first' },
        asking: { max_queue_length: 9 },
      })
    })
    test('is refused whole where both changed the same to different values, by their names', async () => {
      const database = await open()
      const [one, other] = [await opened(database), await opened(database)]
      const before = other.read()
      await one.store({ portal: { name: 'first', show_names_in_line: true }, asking: { max_queue_length: 7 } })
      const mine = {
        ...before,
        portal: { ...before['portal'], name: 'second', show_names_in_line: true },
        asking: { max_queue_length: 8, lease_seconds: 20 },
      }
      await expect(other.store(mine)).rejects.toMatchObject({
        key: 'configurationConflict',
        values: { settings: 'portal.name, asking.max_queue_length' },
      })
      expect((await opened(database)).configuration.current()).toMatchObject({
        portal: { name: 'first' },
        asking: { max_queue_length: 7, lease_seconds: 15 },
      })
    })
    test('is refused with the name of each value that does not parse, also where there was none before; nothing is stored', async () => {
      const { read, store } = await opened(await open())
      const before = read()
      for (const wrong of [
        'not an address',
        'ftp://models.example.org/v1',
        'javascript:alert(1)',
        5,
        {},
        ['https://a.b'],
      ]) {
        for (const [section, key] of [
          ['openai_api', 'openai_base_url'],
          ['openai_api', 'proxy'],
          ['openai_web', 'chatgpt_base_url'],
          ['openai_web', 'arkose_endpoint_base'],
          ['openai_web', 'wss_proxy'],
        ] as const) {
          const changed = { ...before, portal: { ...before['portal'], name: 'x' } }
          const sent = store({ ...changed, [section]: { ...before[section], [key]: wrong } })
          await expect(sent, `${section}.${key}: ${JSON.stringify(wrong)}`).rejects.toMatchObject({
            key: 'configurationWrong',
            detail: [{ loc: ['body', section, key] }],
          })
        }
      }
      expect(read()).toEqual(before)
    })
    test('is refused where what was read is named, and is none', async () => {
      const { read, store } = await opened(await open())
      for (const _version of ['x', 5, {}, ['a'], 'x'.repeat(20_000), `${read()._version}a`])
        await expect(store({ portal: { name: 'x' }, _version })).rejects.toMatchObject({
          detail: [{ loc: ['body', '_version'] }],
        })
    })
    test('of many at the same moment, each of another value for the same setting, is taken once', async () => {
      const database = await open()
      const all = await Promise.all(Array.from({ length: 4 }, () => opened(database)))
      const before = all[0]!.read()
      const settled = await Promise.allSettled(
        all.map(({ store }, at) => store({ ...before, asking: { max_queue_length: 10 + at } })),
      )
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })
  })
})

describe('a configuration that is sent back by a client that knows no version', () => {
  test('is taken also where the environment gives what nobody may store: any free port', async () => {
    const { configuration, read, store } = await opened(await aDatabase(), { PORT: '0' })
    const { _version, ...whole } = read()
    await store({ ...whole, portal: { ...whole['portal'], name: 'mine' } })
    expect(configuration.current()).toMatchObject({ portal: { name: 'mine' }, http: { port: 0 } })
  })
})

describe('the version of a configuration', () => {
  test('is given anew with each change', async () => {
    const { read, store } = await opened(await aDatabase())
    const first = read()._version
    expect(read()._version).toBe(first)
    await store({ portal: { name: 'x' } })
    expect(read()._version).not.toBe(first)
  })
  test('knows a value however its keys are ordered', async () => {
    const { configuration, read, store } = await opened(await aDatabase())
    const before = read()
    await store({ openai_api: { model_code_mapping: { gpt_3_5: 'a', gpt_4: 'b' } } })
    const reversed = Object.fromEntries(
      Object.entries(before['openai_api']?.['model_code_mapping'] as object).toReversed(),
    )
    await store({ _version: before._version, openai_api: { model_code_mapping: reversed } })
    expect(configuration.current().openai_api.model_code_mapping).toEqual({ gpt_3_5: 'a', gpt_4: 'b' })
  })
  test('tells nothing of a secret', async () => {
    const [one, other] = [
      await opened(await aDatabase(), { COMMONS_HTTP_METRICS_TOKEN: 'one' }),
      await opened(await aDatabase(), { COMMONS_HTTP_METRICS_TOKEN: 'other' }),
    ]
    expect(one.read()._version).toBe(other.read()._version)
  })
  test.each([
    ['left out', undefined],
    ['null', null],
    ['blank', ''],
  ])('that is none says nothing: %s', async (_what, _version) => {
    const { configuration, read, store } = await opened(await aDatabase())
    const before = read()
    await store({ portal: { name: 'first' } })
    await store({ ...before, _version })
    expect(configuration.current().portal.name).toBe(null)
  })
})

describe('a form that does not know a list', () => {
  test('sends an object in its place, which changes nothing', async () => {
    const database = await aDatabase()
    const { configuration, read, store } = await opened(database, { COMMONS_HTTP_TRUSTED_PROXIES: '["10.0.0.1"]' })
    await store({ openai_api: { further_models: [{ code: 'o9', label: 'O9', upstream_name: 'o9' }] } })
    const before = configuration.current()
    const whole = read()
    for (const { section, key } of SETTINGS.filter(({ kind }) => kind === 'array')) whole[section]![key] = {}
    for (const more of [{}, { _version: undefined, _set_secrets: {}, _origins: {} }])
      await store({ ...whole, stats: { ...whole['stats'], unknown: 1 }, ...more })
    expect(configuration.current()).toEqual(before)
    await store({ ...whole, portal: { ...whole['portal'], name: 'by the form' } })
    expect(configuration.current()).toEqual({ ...before, portal: { ...before.portal, name: 'by the form' } })
  })
  test('has its other errors reported: no text is taken for a number, no null for a list', async () => {
    const { store } = await opened(await aDatabase())
    await expect(
      store({ openai_api: { further_models: null }, asking: { max_queue_length: '7' } }),
    ).rejects.toMatchObject({
      detail: [{ loc: ['body', 'openai_api', 'further_models'] }, { loc: ['body', 'asking', 'max_queue_length'] }],
    })
  })
})
