import { chmod, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/foundation/database/open.ts'
import { openSecretBox, type SecretBox } from '#server/foundation/secrets.ts'
import { DatabaseUnusable } from '#server/foundation/databaseErrors.ts'
import { type SimulatorOptions, startSimulator } from '#simulator/simulator.ts'
import { firstUpstream } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { fakeEndpoint, listOf } from '#testing/fakeEndpoint.ts'
import { storedUser } from '#testing/rows.ts'
import { aFolder, aTerminal } from '#testing/terminal.ts'
import { rawUpstream } from '#testing/upstream.ts'
import { aToken } from '#server/upstreams/token.testing.ts'
import { remedyOf } from './dataFolder.ts'
import { doctor } from './doctor.ts'

async function examined(...given: Parameters<typeof aTerminal>) {
  const { terminal, said } = await aTerminal(...given)
  return { code: await doctor.run({ words: [], flags: {} }, terminal), said: said.join('\n') }
}

async function upstream(options: SimulatorOptions = {}) {
  const simulator = await startSimulator(options)
  onTestFinished(() => simulator.close())
  return simulator
}

describe('the doctor', () => {
  eachStorage((_, storage) => {
    test('finds a portal in order', async () => {
      const where = await storage()
      const open = await openDatabase(where)
      await storedUser(open.database, { username: 'anna', is_superuser: true })
      await open.close()
      const { code, said } = await examined(where)
      expect(said).not.toContain('WRONG')
      expect(said).toMatch(/ok {5}schema {10}\d+, as this program needs it/)
      expect(said).toMatch(/ok {5}administrators {2}anna/)
      expect(said).toContain('the built-in demonstration answers')
      expect(said).toContain('Everything is in order.')
      expect(code).toBe(0)
    })
    test('says that nobody can administer, and how to mend it', async () => {
      const where = await storage()
      const open = await openDatabase(where)
      await storedUser(open.database, { username: 'anna', is_superuser: true, is_active: false })
      await open.close()
      const { code, said } = await examined(where)
      expect(said).toContain(
        'WRONG  administrators  nobody can administer the portal\n                       npm run commons -- create-admin',
      )
      expect(said).toContain('1 thing is wrong.')
      expect(code).toBe(1)
    })
    test('says that the clock is behind what is stored', async () => {
      const where = await storage()
      const open = await openDatabase(where)
      await storedUser(open.database, { is_superuser: true, last_active_time: Date.now() + 3_600_000 })
      await open.close()
      expect((await examined(where)).said).toMatch(/WRONG {2}clock .*but somebody was here at/)
    })
  })

  test('is content with a portal that was never started', async () => {
    const { code, said } = await examined()
    expect(said).toMatch(/ok {5}database {8}not there yet/)
    expect(code).toBe(0)
  })
  test('says that a setting is wrong, and no more', async () => {
    const { code, said } = await examined(null, { env: { PORT: 'eighty' } })
    expect(said).toMatch(/^WRONG {2}configuration .*PORT/)
    expect(code).toBe(1)
  })
  test('says that PostgreSQL does not answer, without its password', async () => {
    const { code, said } = await examined(null, {
      env: { DATABASE_URL: 'postgres://somebody:hidden-word@127.0.0.1:1/nothing' },
    })
    expect(said).toMatch(/WRONG {2}database {8}PostgreSQL at 127\.0\.0\.1:1\/nothing cannot be used: .*ECONNREFUSED/)
    expect(said).toContain('See that PostgreSQL runs and listens there.')
    expect(said).not.toContain('hidden-word')
    expect(code).toBe(1)
  })
  test('says that the database is no database', async () => {
    const { terminal, said, data_dir } = await aTerminal()
    await writeFile(
      join(data_dir, 'commons.sqlite'),
      'something else, and rather more than the hundred bytes of a head'.repeat(10),
    )
    expect(await doctor.run({ words: [], flags: {} }, terminal)).toBe(1)
    expect(said.join('\n')).toMatch(/WRONG {2}database/)
    expect(said.join('\n')).toContain('commons.sqlite is damaged. Restore a backup')
  })
  test.each([
    [{ code: 'ENOSPC' }, /^Make room on the disk of \/data/],
    [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, /^Make room on the disk of \/data/],
    [{ code: 'EROFS' }, /^Make \/data writable/],
    [{ code: 'EACCES' }, /^Give the folder to the user that runs the portal.*chown -R <user> \/data/],
  ])('of a folder with %j says what helps, and nothing of a backup', (error, remedy) => {
    const cause = new DatabaseUnusable('cannot be opened', { cause: Object.assign(new Error('x'), error) })
    expect(remedyOf(cause, '/data')).toMatch(remedy)
  })
  test.skipIf(process.platform === 'win32')(
    'says that others may read the data, and that the key in it is none',
    async () => {
      const { terminal, said, data_dir } = await aTerminal()
      await (await openDatabase({ data_dir })).close()
      await writeFile(join(data_dir, 'secret.key'), 'x')
      await chmod(join(data_dir, 'secret.key'), 0o644)
      expect(await doctor.run({ words: [], flags: {} }, terminal)).toBe(1)
      expect(said.join('\n')).toMatch(/WRONG {2}secret key .*not a key of 32 bytes/)
      expect(said.join('\n')).toContain(`chmod go= ${join(data_dir, 'secret.key')}`)
    },
  )
})

describe('the doctor at the upstream', () => {
  const settings = (url: string, key = 'test-key') => ({ env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } })

  test('asks further ones as well, each by its name', async () => {
    const where = { data_dir: await aFolder() }
    const open = await openDatabase(where)
    const [one, other] = [await fakeEndpoint({ models: listOf('a', 'b') }), await fakeEndpoint({ models: 401 })]
    for (const [label, { url }] of [
      ['Second', one],
      ['Third', other],
    ] as const)
      await open.database
        .insertInto('upstreams')
        .values({ source: 'openai_api', label, base_url: `${url}/v1`, create_time: 1 })
        .execute()
    await open.close()
    const { code, said } = await examined(where)
    expect(said).toContain('ok     upstream        the settings name none; those that were added answer')
    expect(said).toContain(`ok     upstream        Second: ${one.url}/v1 answers and lists 2 models`)
    expect(said).toContain(`WRONG  upstream        Third: ${other.url}/v1 wants a key and none is set`)
    expect(code).toBe(1)
  })

  test('asks for the models with the key', async () => {
    const simulator = await upstream({ key: 'test-key' })
    const { said } = await examined(null, settings(simulator.url))
    expect(said).toContain(`${simulator.url} answers and lists 5 models`)
    expect(said).toMatch(/ok {5}models {10}5 are offered/)
    expect(simulator.journal).toMatchObject([{ path: '/v1/models', authorization: 'Bearer test-key' }])
  })
  test('says that the key is not accepted, without showing it', async () => {
    const simulator = await upstream({ key: 'another-key' })
    const { code, said } = await examined(null, settings(simulator.url, 'a-hidden-key'))
    expect(said).toMatch(/WRONG {2}upstream .*does not accept the key \(401\)/)
    expect(said).not.toContain('a-hidden-key')
    expect(code).toBe(1)
  })
  test.each(['/v1', '/', '', '/v1/chat/completions', '/v1/?api-version=1'])(
    'reads the address as an ask does: with %j at its end',
    async end => {
      const simulator = await upstream({ key: 'test-key' })
      const { code } = await examined(null, settings(simulator.url.replace('/v1/', end)))
      expect(code).toBe(0)
      expect(simulator.journal).toMatchObject([{ path: expect.stringMatching(/^\/v1\/models/) }])
    },
  )
  test('reads what is behind a query, with the key in its header, and says so where nothing is offered', async () => {
    const endpoint = await fakeEndpoint({ models: listOf('text-embedding-3-small', 'whisper-1') })
    const { code, said } = await examined(null, {
      env: {
        OPENAI_BASE_URL: `${endpoint.url}/openai/deployments/gpt-4o?api-version=2024-10-21`,
        OPENAI_API_KEY: 'k',
        COMMONS_OPENAI_API_KEY_HEADER: 'api-key',
      },
    })
    expect(endpoint.received).toMatchObject([
      { url: '/openai/deployments/gpt-4o/models?api-version=2024-10-21', headers: { 'api-key': 'k' } },
    ])
    expect(said).toContain('lists 2 models')
    expect(said).toContain('none of them is offered')
    expect(code).toBe(0)
  })
  test('is content with an endpoint that answers questions and has no list of models', async () => {
    const url = await rawUpstream((request, response) => {
      response.writeHead(request.method === 'POST' ? 400 : 404).end()
    })
    const { code, said } = await examined(null, settings(url))
    expect(said).toContain('answers questions, but has no list of models (404)')
    expect(code).toBe(0)
  })
  test('asks through the proxy of the environment, and names it without its password', async () => {
    const { said } = await examined(null, {
      env: { OPENAI_BASE_URL: 'https://api.example.org/v1/', HTTPS_PROXY: 'http://me:hidden-word@127.0.0.1:1' },
    })
    expect(said).toMatch(/WRONG {2}upstream .*cannot be reached/)
    expect(said).toContain('through the proxy 127.0.0.1:1')
    expect(said).not.toContain('hidden-word')
  })
  test('says that the address leads elsewhere', async () => {
    const simulator = await upstream()
    const { said } = await examined(null, settings(simulator.url.replace('/v1/', '/v2/')))
    expect(said).toMatch(/WRONG {2}upstream .*no list of models \(404\)\n *Look at openai_api\.openai_base_url/)
  })
  test('says that nobody listens there', async () => {
    const simulator = await startSimulator()
    await simulator.close()
    expect((await examined(null, settings(simulator.url))).said).toMatch(/WRONG {2}upstream .*cannot be reached/)
  })
  test('says that a stored key is not used, since it was entered for another address', async () => {
    const { said } = await examinedWithKey(
      (box, id) => box.seal('sk-1', `upstreams/${id}/sealed_secret/https://api.example.org`),
      'https://api.example.org',
    )
    expect(said).toMatch(/WRONG {2}stored key .*entered for https:\/\/api\.example\.org/)
  })
  test('names each stored key that cannot be opened, and asks nothing without it', async () => {
    const { said, asked } = await examinedWithKey(() => 'v1.x.y', null)
    expect(said).toMatch(
      /WRONG {2}stored key .*openai_api_key of the settings cannot be opened.*\n *Put the secret key/,
    )
    expect(said).toMatch(/WRONG {2}stored key .*the key of the account Second \(\d+\) cannot be opened/)
    expect(said).toMatch(/WRONG {2}stored key .*the key of mei for an endpoint of their own cannot be opened/)
    expect(asked).toBe(0)
  })

  /**
   * A portal with a key of the settings as `seal` seals it, for that origin; null: for the present one, with others
   * that cannot be opened.
   */
  async function examinedWithKey(seal: (box: SecretBox, id: number) => string, origin: string | null) {
    const { url, journal } = await upstream()
    const { terminal, said, data_dir } = await aTerminal(null, { env: { OPENAI_BASE_URL: url } })
    const open = await openDatabase({ data_dir })
    await storedUser(open.database, { is_superuser: true })
    const ofSettings = await firstUpstream(open.database)
    const stored = {
      sealed_secret: seal(openSecretBox(data_dir, {}), ofSettings),
      secret_origin: origin ?? new URL(url).origin,
      secret_time: 1,
    }
    await open.database.updateTable('upstreams').set(stored).where('id', '=', ofSettings).execute()
    if (origin === null) {
      const second = { source: 'openai_api', label: 'Second', base_url: url, create_time: 1, sealed_secret: 'v1.x.y' }
      await open.database.insertInto('upstreams').values(second).execute()
      const user_id = await storedUser(open.database, { username: 'mei' })
      const own = { allow_custom_openai_api: true, custom_openai_api_url: url, custom_openai_api_key: 'v1.x.y' }
      await open.database
        .insertInto('user_source_settings')
        .values({ user_id, source: 'openai_api', ...own })
        .execute()
    }
    await open.close()
    expect(await doctor.run({ words: [], flags: {} }, terminal)).toBe(1)
    return { said: said.join('\n'), asked: journal.length }
  }
  test('says which enabled models the endpoint does not list', async () => {
    const simulator = await upstream()
    const { code, said } = await examined(null, {
      env: {
        ...settings(simulator.url).env,
        COMMONS_OPENAI_API_FURTHER_MODELS: JSON.stringify([
          { code: 'qwen', label: 'Qwen', upstream_name: 'qwen3-unheard-of' },
        ]),
      },
    })
    expect(said).toContain('not in its list, so asking them may fail: qwen3-unheard-of')
    expect(code).toBe(0)
  })
})

