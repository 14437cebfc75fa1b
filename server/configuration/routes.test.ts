import { describe, expect, onTestFinished, test } from 'vitest'
import { openBus } from '#server/foundation/database/bus.ts'
import { aDatabase } from '#testing/database.ts'
import { anEdge } from '#testing/edge.ts'
import { settingsOfUpstreams } from '#testing/upstreams.ts'
import { openConfiguration } from './configuration.ts'
import { configurationRoutes } from './routes.ts'
import { readStartConfiguration } from './start.ts'

const PATH = '/api/system/config'

describe('the configuration over HTTP', () => {
  test.each(['GET', 'PUT'])('is for administrators: %s', async method => {
    const { call } = await served()
    const json = method === 'PUT' ? { portal: { name: 'x' } } : undefined
    expect((await call(PATH, { method, json })).envelope.code).toBe(10401)
    expect((await call(PATH, { method, json, as: 'ann' })).envelope.code).toBe(10403)
    expect((await call(PATH, { as: 'sue' })).envelope.result).toMatchObject({ portal: { name: null } })
  })
  test('is answered as it is after the change', async () => {
    const { call } = await served()
    const { envelope } = await call(PATH, { method: 'PUT', as: 'sue', json: { portal: { name: '实验室' } } })
    expect(envelope.result).toMatchObject({ portal: { name: '实验室' }, _origins: { 'portal.name': 'stored' } })
  })
  test('tells which field is wrong', async () => {
    const { call } = await served()
    const { envelope } = await call(PATH, {
      method: 'PUT',
      as: 'sue',
      json: { asking: { max_queue_length: 0 }, portal: { name: 5 } },
    })
    expect(envelope).toMatchObject({
      code: 422,
      message: 'errors.configurationWrong',
      detail: [{ loc: ['body', 'portal', 'name'] }, { loc: ['body', 'asking', 'max_queue_length'] }],
    })
  })
  test.each([[null], [[]], ['x'], [5]])(
    'takes no %j for a section, and passes over what it does not know',
    async wrong => {
      const { call } = await served()
      const { envelope } = await call(PATH, {
        method: 'PUT',
        as: 'sue',
        json: { openai_api: wrong, _origins: {}, other: null },
      })
      expect(envelope).toMatchObject({ code: 422, detail: [{ loc: ['body', 'openai_api'] }] })
    },
  )
  test('names whoever has changed a setting', async () => {
    const { call } = await served()
    await call(PATH, { method: 'PUT', as: 'sue', json: { portal: { name: 'x' } } })
    expect((await call(PATH, { as: 'sue' })).envelope.result).toMatchObject({
      _stored: { 'portal.name': { changed_by: 'Sue', fallback: null, fallback_origin: 'default' } },
    })
  })
  test('shows no secret', async () => {
    const { call } = await served({
      COMMONS_HTTP_METRICS_TOKEN: 'geheim-token',
      DATABASE_URL: 'postgres://u:geheim@db/c',
    })
    expect((await call(PATH, { as: 'sue' })).text).not.toContain('geheim')
  })
})

async function served(env: NodeJS.ProcessEnv = {}) {
  const open = await aDatabase()
  const bus = await openBus(open)
  const configuration = await openConfiguration(readStartConfiguration(env), open, bus, settingsOfUpstreams)
  onTestFinished(async () => {
    configuration.close()
    await bus.close()
  })
  return anEdge({}, http => configurationRoutes(http, configuration, async () => new Map([[3, 'Sue']])))
}
