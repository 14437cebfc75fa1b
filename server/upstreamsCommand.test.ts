import { describe, expect, test } from 'vitest'
import { openDatabase, type DatabaseStorage } from '#server/foundation/database/open.ts'
import { eachStorage } from '#testing/database.ts'
import { fakeEndpoint, listOf } from '#testing/fakeEndpoint.ts'
import { startPortal } from '#testing/portal.ts'
import { aFolder, aTerminal } from '#testing/terminal.ts'
import { aToken } from './upstreams/token.testing.ts'
import { runCommand } from './commandLine.ts'

const ENV = { COMMONS_SECRET_KEY: 'a-secret-of-all-processes-0123456789' }

/** The exit code, and what was said. */
async function called(where: DatabaseStorage | null, words: string[], input = '') {
  const { terminal, said, complaints } = await aTerminal(where, { input, env: ENV })
  const code = await runCommand(['upstreams', ...words], terminal)
  return { code, said: said.join('\n'), complaints }
}

const added = (url: string, more: object = {}) => JSON.stringify({ label: 'Second', base_url: `${url}/v1`, ...more })
const rowOf = (said: string, id: string) => said.split('\n').find(line => line.startsWith(`${id} `)) ?? ''

eachStorage((_, storage) => {
  describe('the command for shared accounts', () => {
    test('lists them, and adds one with its key from the input', async () => {
      const where = await storage()
      await (await openDatabase(where)).close()
      const endpoint = await fakeEndpoint({ models: listOf('mistral', 'qwen') })
      const { code, said } = await called(where, ['add', added(endpoint.url), '--key-stdin'], 'sk-of-the-second')
      expect([code, said]).toEqual([0, expect.stringContaining('It answers and lists 2 models.')])
      expect(endpoint.received.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-second')
      expect(said).not.toContain('sk-of')
      const listed = await called(where, ['list'])
      expect(listed.said).toMatch(/^id +source +name +state +health +models +token until +address\n/)
      expect(listed.said).toMatch(/openai_api +\(of the settings\) +in use +normal/)
      expect(rowOf(listed.said, '3')).toMatch(/Second +in use +normal +2 +http:\/\/127\.0\.0\.1:\d+\/v1$/)
    })
    test('adds a web account, and says when its token expires and what a wall says of it', async () => {
      const where = await storage()
      await (await openDatabase(where)).close()
      const endpoint = await fakeEndpoint({ models: { items: [] } })
      const account = added(endpoint.url, { source: 'openai_web', team_account_id: 'team-1' })
      const { code, said } = await called(where, ['add', account, '--key-stdin'], aToken(Date.UTC(2040, 0, 2)))
      expect([code, said]).toEqual([0, expect.stringContaining('It answers.')])
      expect(endpoint.received.map(({ url }) => url)).toEqual(['/v1/conversations?offset=0&limit=1'])
      expect(rowOf(said, '3')).toMatch(/openai_web +Second +in use +normal +2040-01-02 +http:/)
      endpoint.models = '<html>'
      expect((await called(where, ['test', '3'])).said).toContain('it sends a web page')
    })
    test('changes, pauses, resumes and removes one', async () => {
      const where = await storage()
      await (await openDatabase(where)).close()
      const endpoint = await fakeEndpoint({ models: listOf('mistral') })
      await called(where, ['add', added(endpoint.url)])
      expect(rowOf((await called(where, ['change', '3', '{"label": "Renamed"}'])).said, '3')).toContain('Renamed')
      expect(rowOf((await called(where, ['pause', '3'])).said, '3')).toContain('paused since')
      expect(rowOf((await called(where, ['resume', '3'])).said, '3')).toContain('in use')
      await called(where, ['change', '3', '{}', '--key-stdin'], 'sk-new')
      expect(endpoint.received.at(-1)?.headers.authorization).toBe('Bearer sk-new')
      const removed = await called(where, ['remove', '3'])
      expect(removed.said).toContain('Renamed (3) is removed.')
      expect(rowOf(removed.said, '3')).toBe('')
    })
    test('tells of a test that went wrong why it did', async () => {
      const where = await storage()
      await (await openDatabase(where)).close()
      const endpoint = await fakeEndpoint({ models: 401 })
      await called(where, ['add', added(endpoint.url)])
      const { code, said } = await called(where, ['test', '3'])
      expect(code).toBe(1)
      expect(said).toContain('It does not answer as it should: the key is not accepted.')
      expect(rowOf(said, '3')).toContain('needs attention (openai.401)')
    })
    test('says plainly what cannot be done', async () => {
      const where = await storage()
      await (await openDatabase(where)).close()
      expect(await called(where, ['pause', '77'])).toMatchObject({
        code: 1,
        complaints: ['There is no account 77: npm run commons -- upstreams list shows them.'],
      })
      const first = /(\d+) +openai_api/.exec((await called(where, ['list'])).said)?.[1] ?? ''
      expect((await called(where, ['remove', first])).complaints).toEqual([
        'The first account of a source is the one in the settings: it is changed there, and stays.',
      ])
      expect((await called(where, ['add', '{"label": "x", "secret": "y"}'])).complaints).toEqual([
        'secret: there is no such field',
      ])
      expect((await called(where, ['add', '{"label": "x", "base_url": "ftp://y"}'])).code).toBe(1)
    })
    test.each([[[]], [['lists']], [['pause']], [['pause', '3', '4']], [['add']]])(
      'says how it is called when it was called as %j',
      async words => {
        const { code, complaints } = await called(null, words)
        expect([code, complaints]).toEqual([2, [expect.stringMatching(/^Usage: npm run commons -- upstreams/)]])
      },
    )
  })
})

describe('a portal that runs', () => {
  test('on the embedded database hears of what a command has added', async () => {
    const where = { data_dir: await aFolder() }
    const endpoint = await fakeEndpoint({ models: listOf('mistral') })
    const { app } = await startPortal({ storage: where, environment: ENV })
    await called(where, ['add', added(endpoint.url)])
    await app.services.upstreams.snapshot.reload() // which it does once a minute
    expect(app.services.upstreams.serving('openai_api', 'mistral').map(({ label }) => label)).toEqual(['Second'])
  })
})
