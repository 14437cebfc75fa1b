import { describe, expect, test } from 'vitest'
import { aSimulator } from '../client.testing.ts'
import { answered, aWebClient } from './client.testing.ts'
import { now } from './conversation.ts'

describe('the code interpreter of the web protocol', () => {
  test('says how long it stays, gives its files, and says when they are gone', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const { conversation_id, messages } = await answered(client.ask('算一下', { model: 'gpt-4-code-interpreter' }))
    const info = async () => (await client.read('GET', `conversation/${conversation_id}/interpreter`)).body
    const download = async (path: string) => {
      const query = new URLSearchParams({ message_id: messages.at(-1)?.id ?? '', sandbox_path: path })
      return (await client.read('GET', `conversation/${conversation_id}/interpreter/download?${query}`)).body
    }
    expect((await info()).kernel_started).toBe(true)
    const { download_url } = await download('/mnt/data/汇总.csv')
    expect(await (await fetch(download_url)).text()).toMatch(/^日期,数量\n周一,\d+\n/)
    expect(await download('/mnt/data/other.csv')).toMatchObject({ status: 'error', error_code: 'file_not_found' })
    const conversation = simulator.web.account().conversations.get(conversation_id)
    if (conversation) conversation.interpreter_used = now() - 10_000
    expect(await info()).toEqual({ kernel_started: false, time_remaining_ms: 0 })
    expect((await download('/mnt/data/汇总.csv')).error_code).toBe('ace_pod_expired')
  })
})
