import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { ConfigurationError } from '#server/foundation/configurationError.ts'
import { readStartConfiguration } from './start.ts'

describe('without anything set', () => {
  test('the defaults of the contract are in force', () => {
    expect(readStartConfiguration({}).configuration).toEqual(Configuration.parse({}))
  })
  test('there are no credentials', () => {
    expect(readStartConfiguration({}).credentials).toEqual({ openai_api_key: null, openai_web_access_token: null })
  })
})

describe('the environment', () => {
  test.each([
    ['COMMONS_HTTP_PORT', '8080', 'http.port', 8080],
    ['PORT', '8080', 'http.port', 8080],
    ['PORT', '0', 'http.port', 0],
    ['HOST', '0.0.0.0', 'http.host', '0.0.0.0'],
    ['TZ', 'Asia/Shanghai', 'portal.time_zone', 'Asia/Shanghai'],
    ['DATABASE_URL', 'postgres://u:p@db/c', 'data.database_url', 'postgres://u:p@db/c'],
    ['OPENAI_BASE_URL', 'http://127.0.0.1:11434/v1/', 'openai_api.openai_base_url', 'http://127.0.0.1:11434/v1/'],
    ['COMMONS_DATA_DATA_DIR', '/var/lib/commons', 'data.data_dir', '/var/lib/commons'],
    ['COMMONS_COMMON_PRINT_SQL', 'true', 'common.print_sql', true],
    ['COMMONS_COMMON_PRINT_TRACEBACK', '0', 'common.print_traceback', false],
    ['COMMONS_NEW_USERS_TOTAL_ASK_COUNT', '-1', 'new_users.total_ask_count', -1],
    ['COMMONS_LOG_CONSOLE_LOG_LEVEL', 'DEBUG', 'log.console_log_level', 'DEBUG'],
    ['COMMONS_HTTP_TRUSTED_PROXIES', '["10.0.0.0/8","::1"]', 'http.trusted_proxies', ['10.0.0.0/8', '::1']],
    [
      'COMMONS_OPENAI_API_MODEL_CODE_MAPPING',
      '{"gpt_4":"gpt-4o"}',
      'openai_api.model_code_mapping',
      { gpt_4: 'gpt-4o' },
    ],
    ['COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD', '12345678', 'common.initial_admin_user_password', '12345678'],
    [
      'COMMONS_OPENAI_API_FURTHER_MODELS',
      '[{"code":"qwen","label":"Qwen","upstream_name":"qwen3"}]',
      'openai_api.further_models',
      [{ code: 'qwen', label: 'Qwen', upstream_name: 'qwen3', context_length: null }],
    ],
  ])('%s=%s sets %s', (name, text, path, value) => {
    const { configuration, environment } = readStartConfiguration({ [name]: text })
    expect(configuration).toHaveProperty(path, value)
    expect([...environment.keys()]).toEqual([path])
  })
  test('sets nothing by an empty variable', () => {
    expect(readStartConfiguration({ PORT: '', COMMONS_PORTAL_NAME: '', OPENAI_API_KEY: '' })).toEqual(
      readStartConfiguration({}),
    )
  })
  test('prefers the mechanical name to the short one', () => {
    expect(readStartConfiguration({ PORT: '1', COMMONS_HTTP_PORT: '2' }).configuration.http.port).toBe(2)
  })
  test('gives credentials under either name', () => {
    expect(readStartConfiguration({ OPENAI_API_KEY: 'sk-1' }).credentials.openai_api_key).toBe('sk-1')
    // Docker keeps the quotes of a file of variables.
    expect(readStartConfiguration({ OPENAI_API_KEY: '"sk-1"' }).credentials.openai_api_key).toBe('sk-1')
    expect(
      readStartConfiguration({ COMMONS_CREDENTIALS_OPENAI_API_KEY: 'sk-2', OPENAI_API_KEY: 'sk-1' }).credentials
        .openai_api_key,
    ).toBe('sk-2')
    expect(
      readStartConfiguration({ COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 't' }).credentials.openai_web_access_token,
    ).toBe('t')
  })
  test('gives a secret by the file that holds it', () => {
    const file = aFile('secret', 'postgres://u:p@db/c\n')
    expect(readStartConfiguration({ DATABASE_URL_FILE: file }).configuration.data.database_url).toBe(
      'postgres://u:p@db/c',
    )
    expect(readStartConfiguration({ COMMONS_DATA_DATABASE_URL_FILE: file }).configuration.data.database_url).toBe(
      'postgres://u:p@db/c',
    )
    expect(readStartConfiguration({ OPENAI_API_KEY_FILE: aFile('key', 'sk-1\r\n') }).credentials.openai_api_key).toBe(
      'sk-1',
    )
  })
})

