import { describe, expect, test } from 'vitest'
import { aSimulator } from '../../client.testing.ts'
import { answered, aWebClient, question } from '../client.testing.ts'
import { aMessage, text, textOf, type WebMessage } from '../state/conversation.ts'
import { completeFile } from '../state/account.ts'
import { CATALOGUE } from '../state/catalogue.ts'

const EMPTY = aMessage('system', text(''))

const sketch = (messages: readonly WebMessage[]) =>
  messages.slice(1).map(({ author, content, recipient }) => {
    const from = author.name ?? author.role
    return `${from}${recipient === 'all' ? '' : ` to ${recipient}`}: ${content.content_type}`
  })

async function shapeOf(model: string, words: string, more: Record<string, unknown> = {}) {
  await using simulator = await aSimulator()
  const { messages, conversation_id } = await answered(aWebClient(simulator).ask(words, { model, ...more }))
  const account = simulator.web.account()
  return { messages, account, conversation: account.conversations.get(conversation_id), shape: sketch(messages) }
}

describe('a model of the web protocol', () => {
  test('that browses searches, fails once, reads and cites', async () => {
    const { messages, shape } = await shapeOf('gpt-4-browsing', '怎么安排一个周末？')
    expect(shape).toEqual([
      'assistant to browser: code',
      'browser: tether_browsing_display',
      'assistant to browser: code',
      'browser: system_error',
      'assistant to browser: code',
      'browser: tether_quote',
      'browser: tether_quote',
      'assistant: text',
    ])
    const last = messages.at(-1)
    // as the shape makes them
    const citations = last?.metadata.citations as { start_ix: number; end_ix: number; metadata: { url: string } }[]
    const letters = [...(last ? textOf(last) : '')]
    expect(citations.map(({ start_ix, end_ix }) => letters.slice(start_ix, end_ix).join(''))).toEqual([
      '【0†source】',
      '【1†source】',
      '【0†source】',
    ])
    expect(last).toMatchObject({ end_turn: true, metadata: { model_slug: 'gpt-4-browsing', is_complete: true } })
  })
  test('that runs code draws a chart and leaves a file', async () => {
    const { messages, account, conversation, shape } = await shapeOf(
      'gpt-4-code-interpreter',
      'Sum it up\n/simulate shape=interpreter-error',
    )
    expect(shape).toEqual([
      'assistant: text',
      'assistant to python: code',
      'python: stderr',
      'python: execution_output',
      'assistant to python: code',
      'python: execution_output',
      'assistant: text',
    ])
    expect(messages[4]?.metadata).toMatchObject({
      aggregate_result: {
        status: 'failed_with_in_kernel_exception',
        in_kernel_exception: { name: 'KeyError', args: ["'amount'"] },
      },
    })
    const [file] = account.files.values()
    expect(messages[6]?.metadata).toMatchObject({
      aggregate_result: {
        status: 'success',
        messages: [
          { message_type: 'stream', stream_name: 'stdout' },
          { message_type: 'image', image_url: `file-service://${file?.id}` },
        ],
      },
    })
    expect(pngSize(file?.content())).toEqual([640, 360])
    expect(textOf(messages[7] ?? EMPTY)).toContain('(sandbox:/mnt/data/summary.csv)')
    expect(conversation?.sandbox['/mnt/data/summary.csv']).toContain('day,count\nMon,')
  })
  test('that paints makes two pictures', async () => {
    const { messages, account } = await shapeOf('gpt-4-dalle', 'A quiet valley')
    const [one, two] = account.files.values()
    expect(messages[2]?.content).toMatchObject({
      content_type: 'multimodal_text',
      parts: [one, two].map(file => ({
        asset_pointer: `file-service://${file?.id}`,
        size_bytes: file?.size,
        metadata: { dalle: { prompt: expect.stringContaining('A quiet valley') } },
      })),
    })
    expect(one?.content().length).toBe(one?.size)
    expect(pngSize(two?.content())).toEqual([512, 512])
  })
  test('with plugins calls each of them, and others refuse plugins', async () => {
    const plugin_ids = CATALOGUE.slice(0, 2).map(({ id }) => id)
    const { messages, shape, conversation } = await shapeOf('gpt-4-plugins', 'Somewhere to walk', { plugin_ids })
    expect(shape).toEqual([
      'assistant to trailmapper.search: code',
      'trailmapper.search: text',
      'assistant to pantrychef.search: code',
      'pantrychef.search: text',
      'assistant: text',
    ])
    expect(messages[2]?.metadata.invoked_plugin).toEqual({
      type: 'remote',
      namespace: 'trailmapper',
      plugin_id: plugin_ids[0],
      http_response_status: 200,
    })
    expect(conversation?.plugin_ids).toEqual(plugin_ids)
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    expect((await client.ask('x', { plugin_ids })).status).toBe(400)
    expect((await client.ask('x', { model: 'gpt-4-plugins', plugin_ids: ['a', 'b', 'c', 'd'] })).status).toBe(400)
  })
  test('that reads files quotes the first', async () => {
    await using simulator = await aSimulator()
    const letter = completeFile('letter.txt', Buffer.from('Hello'))
    simulator.web.account().addFile(letter)
    const attachments = [{ id: letter.id, name: letter.name, size: letter.size, mimeType: 'text/plain' }]
    const sent = question('What does it say?', { attachments })
    const { messages } = await answered(aWebClient(simulator).ask('', { messages: [sent] }))
    expect(sketch(messages)).toEqual([
      'assistant to myfiles_browser: code',
      'myfiles_browser: tether_browsing_display',
      'myfiles_browser: tether_quote',
      'assistant: text',
    ])
    expect(textOf(messages.at(-1) ?? EMPTY)).toContain('> Hello')
    expect(messages[0]?.metadata).toMatchObject({ attachments })
  })
})

describe('an answer that is cut off by its length', () => {
  test('says so, and goes on where it stopped', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    const whole = await answered(client.ask('How do I compare them? \n/simulate tokens=40'))
    const cut = await answered(client.ask('How do I compare them? \n/simulate tokens=40 limit=15 title=none'))
    const [, beginning] = cut.messages
    expect(cut.events.at(-2)).not.toHaveProperty('type')
    expect(beginning?.metadata.finish_details).toEqual({ type: 'max_tokens' })
    const { messages } = await answered(
      client.ask('', {
        action: 'continue',
        messages: null,
        conversation_id: cut.conversation_id,
        parent_message_id: beginning?.id,
      }),
    )
    expect(messages.map(({ author }) => author.role)).toEqual(['assistant'])
    expect([beginning, ...messages].map(message => message && textOf(message)).join('')).toBe(
      textOf(whole.messages[1] ?? EMPTY),
    )
  })
})

/** Width and height in the head of a PNG. */
const pngSize = (bytes: Uint8Array | undefined) => {
  const head = Buffer.from(bytes ?? [])
  return [head.readUInt32BE(16), head.readUInt32BE(20)]
}
