import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aPostgresqlAddress } from '#testing/database.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import { signIn, textOfFrames } from '#testing/person.ts'
import { failedStart, SOURCES, startServer } from '#testing/server.ts'

const passwordIn = (said: readonly string[]) =>
  said.map(line => /^Password: +(\S+)/.exec(line)?.[1]).find(found => found !== undefined)

/** Everything of the folder that is the server's own is for its eyes only. */
const rightsOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('the program', () => {
  test('starts on an empty folder, is healthy, and lets in whom it printed; the second start prints no password', async () => {
    const data_dir = join(await emptyFolder(), 'data')
    const first = await startServer({ COMMONS_DATA_DATA_DIR: data_dir })
    for (const path of ['healthz', 'readyz']) expect((await fetch(`${first.url}/${path}`)).status).toBe(200)
    const admin = await signIn(first.url, 'admin', passwordIn(first.said) ?? '')
    expect(passwordIn(first.said)?.length).toBeGreaterThanOrEqual(16)
    expect(first.said.filter(line => line.startsWith('Password'))).toHaveLength(1)
    expect(first.said).toContain('User name: admin')
    expect(first.said.join('\n')).toContain('Demonstration')
    const frames = await admin.ask('What is a heat pump?')
    expect(frames.at(-2)).toMatchObject({ type: 'finished', outcome: 'finished' })
    expect(textOfFrames(frames).length).toBeGreaterThan(50)
    expect([rightsOf(data_dir), rightsOf(join(data_dir, 'commons.sqlite'))]).toEqual(['700', '600'])
    const [first_line = ''] = await admin.result<string[]>('POST', '/logs/server', null)
    expect(JSON.parse(first_line)).toMatchObject({ level: 'info', msg: 'the log file begins' })
    expect(rightsOf(join(data_dir, 'logs'))).toBe('700')
    first.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0, errors: '' })

    const second = await startServer({ COMMONS_DATA_DATA_DIR: data_dir })
    expect(passwordIn(second.said)).toBe(undefined)
    expect(await admin.at(second.url).result('GET', '/conv')).toHaveLength(1)
    second.kill('SIGTERM')
    expect((await second.ended).said.join('\n')).not.toContain('assword')
  })

  test('takes the password of an unattended install and does not print it', async () => {
    const server = await startServer({
      COMMONS_DATA_DATA_DIR: await emptyFolder(),
      COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: 'correct-horse-7',
    })
    await signIn(server.url, 'admin', 'correct-horse-7')
    expect(server.said.join('\n')).not.toContain('correct-horse-7')
  })

  test('runs from its sources as well', async () => {
    const server = await startServer({ COMMONS_DATA_DATA_DIR: await emptyFolder() }, SOURCES)
    await signIn(server.url, 'admin', passwordIn(server.said) ?? '')
  })

  test('stops at a wrong setting with one plain line that names it', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ PORT: '70000' }, /PORT.*70000/],
      [{ COMMONS_ASKING_LEASE_SECUNDS: '3' }, /COMMONS_ASKING_LEASE_SECUNDS/],
      [{ COMMONS_PORTAL_TIME_ZONE: 'Mars/Olympus' }, /COMMONS_PORTAL_TIME_ZONE.*Mars\/Olympus/],
      [
        { COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: 'has space in it' },
        /common\.initial_admin_user_password: .* no spaces/,
      ],
    ]
    await Promise.all(
      wrong.map(async ([setting, line]) => {
        const { code, said, errors } = await failedStart({ COMMONS_DATA_DATA_DIR: await emptyFolder(), ...setting })
        expect({ code, said }).toEqual({ code: 1, said: [] })
        expect(errors).toMatch(line)
        expect(errors.trim().split('\n')).toHaveLength(1)
      }),
    )
  })

  test('starts whatever the system has in TZ and the shell in HOST, and says what it made of them', async () => {
    const server = await startServer({ COMMONS_DATA_DATA_DIR: await emptyFolder(), TZ: 'UTC+8', HOST: 'no..name' })
    expect(new URL(server.url).hostname).toBe('127.0.0.1')
    server.kill('SIGTERM')
    const { code, errors } = await server.ended
    expect(code).toBe(0)
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/^Warning: TZ is "UTC\+8", which names no time zone/),
      expect.stringMatching(/^Warning: HOST is "no\.\.name", /),
    ])
  })

  test('makes the first administrator once it has its address, so that no password is lost with a port that is taken', async () => {
    const running = await startServer({ COMMONS_DATA_DATA_DIR: await emptyFolder() })
    const data_dir = await emptyFolder()
    const { said } = await failedStart({ COMMONS_DATA_DATA_DIR: data_dir, PORT: new URL(running.url).port })
    expect(said).toEqual([])
    const next = await startServer({ COMMONS_DATA_DATA_DIR: data_dir })
    await signIn(next.url, 'admin', passwordIn(next.said) ?? '')
  })

  test('stops with one plain line when the data folder or the port is taken or cannot be, or the database is not there or not up to date', async () => {
    const data_dir = await emptyFolder()
    const running = await startServer({ COMMONS_DATA_DATA_DIR: data_dir })
    const starts: [Record<string, string>, RegExp][] = [
      [
        { COMMONS_DATA_DATA_DIR: '/proc/commons/data' },
        /the data folder \/proc\/commons\/data \(data\.data_dir\) cannot be used/,
      ],
      [
        { COMMONS_DATA_DATA_DIR: '/proc/commons', DATABASE_URL: await aPostgresqlAddress() },
        /the data folder \/proc\/commons \(data\.data_dir\) cannot be used/,
      ],
      [{ COMMONS_DATA_DATA_DIR: data_dir }, /another server is using the data folder/],
      [{ COMMONS_DATA_DATA_DIR: await emptyFolder(), PORT: new URL(running.url).port }, /EADDRINUSE.*PORT/],
      [{ COMMONS_DATA_DATA_DIR: await emptyFolder(), COMMONS_HTTP_HOST: 'no..name' }, /no\.\.name.*HOST/],
      [
        { COMMONS_DATA_DATA_DIR: await emptyFolder(), COMMONS_DATA_RUN_MIGRATION: 'false' },
        /database is empty.*commons -- migrate/,
      ],
      [
        { COMMONS_DATA_DATA_DIR: await emptyFolder(), DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:9/x' },
        /127\.0\.0\.1:9/,
      ],
    ]
    await Promise.all(
      starts.map(async ([setting, line]) => {
        const { code, errors } = await failedStart(setting)
        expect(code).toBe(1)
        expect(errors).toMatch(line)
        expect(errors).not.toContain('secret')
        expect(errors.trim().split('\n')).toHaveLength(1)
      }),
    )
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
  })
})