describe('a wrong value in the environment', () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT: not a whole number (it is "abc")'],
    [{ COMMONS_HTTP_PORT: '70000' }, 'COMMONS_HTTP_PORT: Too big: expected number to be <=65535 (it is "70000")'],
    [{ COMMONS_HTTP_PORT: '80.5' }, 'COMMONS_HTTP_PORT: not a whole number (it is "80.5")'],
    [{ COMMONS_COMMON_PRINT_SQL: 'maybe' }, 'COMMONS_COMMON_PRINT_SQL: neither true nor false (it is "maybe")'],
    [
      { COMMONS_PORTAL_TIME_ZONE: 'Mars/Olympus' },
      'COMMONS_PORTAL_TIME_ZONE: not a time zone such as Asia/Shanghai (it is "Mars/Olympus")',
    ],
    [
      { COMMONS_PORTAL_TIME_ZONE: 'UTC+8' },
      'COMMONS_PORTAL_TIME_ZONE: not a time zone such as Asia/Shanghai (it is "UTC+8")',
    ],
    [{ COMMONS_HTTP_PROT: '1' }, 'COMMONS_HTTP_PROT: there is no such setting'],
    [{ COMMONS_CREDENTIALS_OPENAI_APIKEY: 'sk-geheim' }, 'COMMONS_CREDENTIALS_OPENAI_APIKEY: there is no such setting'],
    [
      { OPENAI_BASE_URL: 'http://me:se@cret@gate.test/v1' },
      'OPENAI_BASE_URL: an address without user or fragment is needed (it is "http://…@gate.test/v1")',
    ],
    [
      { OPENAI_BASE_URL: 'ftp://x' },
      'OPENAI_BASE_URL: not an address such as https://example.org/v1/ (it is "ftp://x")',
    ],
    [
      { COMMONS_HTTP_TRUSTED_PROXIES: '10.0.0.1' },
      'COMMONS_HTTP_TRUSTED_PROXIES: not JSON; lists are written as ["a","b"], mappings as {"a":"b"}',
    ],
    [
      { COMMONS_HTTP_TRUSTED_PROXIES: '["proxy"]' },
      'COMMONS_HTTP_TRUSTED_PROXIES: proxy: neither an address nor a range such as 10.0.0.0/8 (it is "[\\"proxy\\"]")',
    ],
    [
      { COMMONS_PORTAL_PUBLIC_ORIGIN: 'https://chat.example.org/x' },
      'COMMONS_PORTAL_PUBLIC_ORIGIN: not an address without a path, such as https://chat.example.org (it is "https://chat.example.org/x")',
    ],
    [{ DATABASE_URL: 'mysql://u:geheim@db' }, 'DATABASE_URL: not an address such as postgres://…'],
    [
      { COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: 'geheim' },
      'COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: Too small: expected string to have >=7 characters',
    ],
    [{ DATABASE_URL_FILE: '/nowhere' }, 'DATABASE_URL_FILE: cannot read /nowhere'],
    [
      { OPENAI_API_KEY: 'a', OPENAI_API_KEY_FILE: '/b' },
      'OPENAI_API_KEY and OPENAI_API_KEY_FILE: only one of them may be set',
    ],
    [
      { OPENAI_API_KEY: 'sk-geheim\nevil' },
      'OPENAI_API_KEY: a key is made of letters, digits and symbols of ASCII, without spaces',
    ],
    [
      { COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: '密钥' },
      'COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: a token is one word of letters, digits and symbols of ASCII',
    ],
    [
      { COMMONS_OPENAI_API_FURTHER_MODELS: '[{"code":"gpt_4","label":"x","upstream_name":"x"}]' },
      'COMMONS_OPENAI_API_FURTHER_MODELS: gpt_4: is a built-in code; name its model in model_code_mapping' +
        ' (it is "[{\\"code\\":\\"gpt_4\\",\\"label\\":\\"x\\",\\"upstream_name\\":\\"x\\"}]")',
    ],
  ])('%j is told in one line that names it', (env, line) => {
    expect(startError(env)).toBe(line)
  })
})

test('a file for a secret that holds none is told in one line that names it', () => {
  for (const name of ['OPENAI_API_KEY_FILE', 'DATABASE_URL_FILE', 'COMMONS_HTTP_METRICS_TOKEN_FILE']) {
    const file = aFile('secret', '\n')
    expect(startError({ [name]: file })).toBe(`${name}: ${file} is empty`)
  }
})

