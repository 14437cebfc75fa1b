import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startPortal } from '#testing/portal.ts'
import { temporaryFolder } from '#testing/temporaryFolder.ts'
import { until } from '#testing/until.ts'
import { STATUS_LINES } from './statusLines.ts'

const [claudeCode, prompt] = STATUS_LINES
const LIMIT = { source: 'openai_api', unit: 'asks', window: { kind: 'day' }, models: null, amount: 4 }
const LINE = '4 of 4 asks left today'

/** A portal, a key with a limit, and a shell whose home is empty. */
async function aShell() {
  const { url, admin, person } = await startPortal()
  await admin.result('PATCH', '/plan/1', { max_keys: 1 })
  const lin = await person('lin')
  const { key, id } = await lin.result<{ key: string; id: number }>('POST', '/user/me/keys', {
    ...{ name: 'Laptop', limits: [LIMIT] },
  })
  const home = mkdtempSync(join(temporaryFolder(), 'commons-home-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const run = async (shell: string, script: string) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: home }
    return (await promisify(execFile)(shell, ['-c', script], { env })).stdout.trim()
  }
  return { values: { address: url, key }, home, run, revoke: () => lin.result('DELETE', `/user/me/keys/${id}`) }
}

describe('a status line', () => {
  test('of Claude Code is written to a file of one’s own, and prints what is left', async () => {
    const { values, home, run, revoke } = await aShell()
    await run('sh', claudeCode.snippet(values))
    const script = join(home, '.claude/commons-left.sh')
    const print = () => run('sh', `echo '{"model":{}}' | ${script}`)
    expect(statSync(script).mode & 0o077).toBe(0)
    expect(await print()).toBe(LINE)
    // What was answered last stays when nothing is answered.
    await revoke()
    utimesSync(join(home, '.claude/commons-left'), 0, 0)
    expect(await print()).toBe(LINE)
  })
  test('of a prompt prints what is known, and asks beside it', async () => {
    const { values, home, run } = await aShell()
    const shown = (address: string) =>
      run('bash', `PS1='$ '; ${prompt.snippet({ ...values, address })}\nprintf '%s' "\${PS1@P}"`)
    const silent = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo // a listening TCP server has a port
    expect(await shown(`http://127.0.0.1:${port}`)).toBe('[] $')
    const left = join(home, '.commons-left')
    rmSync(left)
    await shown(values.address)
    await until(() => expect(readFileSync(left, 'utf8').trim()).toBe(LINE))
    expect(await shown(values.address)).toBe(`[${LINE}] $`)
    expect(statSync(left).mode & 0o077).toBe(0)
  })
})