describe('the doctor at a web account', () => {
  const DAY = 86_400_000
  const examineAt = async (answer: RequestListener, token: string | null) => {
    const base_url = await rawUpstream(answer)
    const env = {
      COMMONS_OPENAI_WEB_ENABLED: 'true',
      COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: base_url,
      COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: token ?? '',
    }
    const where = { data_dir: await aFolder() }
    await (await openDatabase(where)).close()
    return (await examined(where, { env })).said
  }
  const list: RequestListener = (_request, response) => response.end('{"items":[]}')
  const status =
    (code: number): RequestListener =>
    (_request, response) =>
      response.writeHead(code, { 'content-type': 'text/html', location: '/login' }).end('<html>')

  test('asks it, and says when its token expires', async () => {
    expect(await examineAt(list, aToken(Date.UTC(2040, 0, 2)))).toMatch(
      /ok {5}web account {5}http\S+ answers; its token expires at 2040-01-02 00:00 UTC/,
    )
    expect(await examineAt(list, 'opaque')).toMatch(/ok {5}web account {5}http\S+ answers\n/)
  })
  test('says that its token expires within two days, or has', async () => {
    const soon = await examineAt(list, aToken(Date.now() + DAY))
    expect(soon).toMatch(/WRONG {2}web account .*answers, but its token expires at .*\n *Enter a new token/)
    const over = await examineAt(list, aToken(Date.now() - DAY))
    expect(over).toMatch(/WRONG {2}web account .*its token expired at/)
  })
  test.each([
    [401, /does not accept the token \(401\)/],
    [403, /sends a web page in place of an answer.*\n *Some services have a wall/],
    [429, /no requests left/],
    [200, /sends a web page in place of an answer/],
    [302, /answers, but not as the web service does/],
  ])('says what is in the way: %i', async (code, words) => {
    const said = await examineAt(status(code), 'opaque')
    expect(said).toMatch(words)
    expect(said).not.toContain('opaque')
  })
  test('asks those that were added as well, each with its own token alone', async () => {
    const tokens: (string | undefined)[] = []
    const base_url = await rawUpstream((request, response) => {
      tokens.push(request.headers.authorization)
      response.writeHead(401).end()
    })
    const where = { data_dir: await aFolder() }
    const open = await openDatabase(where)
    const row = { source: 'openai_web', label: 'Second', base_url, create_time: 1 }
    await open.database.insertInto('upstreams').values(row).execute()
    await open.close()
    const env = { COMMONS_OPENAI_WEB_ENABLED: 'true', COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 'of-the-first' }
    const { said } = await examined(where, { env })
    expect(said).toContain(`WRONG  web account     Second: ${base_url} wants a token and none is set`)
    expect(tokens).toEqual([undefined])
  })
})
