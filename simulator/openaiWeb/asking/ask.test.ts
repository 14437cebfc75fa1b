import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { aSimulator } from '../../client.testing.ts'
import { aWebClient, webEventsIn } from '../client.testing.ts'

const PROTOCOL = 'json.reliable.webpubsub.azure.v1'

type Frame = { type: string; sequenceId?: number; data?: { conversation_id: string; body: string } }

/** All frames of an answer until its end, each acknowledged, and the lines of one's own conversation. */
async function framesOf(wss_url: string, conversation_id: string) {
  const socket = new WebSocket(wss_url, PROTOCOL)
  const frames: Frame[] = []
  let lines = ''
  const done = new Promise<void>(resolve => {
    socket.on('close', () => resolve())
    socket.on('message', (bytes: Buffer) => {
      const frame: Frame = JSON.parse(bytes.toString('utf8'))
      frames.push(frame)
      if (frame.data?.conversation_id === conversation_id)
        lines += Buffer.from(frame.data.body, 'base64').toString('utf8')
      if (frame.sequenceId !== undefined)
        socket.send(JSON.stringify({ type: 'sequenceAck', sequenceId: frame.sequenceId }))
      if (lines.endsWith('[DONE]\n\n')) resolve()
    })
  })
  await done
  return { socket, frames, events: webEventsIn(lines) }
}

describe('an answer over a WebSocket', () => {
  test('comes in numbered frames between those of others, which the client acknowledges', async () => {
    await using simulator = await aSimulator()
    const client = aWebClient(simulator)
    simulator.web.transport = 'websocket'
    simulator.nextAnswer('one two three four five six')
    const { conversation_id, wss_url } = await (await client.ask('Count')).json()
    const { socket, frames, events } = await framesOf(wss_url, conversation_id)
    expect(events.at(-1)).toBe('[DONE]')
    expect(events).toHaveLength(1 + 6 + 1 + 1 + 1)
    expect(frames.map(({ sequenceId }) => sequenceId)).toEqual([
      undefined,
      ...Array.from({ length: 12 }, (_, at) => at + 1),
    ])
    expect(frames.filter(({ data }) => data && data.conversation_id !== conversation_id)).toHaveLength(2)
    const entry = await simulator.waitFor(({ web }) => web?.acknowledged.includes(12) ?? false)
    expect(entry).toMatchObject({
      ended: 'complete',
      sent: 'one two three four five six',
      web: { transport: 'websocket' },
    })
    socket.close()
  })
  test('loses frames on request', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer('one two three')
    const asked = await aWebClient(simulator).ask('x\n/simulate transport=websocket fault=lost_frames every=2')
    const { conversation_id, wss_url } = await asked.json()
    const { socket, frames } = await framesOf(wss_url, conversation_id)
    expect(frames.slice(1).map(({ sequenceId }) => sequenceId)).toEqual([1, 3, 5, 7, 8])
    socket.close()
  })
  test('is stopped by a client that leaves, and wants its protocol and an address that was given', async () => {
    await using simulator = await aSimulator({ tokens_per_second: 20 })
    const { wss_url } = await (await aWebClient(simulator).ask('x\n/simulate transport=websocket tokens=5000')).json()
    const refused = async (url: string, protocol?: string) => {
      const [, response] = await once(
        new WebSocket(url, protocol).on('error', () => {}),
        'unexpected-response',
      )
      return response.statusCode
    }
    expect([await refused(wss_url), await refused(`${wss_url}x`, PROTOCOL)]).toEqual([400, 404])
    const socket = new WebSocket(wss_url, PROTOCOL)
    await simulator.waitFor(({ sent }) => sent !== '')
    socket.close()
    await simulator.waitFor(({ ended }) => ended === 'aborted')
    const [conversation] = simulator.web.account().listed()
    const last = conversation?.mapping[conversation.current_node]?.message
    expect(last?.status).toBe('finished_partial_completion')
  })
})
