import { describe, expect, test } from 'vitest'
import { openDatabase } from '#server/foundation/database/open.ts'
import { eachStorage } from '#testing/database.ts'
import { fakeEndpoint, listOf } from '#testing/fakeEndpoint.ts'
import { startPortal } from '#testing/portal.ts'
import { aFolder, aTerminal } from '#testing/terminal.ts'
import { runCommand } from './commandLine.ts'

const ENV = { COMMONS_SECRET_KEY: 'a-secret-of-all-processes-0123456789' }

type Where = Parameters<typeof aTerminal>[0]

async function called(where: Where, words: string[], input = '') {
  const { terminal, said, complaints } = await aTerminal(where, { input, env: ENV })
  return { code: await runCommand(words, terminal), said: said.join('\n'), complaints }
}

/** What a call gives. */
async function resultOf(where: Where, name: string, parts: object = {}, ...flags: string[]) {
  const { code, said, complaints } = await called(where, ['call', name, JSON.stringify(parts), ...flags])
  expect({ code, complaints }).toEqual({ code: 0, complaints: [] })
  return said === '' ? null : JSON.parse(said)
}

eachStorage((_, storage) => {
  describe('a call on the command line', () => {
    test('is made as an administrator, and prints its result', async () => {
      const where = await storage()
      await called(where, ['create-admin', 'root'])
      await called(where, ['create-user', 'lin'])
      expect(await resultOf(where, 'listUserPage', { query: { words: 'LIN', page: 1, size: 20 } })).toMatchObject({
        rows: [{ username: 'lin', is_active: true }],
        total: 1,
      })
      const changed = await resultOf(where, 'updateUser', { params: { id: 2 }, body: { remark: 'on leave' } })
      expect(changed).toMatchObject({ username: 'lin', remark: 'on leave' })
      expect(await resultOf(where, 'endUserSessions', { params: { id: 2 } }, '--as', 'root')).toEqual({ ended: 0 })
      await resultOf(where, 'deleteUser', { params: { id: 2 } })
      expect(await resultOf(where, 'listUsers')).toEqual([expect.objectContaining({ username: 'root' })])
    })
    test('takes a key from the input, and asks the endpoint with it', async () => {
      const where = await storage()
      await called(where, ['create-admin', 'root'])
      const endpoint = await fakeEndpoint({ models: listOf('mistral', 'qwen') })
      const body = { source: 'openai_api', label: 'Second', base_url: `${endpoint.url}/v1`, secret: 'sk-of-the-second' }
      const { code, said } = await called(where, ['call', 'addUpstream', '-'], JSON.stringify({ body }))
      expect([code, JSON.parse(said)]).toEqual([
        0,
        expect.objectContaining({ label: 'Second', _set: { secret: expect.objectContaining({ last4: 'cond' }) } }),
      ])
      expect(said).not.toContain('sk-of')
      expect(endpoint.received.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-second')
    })
    test.each([
      [['nothing'], 'There is no call nothing: npm run commons -- call names lists them.'],
      [['updateUser', 'three'], /^The changes are not JSON, such as \{"params": /],
      [['updateUser', '{"parms": {"id": 1}}'], 'parms: there is no such field'],
      [['updateUser', '{"params": {"id": 1}, "body": {"nope": 1}}'], 'nope: there is no such field'],
      [['updateUser', '{"params": {"id": 1}, "body": {"is_active": "no"}}'], 'is_active: is true or false'],
      [['readUser', '{"params": {"id": 9}}'], 'There is nobody of that name.'],
      [['deleteUser', '{"params": {"id": 1}}'], 'The last active administrator stays one.'],
      [['pauseUpstream', '{"params": {"id": 77}}'], /^There is no account of that id: /],
      [['downloadLog', '{}'], /^downloadLog takes a form or a file, or gives one/],
      [['logout', '{}'], /session of a browser/],
      [['listUsers', '{}', '--as', 'lin'], 'lin is no administrator.'],
    ])('says in words what is not done: %j', async (words, line) => {
      const where = await storage()
      await called(where, ['create-admin', 'root'])
      expect(await called(where, ['call', ...words])).toEqual({
        code: 1,
        said: '',
        complaints: [typeof line === 'string' ? line : expect.stringMatching(line)],
      })
    })
    test('needs an administrator', async () => {
      const where = await storage()
      await (await openDatabase(where)).close()
      expect((await called(where, ['call', 'listUsers'])).complaints).toEqual([
        'There is no administrator: create-admin makes one.',
      ])
    })
  })
})

describe('the calls on the command line', () => {
  test('are listed with what they do', async () => {
    const { code, said } = await called(null, ['call', 'names'])
    expect(code).toBe(0)
    expect(said).toMatch(/^updateUser: /m)
  })
  test('reach a portal that runs on the embedded database', async () => {
    const where = { data_dir: await aFolder() }
    const endpoint = await fakeEndpoint({ models: listOf('mistral') })
    const { app } = await startPortal({ storage: where, environment: ENV })
    const body = { source: 'openai_api', label: 'Second', base_url: `${endpoint.url}/v1` }
    await resultOf(where, 'addUpstream', { body })
    await app.services.upstreams.snapshot.reload() // which it does once a minute
    expect(app.services.upstreams.serving('openai_api', 'mistral').map(({ label }) => label)).toEqual(['Second'])
  })
})
