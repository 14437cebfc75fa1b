import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { aFolder, aTerminal } from '#testing/terminal.ts'
import { runCommand } from './commandLine.ts'

const PROGRAM = fileURLToPath(new URL('commandLine.ts', import.meta.url))

const slots = (end: string) =>
  `{"openai_api": {"daily_available_time_slots": [{"start_time": "09:00", "end_time": ${end}}]}}`

/** The exit code, and what was said. */
async function called(words: string[], ...given: Parameters<typeof aTerminal>) {
  const { terminal, said, complaints } = await aTerminal(...given)
  return { code: await runCommand(words, terminal), said, complaints }
}

describe('the command line', () => {
  test('names its commands, in the help and when there is none of that name', async () => {
    const commands = [
      'create-user',
      'create-admin',
      'set-limits',
      'reset-password',
      'export-user',
      'erase-user',
      'call',
      'migrate',
      'backup',
      'restore',
      'doctor',
    ]
    for (const words of [[], ['help'], ['--help']]) {
      const { code, said } = await called(words)
      expect(code).toBe(0)
      for (const command of commands) expect(said.join('\n')).toContain(`  ${command}`)
    }
    const { code, complaints } = await called(['reset-passwords'])
    expect([code, complaints]).toEqual([
      2,
      ['There is no command reset-passwords. "npm run commons" lists all of them.'],
    ])
  })
  test('says what one command does, and carries nothing out', async () => {
    for (const words of [
      ['erase-user', '--help'],
      ['erase-user', 'root', '-h'],
      ['help', 'erase-user'],
    ])
      expect(await called(words)).toEqual({
        code: 0,
        said: ['npm run commons -- erase-user <user name> [--yes]', expect.stringMatching(/^Removes everything/)],
        complaints: [],
      })
    expect((await called(['help', 'erase-users'])).code).toBe(2)
  })
  test('says how a command is called when it was called otherwise', async () => {
    for (const words of [
      ['reset-password'],
      ['reset-password', 'a', 'b'],
      ['reset-password', ''],
      ['call'],
      ['call', 'listUsers', '--all'],
      ['call', 'listUsers', '{}', '3'],
      ['restore', '--force'],
    ]) {
      const { code, complaints } = await called(words)
      expect(code).toBe(2)
      expect(complaints).toEqual([expect.stringMatching(new RegExp(`^Usage: npm run commons -- ${words[0]}`))])
    }
  })
  test('names a wrong setting in one line', async () => {
    const { code, complaints } = await called(['call', 'listUsers'], null, { env: { PORT: 'eighty' } })
    expect(code).toBe(1)
    expect(complaints).toEqual([expect.stringContaining('PORT')])
  })
  test('makes no database by looking at one', async () => {
    for (const words of [
      ['call', 'listUsers'],
      ['reset-password', 'root'],
      ['set-limits', 'root', '{}'],
    ]) {
      const { code, complaints } = await called(words)
      expect([code, complaints]).toEqual([1, [expect.stringMatching(/^There is no database at .*commons\.sqlite\./)]])
    }
  })
  test('runs as a program of its own', async () => {
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [PROGRAM, ...words], {
        encoding: 'utf8',
        input: 'a-good-password\nand a second line\n',
        env: { ...process.env, COMMONS_DATA_DATA_DIR: data_dir },
      })
    const data_dir = await aFolder()
    expect(run('create-admin', 'root', '--password-stdin')).toMatchObject({
      status: 0,
      stdout: 'root is an administrator.\n',
      stderr: '',
    })
    expect(run('create-admin', 'root')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'Somebody has that name already.\n',
    })
    expect(run('nothing')).toMatchObject({ status: 2, stdout: '' })
  })
  test('ends well when nobody reads on', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    const complaints = child.stderr.toArray()
    expect(await once(child, 'close')).toEqual([0, null])
    expect(String(await complaints)).toBe('')
  })
})

