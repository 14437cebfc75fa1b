import { describe, expect, test } from 'vitest'
import { aSimulator, answerOf, ask, textIn } from './client.testing.ts'

describe('the simulator', () => {
  test('says that it is well, and lists its models', async () => {
    await using simulator = await aSimulator()
    expect(simulator.url).toBe(`http://127.0.0.1:${simulator.port}/v1/`)
    expect(await (await fetch(new URL('/health', simulator.url))).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${simulator.url}models`)).json()).toMatchObject({
      object: 'list',
      data: [{ id: 'gpt-3.5-turbo' }, { id: 'gpt-4' }, {}, {}, {}],
    })
  })
  test('answers an unknown address in the error shape', async () => {
    await using simulator = await aSimulator()
    const response = await fetch(`${simulator.url}audio/speech`, { method: 'POST', body: '{}' })
    expect([response.status, await response.json()]).toMatchObject([404, { error: { type: 'invalid_request_error' } }])
  })
  test('refuses other keys than its own', async () => {
    await using simulator = await aSimulator({ key: 'right' })
    const answers = await Promise.all(
      ['Bearer wrong', 'Bearer right'].map(authorization => ask(simulator, 'hi', {}, { headers: { authorization } })),
    )
    expect(answers.map(answer => answer.status)).toEqual([401, 200])
    expect((await fetch(`${simulator.url}models`)).status).toBe(401)
  })
  test('gives the same answer to the same question', async () => {
    await using one = await aSimulator()
    await using other = await aSimulator()
    const question = 'How do I compare two functions?\n/simulate tokens=500 seed=7'
    expect(await answerOf(one, question)).toBe(await answerOf(other, question))
    expect(await answerOf(one, question.replace('seed=7', 'seed=8'))).not.toBe(await answerOf(one, question))
  })
  test('breaks open streams off when it closes', async () => {
    const simulator = await aSimulator({ tokens_per_second: 1 })
    const response = await ask(simulator, 'a long story')
    await simulator.close()
    await expect(response.text()).rejects.toThrow()
    expect(simulator.journal[0]?.ended).toBe('aborted')
  })
})

describe('the pace', () => {
  test('0 waits for a slow reader, and loses nothing', async () => {
    await using simulator = await aSimulator()
    const response = await ask(simulator, '/simulate tokens=60000\nlong')
    const reader = response.body?.getReader()
    if (!reader) throw new Error('a stream has a body')
    const decoder = new TextDecoder()
    let stream = decoder.decode((await reader.read()).value, { stream: true })
    // Another answer is sent in between, so that the first one has had time to outrun its reader.
    await answerOf(simulator, '/simulate tokens=5000\nother')
    expect(simulator.journal[0]?.ended).toBe('open')
    for (let part = await reader.read(); !part.done; part = await reader.read())
      stream += decoder.decode(part.value, { stream: true })
    expect(textIn(stream)).toBe(simulator.journal[0]?.sent)
    expect(simulator.journal[0]?.ended).toBe('complete')
  })
  test('may change while answers run', async () => {
    await using simulator = await aSimulator({ tokens_per_second: 0.001 })
    const response = await ask(simulator, '/simulate tokens=3000\nlong')
    await simulator.waitFor(entry => entry.sent !== '')
    simulator.setPace(0)
    expect(textIn(await response.text())).toBe(simulator.journal[0]?.sent)
  })
  test('of one question is its own', async () => {
    await using simulator = await aSimulator({ tokens_per_second: 0.001 })
    expect(await answerOf(simulator, '/simulate pace=0 tokens=50\nquick')).not.toBe('')
  })
})

describe('the journal', () => {
  test('holds what was asked, with which key, and what was sent', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer('heard')
    await (await ask(simulator, 'hello', {}, { headers: { authorization: 'Bearer k' } })).text()
    expect(simulator.journal).toMatchObject([
      {
        id: 1,
        path: '/v1/chat/completions',
        authorization: 'Bearer k',
        body: { messages: [{ content: 'hello' }] },
        sent: 'heard',
        ended: 'complete',
      },
    ])
  })
  test('notes a client that leaves, at once', async () => {
    await using simulator = await aSimulator({ tokens_per_second: 50 })
    const client = new AbortController()
    await ask(simulator, '/simulate tokens=5000\nlong', {}, { signal: client.signal })
    client.abort()
    const entry = await simulator.waitFor(seen => seen.ended === 'aborted')
    expect(entry.abortedAt).toBeGreaterThanOrEqual(entry.time)
  })
  test('keeps the latest thousand', async () => {
    await using simulator = await aSimulator()
    for (let asked = 0; asked < 1_010; asked += 1) await (await fetch(`${simulator.url}models`)).text()
    expect(simulator.journal).toHaveLength(1_000)
    expect(simulator.journal.at(-1)?.id).toBe(1_010)
  })
})

describe('the controls', () => {
  test('set faults, answers and pace, and show the journal, for other processes', async () => {
    await using simulator = await aSimulator({ tokens_per_second: 0.001 })
    const control = (path: string, body: unknown) =>
      fetch(new URL(`/simulator/${path}`, simulator.url), { method: 'POST', body: JSON.stringify(body) })
    await control('pace', { tokens_per_second: 0 })
    await control('answers', { text: 'as set' })
    await control('faults', { kind: 'status', status: 403, times: 2 })
    expect([(await ask(simulator, 'hi')).status, (await ask(simulator, 'hi')).status]).toEqual([403, 403])
    const sent = await answerOf(simulator, 'hi')
    const journal = await (await fetch(new URL('/simulator/journal?after=2', simulator.url))).json()
    expect(journal).toMatchObject([{ id: 3, sent, ended: 'complete' }])
  })
  test('set faults and state of the web protocol', async () => {
    await using simulator = await aSimulator()
    const control = (path: string, body: unknown) =>
      fetch(new URL(`/simulator/${path}`, simulator.url), { method: 'POST', body: JSON.stringify(body) })
    await control('web', { token: 't', conversations: 70, transport: 'websocket' })
    await control('faults', { call: 'list', kind: 'truncated', keep: 50, times: 'always' })
    const list = () => fetch(`${simulator.webUrl}conversations?limit=80`, { headers: { authorization: 'Bearer t' } })
    expect([simulator.web.transport, (await (await list()).json()).items.length]).toEqual(['websocket', 50])
    await control('web', { token: 't', fail: 401 })
    expect((await list()).status).toBe(401)
    await control('web', { token: 't', fail: null, clear_faults: true })
    expect((await (await list()).json()).items).toHaveLength(70)
  })
  test('refuse what they do not know', async () => {
    await using simulator = await aSimulator()
    for (const [path, body] of [
      ['faults', { kind: 'flood' }],
      ['pace', { tokens_per_second: -1 }],
      ['answers', {}],
      ['nothing', {}],
      ['faults', { call: 'lists', kind: 'empty' }],
      ['web', { transport: 'pigeon' }],
      ['faults', 7],
    ] as const) {
      const response = await fetch(new URL(`/simulator/${path}`, simulator.url), {
        method: 'POST',
        body: JSON.stringify(body),
      })
      expect(response.status).toBe(400)
    }
  })
  test('are closed to pages in a browser, and can be switched off', async () => {
    await using open = await aSimulator()
    await using closed = await aSimulator({ control: false })
    const page = { headers: { origin: 'http://example.org' } }
    expect((await fetch(new URL('/simulator/journal', open.url), page)).status).toBe(403)
    expect((await fetch(new URL('/simulator/journal', closed.url))).status).toBe(404)
  })
})
