import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '#server/foundation/ids.ts'
import { testClock } from '#testing/clock.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import { bringsText, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const PROGRAM = fileURLToPath(new URL('commandLine.ts', import.meta.url))

const SIGNED_OUT = { code: 1008, reason: 'errors.loginExpired' }

/**
 * In a process of its own, as it is called: SQLite waits for others with the whole process, and so for ever for what
 * the same one has to finish.
 */
async function exitCodeOf(words: string[], { data_dir }: { data_dir: string }): Promise<unknown> {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, COMMONS_DATA_DATA_DIR: data_dir },
  })
  onTestFinished(() => {
    child.kill()
  })
  const [code] = await once(child, 'close')
  return code
}

describe('a session that is ended from the command line, beside the embedded database', () => {
  test.each([
    ['call endUserSessions', (id: number) => ['call', 'endUserSessions', `{"params": {"id": ${id}}}`]],
    ['reset-password', () => ['reset-password', 'lin']],
    [
      'call updateUser',
      (id: number) => ['call', 'updateUser', `{"params": {"id": ${id}}, "body": {"is_active": false}}`],
    ],
  ])('has nothing open five seconds later, and nothing is answered for it: %s', async (_command, wordsFor) => {
    const storage = { data_dir: await emptyFolder() }
    const { person, simulator } = await startPortal({ storage })
    simulator.setPace(20)
    const lin = await person('lin')
    const chat = await lin.chat(question('/simulate tokens=5000', { new_title: 'x' }))
    await chat.until(bringsText)
    const silent = await lin.silent()
    expect(await exitCodeOf(wordsFor(lin.id), storage)).toBe(0)
    expect(await silent.closed).toEqual(SIGNED_OUT)
    await chat.closed
    await simulator.waitFor(entry => entry.ended === 'aborted')
  })
})

describe('a socket that was opened before', () => {
  const portal = async () => {
    const clock = testClock()
    const started = await startPortal({ clock, environment: { COMMONS_AUTH_JWT_LIFETIME_SECONDS: '3600' } })
    return { ...started, lin: await started.person(), endSession: () => clock.pass(3_600_000) }
  }
  test('asks nothing any more when the time of its session is over', async () => {
    const { lin, endSession, simulator } = await portal()
    const silent = await lin.silent()
    endSession()
    silent.send(question('too late'))
    expect(await silent.closed).toEqual(SIGNED_OUT)
    expect(simulator.journal).toEqual([])
  })
  test('follows nothing any more either, not even what was asked before', async () => {
    const { lin, endSession, simulator } = await portal()
    simulator.setPace(20)
    const asked = question('/simulate tokens=5000', { new_title: 'x', ask_id: newId() })
    const [again, resumed] = [await lin.silent(), await lin.silent()]
    await (await lin.chat(asked)).until(bringsText)
    endSession()
    again.send(asked)
    resumed.send({ resume: asked.ask_id, after: 0 })
    for (const { closed, frames } of [again, resumed]) {
      expect(await closed).toEqual(SIGNED_OUT)
      expect(frames).toEqual([expect.objectContaining({ type: 'error', tip: 'errors.loginExpired' })])
    }
  })
  test('is closed without a word from it', async () => {
    const { lin, endSession } = await portal()
    const silent = await lin.silent()
    endSession()
    expect(await silent.closed).toEqual(SIGNED_OUT)
  })
})