describe('accounts on the command line', () => {
  eachStorage((_, storage) => {
    test('are made and given new passwords', async () => {
      const where = await storage()
      const made = await called(['create-admin', 'root'], where)
      expect(made).toMatchObject({
        code: 0,
        said: ['root is an administrator.', expect.stringMatching(/^Password: \w{20}$/)],
        complaints: [],
      })
      const reset = await called(['reset-password', 'ROOT'], where)
      expect(reset.said[0]).toMatch(/^The new password of ROOT: \w{20}$/)
      const given = await called(['reset-password', 'root', '--password-stdin'], where, { input: 'a-good-password' })
      expect(given.said).toEqual(['root has the new password.', 'Their sessions are ended.'])
    })
    test('are made for people, and bounded', async () => {
      const where = await storage()
      const jsonOf = async (...words: string[]) => JSON.parse((await called(words, where)).said.join('\n'))
      await called(['create-admin', 'root'], where)
      expect(
        await called(['create-user', 'lin', '--nickname', '林', '--password-stdin'], where, {
          input: 'a-good-password',
        }),
      ).toEqual({ code: 0, said: ['lin has an account.'], complaints: [] })
      expect((await called(['create-user', 'mei'], where)).said).toEqual([
        'mei has an account.',
        expect.stringMatching(/^Password: \w{20}$/),
      ])
      expect(
        await jsonOf(
          'set-limits',
          'lin',
          '{"openai_api": {"total_ask_count": 3, "rate_limits": [{"window_seconds": 60, "max_requests": 2}]}}',
        ),
      ).toMatchObject({ openai_api: { total_ask_count: 3, rate_limits: [{ window_seconds: 60, max_requests: 2 }] } })
    })
    test('are bounded by times as people write them', async () => {
      const where = await storage()
      const limits = async (changes: unknown, env: NodeJS.ProcessEnv = {}) =>
        JSON.parse(
          (await called(['set-limits', 'root', JSON.stringify({ openai_api: changes })], where, { env })).said.join(
            '\n',
          ),
        ).openai_api
      await called(['create-admin', 'root'], where)
      const slots = [
        { start_time: '9:00', end_time: '12:30' },
        { start_time: '22:00', end_time: '24:00' },
        { start_time: '24:00', end_time: '06:00:30' },
      ]
      expect(await limits({ daily_available_time_slots: slots })).toMatchObject({
        daily_available_time_slots: [
          { start_time: '09:00:00', end_time: '12:30:00' },
          { start_time: '22:00:00', end_time: '23:59:59' },
          { start_time: '00:00:00', end_time: '06:00:30' },
        ],
      })
      for (const [given, time_zone, expected] of [
        ['2026-12-31', 'UTC', '2026-12-31T23:59:59Z'],
        ['2026-12-31', 'Asia/Shanghai', '2026-12-31T15:59:59Z'],
        // The day on which the clocks go forward.
        ['2027-03-28', 'Europe/Berlin', '2027-03-28T21:59:59Z'],
        ['2027-03-28T01:30', 'Europe/Berlin', '2027-03-28T00:30:00Z'],
        ['2026-12-31 18:00', 'America/New_York', '2026-12-31T23:00:00Z'],
        ['2026-12-31T18:00:00+08:00', 'Europe/Berlin', '2026-12-31T10:00:00Z'],
      ] as const) {
        const { valid_until } = await limits({ valid_until: given }, { COMMONS_PORTAL_TIME_ZONE: time_zone })
        expect(Date.parse(valid_until), `${given} in ${time_zone}`).toBe(Date.parse(expected))
      }
      expect(await limits({ valid_until: null })).toMatchObject({ valid_until: null })
    })
    test('with changes that are none are left as they are', async () => {
      const where = await storage()
      await called(['create-admin', 'root'], where)
      for (const [words, line] of [
        [
          ['set-limits', 'root', '{"openai_api": {"total_ask_count": "3"}}'],
          /^openai_api\.total_ask_count: is a whole number, or -1 for no limit$/,
        ],
        [
          ['set-limits', 'root', 'three'],
          /^The changes are not JSON, such as \{"openai_api": \{"total_ask_count": 100, /,
        ],
        [
          ['set-limits', 'root', '{"openai_api": {"total_ask_counts": 5}}'],
          /^openai_api\.total_ask_counts: there is no such field$/,
        ],
        [
          ['set-limits', 'root', '{"openai_apis": {}, "x": 1}'],
          /^openai_apis: there is no such field\nx: there is no such field$/,
        ],
        [['set-limits', 'root', '5'], /^The changes are fields with their values in JSON, such as \{"openai_api": /],
        [['set-limits', 'root', '{"openai_api": 5}'], /^openai_api: is made of the limits that change, /],
        [
          ['set-limits', 'root', slots('"25:00"')],
          /^openai_api\.daily_available_time_slots\.0\.end_time: is a time of day such as "18:30", or "24:00" /,
        ],
        [['set-limits', 'root', slots('22')], /\.0\.end_time: is a time of day such as "18:30"/],
        [
          ['set-limits', 'root', '{"openai_api": {"daily_available_time_slots": "all day"}}'],
          /^openai_api\.daily_available_time_slots: is a list of at most 48, /,
        ],
        [
          ['set-limits', 'root', '{"openai_web": {"valid_until": "31.12.2026"}}'],
          /^openai_web\.valid_until: is a date such as "2026-12-31", a time /,
        ],
        [
          ['set-limits', 'root', '{"openai_web": {"valid_until": "2026-02-30"}}'],
          /^openai_web\.valid_until: is a date /,
        ],
        [
          ['set-limits', 'root', '{"openai_api": {"per_model_ask_count": {"gpt_4": "many"}}}'],
          /^openai_api\.per_model_ask_count\.gpt_4: is made of a count for each model/,
        ],
        [
          ['set-limits', 'root', '{"openai_api": {"rate_limits": [{"window_seconds": 0, "max_requests": 1}]}}'],
          /\.window_seconds: is a whole number of seconds, from 1 to/,
        ],
        [['create-user', 'ann', '--email', 'nowhere'], /^That is no e-mail address\.$/],
        [['create-user', 'ann', '--nickname', 'a\nb'], /^A nickname has up to 64 characters, and no line breaks\.$/],
      ] as const) {
        expect(await called([...words], where)).toEqual({
          code: 1,
          said: [],
          complaints: [expect.stringMatching(line)],
        })
      }
    })
    test('that are not there, or are there already, are told of in one line', async () => {
      const where = await storage()
      await called(['create-admin', 'root'], where)
      for (const [words, line] of [
        [['create-admin', 'Root'], 'Somebody has that name already.'],
        [
          ['create-admin', 'not a name'],
          'A user name has up to 32 letters, digits and _ . @ -, and begins with a letter or digit.',
        ],
        [['reset-password', 'nobody'], 'There is nobody of that name.'],
        [
          ['reset-password', 'root', '--password-stdin'],
          'A password has 7 to 128 letters, digits or symbols, and no spaces.',
        ],
      ] as const) {
        expect(await called([...words], where, { input: 'short' })).toEqual({ code: 1, said: [], complaints: [line] })
      }
    })
  })
})

describe('migrating', () => {
  eachStorage((_, storage) => {
    test('brings an empty database up to date, and leaves one that is', async () => {
      const where = await storage('empty')
      expect(await called(['migrate'], where)).toMatchObject({
        code: 0,
        said: [expect.stringMatching(/^The database went from schema 0 to schema \d+\.$/)],
      })
      expect(await called(['migrate'], where)).toMatchObject({
        code: 0,
        said: [expect.stringMatching(/^The database is up to date: schema \d+\.$/)],
      })
    })
    test('comes before everything else', async () => {
      const where = await storage('empty')
      await called(['doctor'], where)
      const { code, complaints } = await called(['reset-password', 'root'], where)
      expect([code, complaints]).toEqual([
        1,
        [expect.stringMatching(/^(?:The database is empty|There is no database)/)],
      ])
    })
  })
})
