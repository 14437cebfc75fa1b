import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readStartConfiguration } from './start.ts'

const started = (env: NodeJS.ProcessEnv) => {
  const { configuration, warnings } = readStartConfiguration(env)
  return { time_zone: configuration.portal.time_zone, host: configuration.http.host, warnings }
}

describe('TZ', () => {
  test.each(['Asia/Shanghai', 'UTC', 'Etc/GMT+8', 'EST5EDT', 'GMT0', 'CET'])(
    '%s is a zone, and nothing is said',
    TZ => {
      expect(started({ TZ })).toMatchObject({ time_zone: TZ, warnings: [] })
    },
  )
  test.each([
    [':Asia/Shanghai', 'Asia/Shanghai'],
    ['Asia/Shanghai\r\n', 'Asia/Shanghai'],
    ['posix/Asia/Shanghai', 'Asia/Shanghai'],
    [':right/Europe/Berlin', 'Europe/Berlin'],
    ['/usr/share/zoneinfo/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    [':/usr/share/zoneinfo/posix/Europe/Berlin', 'Europe/Berlin'],
    ['/var/db/timezone/zoneinfo/Asia/Tokyo', 'Asia/Tokyo'],
  ])('%j names the zone %s', (TZ, time_zone) => {
    const found = started({ TZ })
    expect(found.time_zone).toBe(time_zone)
    expect(found.warnings).toEqual([expect.stringContaining(time_zone)])
  })
  test.each([
    'Etc/Unknown',
    'Mars/Olympus',
    ':',
    'Factory',
    '/etc/passwd',
    '../../../etc',
    'UTC+8',
    'CST-8',
    '<+03>-3',
    'IST-5:30',
    'EST5EDT,M3.2.0,M11.1.0',
    'UTC+99',
    'CST-',
    '8',
    '中国',
    '\u0000',
    'x'.repeat(5_000),
  ])('that names nothing is UTC: %j', TZ => {
    expect(started({ TZ })).toEqual({
      time_zone: 'UTC',
      host: '127.0.0.1',
      warnings: [expect.stringContaining('names no time zone')],
    })
  })
  test('that names nothing leaves the zone of the file in force', () => {
    const { file } = aFolder({ 'config.yaml': 'portal: { time_zone: Asia/Tokyo }' })
    expect(started({ TZ: 'Etc/Unknown', COMMONS_CONFIG: file('config.yaml') }).time_zone).toBe('Asia/Tokyo')
  })
  test('that is a link is the zone it leads to, whether that is there or not', () => {
    const { file } = aFolder({ 'zoneinfo/Asia/Manila': '' })
    symlinkSync('zoneinfo/Asia/Manila', file('there'))
    symlinkSync('zoneinfo/Asia/Kolkata', file('notThere'))
    expect(started({ TZ: `:${file('there')}` }).time_zone).toBe('Asia/Manila')
    expect(started({ TZ: file('notThere') }).time_zone).toBe('Asia/Kolkata')
  })
})

describe('HOST', () => {
  const own = Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .map(({ address }) => address)

  test.each(['0.0.0.0', '::', 'localhost', '127.0.0.1', '127.0.0.2', '::1', ...own])('%s is listened on', host => {
    expect(started({ HOST: host })).toMatchObject({ host, warnings: [] })
  })
  test.each([
    'myhostname',
    'no..name',
    'my-laptop.local',
    '192.0.2.7',
    '2001:db8::7',
    '127.1',
    '[::1]',
    'http://localhost',
    '中国',
  ])('%s is no address of this machine: the default counts, and that is said', HOST => {
    expect(started({ HOST })).toMatchObject({
      host: '127.0.0.1',
      warnings: [expect.stringContaining(`HOST is "${HOST}"`)],
    })
  })
  test('under our own name is taken as it is', () => {
    expect(started({ COMMONS_HTTP_HOST: 'my-laptop', HOST: 'other' })).toMatchObject({
      host: 'my-laptop',
      warnings: [],
    })
  })
})

function aFolder(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = (name: string) => join(folder, name)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(file(name), '..'), { recursive: true })
    writeFileSync(file(name), text)
  }
  return { file }
}
