import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { CHAT_PATH, DELTA_PROTOCOL } from '#contract/asking.ts'
import { testClock } from '#testing/clock.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import { bringsText, type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const PROGRAM = fileURLToPath(new URL('commandLine.ts', import.meta.url))

/** As the page opens one while somebody writes. */
async function silentSocket(url: string, { cookie }: Person): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${CHAT_PATH}`, [DELTA_PROTOCOL], { headers: { cookie, origin: url } })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

const SIGNED_OUT = { code: 1008, reason: 'errors.loginExpired' }

/** In a process of its own, as it is called: SQLite waits for others with the whole process, and so for ever for what the same one has to finish. */
async function exitCodeOf(words: string[], { data_dir }: { data_dir: string }): Promise<unknown> {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, COMMONS_DATA_DATA_DIR: data_dir } })
  onTestFinished(() => { child.kill() })
  const [code] = await once(child, 'close')
  return code
}

describe('a session that is ended from the command line, beside the embedded database', () => {
  test.each([
    ['end-sessions', []], ['reset-password', []], ['change-user', ['{"is_active": false}']],
  ])('has nothing open five seconds later, and nothing is answered for it: %s', async (command, more) => {
    const place = { data_dir: await emptyFolder() }
    const { person, simulator, url } = await startPortal({ place })
    simulator.setPace(20)
    const lin = await person('lin')
    const chat = await lin.chat(question('/simulate tokens=5000', { new_title: 'x' }))
    await chat.until(bringsText)
    const silentClosed = once(await silentSocket(url, lin), 'close')
    expect(await exitCodeOf([command, 'lin', ...more], place)).toBe(0)
    const [code, reason] = await silentClosed
    expect({ code, reason: String(reason) }).toEqual(SIGNED_OUT)
    await chat.closed
    await simulator.waitFor(entry => entry.ended === 'aborted')
  })
})

describe('a socket that was opened before', () => {
  test('asks nothing any more when the time of its session is over', async () => {
    const clock = testClock()
    const { person, url, simulator } = await startPortal({ clock, environment: { COMMONS_AUTH_JWT_LIFETIME_SECONDS: '3600' } })
    const socket = await silentSocket(url, await person())
    clock.pass(3_600_000)
    const closed = once(socket, 'close')
    socket.send(JSON.stringify(question('too late')))
    const [code, reason] = await closed
    expect({ code, reason: String(reason) }).toEqual(SIGNED_OUT)
    expect(simulator.journal).toEqual([])
  })
  test('is closed without a word from it', async () => {
    const clock = testClock()
    const { person, url } = await startPortal({ clock, environment: { COMMONS_AUTH_JWT_LIFETIME_SECONDS: '3600' } })
    const socket = await silentSocket(url, await person())
    clock.pass(3_600_000)
    const [code, reason] = await once(socket, 'close')
    expect({ code, reason: String(reason) }).toEqual(SIGNED_OUT)
  })
})