describe('the configuration file', () => {
  test('is config.yaml, config.yml or config.json of the data folder', () => {
    for (const [name, text] of [
      ['config.yaml', 'http: { port: 9000 }'],
      ['config.yml', 'http:\n  port: 9000'],
      ['config.json', '{"http":{"port":9000}}'],
    ]) {
      const COMMONS_DATA_DATA_DIR = join(aFile(name ?? '', text ?? ''), '..')
      expect(readStartConfiguration({ COMMONS_DATA_DATA_DIR }).configuration.http.port).toBe(9000)
    }
  })
  test('may be any that COMMONS_CONFIG names', () => {
    const { configuration, file } = readStartConfiguration({
      COMMONS_CONFIG: aFile('mine.yaml', 'portal: { name: 实验室 }\nasking:\n'),
    })
    expect(configuration.portal.name).toBe('实验室')
    expect([...file.keys()]).toEqual(['portal.name'])
  })
  test('gives way to the environment', () => {
    const COMMONS_CONFIG = aFile(
      'c.yaml',
      'http: { port: 9000, host: 0.0.0.0 }\ncredentials: { openai_api_key: sk-file }',
    )
    const { configuration, credentials } = readStartConfiguration({ COMMONS_CONFIG, PORT: '9001' })
    expect([configuration.http.port, configuration.http.host, credentials.openai_api_key]).toEqual([
      9001,
      '0.0.0.0',
      'sk-file',
    ])
    expect(readStartConfiguration({ COMMONS_CONFIG, OPENAI_API_KEY: 'sk-env' }).credentials.openai_api_key).toBe(
      'sk-env',
    )
  })
  test.each([
    ['http: { port: "9000" }', 'http.port: Invalid input: expected number, received string'],
    ['http: { prot: 9000 }', 'http.prot: there is no such setting'],
    ['htpp: { port: 9000 }', 'htpp: there is no such section'],
    ['portal: { time_zone: "UTC+8" }', 'portal.time_zone: not a time zone such as Asia/Shanghai'],
    ['http: [9000]', 'http: not a mapping'],
    ['just words', 'not a mapping'],
    [
      'openai_api: { enabled_models: [gpt_4, 5] }',
      'openai_api.enabled_models: 1: Invalid input: expected string, received number',
    ],
    ['credentials: { openai_key: x }', 'credentials.openai_key: there is no such credential'],
    ['credentials: { openai_api_key: 5 }', 'credentials.openai_api_key: not a text'],
    [
      'credentials: { openai_api_key: 密钥 }',
      'credentials.openai_api_key: a key is made of letters, digits and symbols of ASCII, without spaces',
    ],
  ])('with %j is told in one line that names it', (text, line) => {
    const COMMONS_CONFIG = aFile('c.yaml', text)
    expect(startError({ COMMONS_CONFIG })).toBe(`${COMMONS_CONFIG}: ${line}`)
  })
  test('that names a file of the data folder as the log of the reverse proxy is refused, whatever way leads there', () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'commons-data-'))
    const beside = `${data_dir}-link`
    symlinkSync(data_dir, beside)
    onTestFinished(() => [data_dir, beside].forEach(path => rmSync(path, { recursive: true })))
    const withLog = (path: string) => ({ COMMONS_DATA_DATA_DIR: data_dir, COMMONS_LOG_PROXY_LOG_FILE: path })
    for (const path of [join(data_dir, 'secret.key'), join(beside, 'logs/x.log'), data_dir])
      expect(startError(withLog(path))).toBe(
        `log.proxy_log_file: ${path} lies in the data folder; name a file outside of it`,
      )
    expect(startError(withLog('access.log'))).toMatch(/^COMMONS_LOG_PROXY_LOG_FILE: not a full path such as/)
    const outside = `${data_dir}.log`
    expect(readStartConfiguration(withLog(outside)).configuration.log.proxy_log_file).toBe(outside)
  })
  test('that is no YAML is told by its place, and not quoted', () => {
    const COMMONS_CONFIG = aFile('c.yaml', 'credentials:\n  openai_api_key: "sk-geheim\n')
    expect(startError({ COMMONS_CONFIG })).toMatch(/^\S+c\.yaml: .*line 3/)
    expect(startError({ COMMONS_CONFIG })).not.toContain('geheim')
  })
  test('that is named must be there', () => {
    expect(startError({ COMMONS_CONFIG: '/nowhere.yaml' })).toBe('/nowhere.yaml: cannot be read')
  })
})

function startError(env: NodeJS.ProcessEnv): string {
  try {
    readStartConfiguration(env)
    return ''
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
}

function aFile(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
