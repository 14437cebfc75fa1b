import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSimulator } from '../../simulator.ts'
import { answered, aWebClient } from '../client.testing.ts'

describe('a state file', () => {
  test('brings conversations, files and plugins over a restart, and a broken one nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'simulator-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const options = { tokens_per_second: 0, state_file: join(folder, 'web.json') }
    const first = await startSimulator(options)
    const client = aWebClient(first)
    const { conversation_id, messages } = await answered(client.ask('A valley', { model: 'gpt-4-dalle' }))
    const hidden = await answered(client.ask('to be hidden'))
    await client.send('PATCH', `conversation/${hidden.conversation_id}`, { is_visible: false })
    first.web.account().installed.clear()
    const [picture] = first.web.account().files.values()
    const bytes = picture?.content()
    await first.close()

    const second = await startSimulator(options)
    const account = second.web.account()
    expect(account.conversations.get(conversation_id)?.current_node).toBe(messages.at(-1)?.id)
    expect([account.conversations.size, account.files.size, account.installed.size]).toEqual([1, 2, 0])
    expect(Buffer.from(account.files.get(picture?.id ?? '')?.content() ?? []).equals(Buffer.from(bytes ?? []))).toBe(
      true,
    )
    await second.close()

    expect(await readFile(options.state_file, 'utf8')).not.toContain('to be hidden')
    await writeFile(options.state_file, '[{"token": "x"')
    const third = await startSimulator(options)
    expect(third.web.accounts()).toEqual([])
    await third.close()
  })
})
