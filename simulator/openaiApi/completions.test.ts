import { describe, expect, test } from 'vitest'
import { aSimulator, answerOf, ask, eventsIn, post, textIn } from '../client.testing.ts'

describe('a streamed answer', () => {
  test('opens with the role, grows by content, closes with the reason and [DONE]', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer('Good day to you.')
    const response = await ask(simulator, 'hello')
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = eventsIn(await response.text())
    expect(events[0]).toMatchObject({
      object: 'chat.completion.chunk',
      model: 'gpt-4',
      choices: [{ delta: { role: 'assistant' } }],
    })
    expect(events.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] })
    expect(events.at(-1)).toBe('[DONE]')
    expect(events).toHaveLength(8)
  })
  test('carries usage only when asked for it', async () => {
    await using simulator = await aSimulator()
    expect(await (await ask(simulator, 'hi')).text()).not.toContain('usage')
    const events = eventsIn(
      await (await ask(simulator, '/simulate tokens=40\nhi', { stream_options: { include_usage: true } })).text(),
    )
    expect(events[0]).toMatchObject({ usage: null })
    expect(events.at(-2)).toMatchObject({ choices: [], usage: { completion_tokens: 40 } })
  })
  test('ends before a stop word', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer('one two three four')
    expect(await answerOf(simulator, 'count', { stop: ['three', 'nine'] })).toBe('one two ')
  })
  test('ends at max_tokens for the reason "length"', async () => {
    await using simulator = await aSimulator()
    const events = eventsIn(await (await ask(simulator, 'plan', { max_tokens: 3 })).text())
    expect(events.at(-2)).toMatchObject({ choices: [{ finish_reason: 'length' }] })
    expect(events).toHaveLength(6)
  })
})

describe('a whole answer', () => {
  test('is one document with the usage', async () => {
    await using simulator = await aSimulator()
    simulator.nextAnswer('All at once.')
    const response = await ask(simulator, 'hello', { stream: false })
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'All at once.' }, finish_reason: 'stop' }],
      usage: { completion_tokens: 4 },
    })
    expect(simulator.journal[0]).toMatchObject({ sent: 'All at once.', ended: 'complete' })
  })
})

describe('a bad request', () => {
  const refusals: [string, unknown, number, string][] = [
    ['without messages', { model: 'gpt-4', messages: [] }, 400, 'empty_array'],
    [
      'for a missing model',
      { model: 'missing-1', messages: [{ role: 'user', content: 'hi' }] },
      404,
      'model_not_found',
    ],
    ['with an unknown role', { model: 'gpt-4', messages: [{ role: 'king', content: 'hi' }] }, 400, 'invalid_value'],
    [
      'with content of the wrong kind',
      { model: 'gpt-4', messages: [{ role: 'user', content: 7 }] },
      400,
      'invalid_value',
    ],
    ['without a list of messages', { model: 'gpt-4' }, 400, 'missing_required_parameter'],
  ]
  for (const [what, body, status, code] of refusals) {
    test(`${what} is refused as ${status} ${code}`, async () => {
      await using simulator = await aSimulator()
      const response = await post(simulator, body)
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', code } })
      expect(simulator.journal[0]).toMatchObject({ ended: 'fault', sent: '' })
    })
  }
  test('that is no JSON is refused as 400', async () => {
    await using simulator = await aSimulator()
    expect((await fetch(`${simulator.url}chat/completions`, { method: 'POST', body: '{' })).status).toBe(400)
  })
})

describe('a question that follows one without an answer', () => {
  test('is steered by its own line', async () => {
    await using simulator = await aSimulator()
    expect(await answerOf(simulator, '/simulate fault=500\nfirst\n\n/simulate echo\nsecond')).toBe('first\n\n\nsecond')
  })
})

describe('a title', () => {
  const messages = [
    { role: 'user', content: 'How do I **compare** two tables in SQL?' },
    { role: 'assistant', content: 'Like this.' },
    { role: 'user', content: 'Write a title of at most 6 words for this conversation.' },
  ]
  test('is one short plain line about the first question', async () => {
    await using simulator = await aSimulator()
    expect(textIn(await (await post(simulator, { model: 'gpt-4', stream: true, messages })).text())).toBe(
      'Compare two tables in SQL',
    )
  })
  test('may be asked for together with a question that was not answered', async () => {
    await using simulator = await aSimulator()
    const content = `/simulate fault=500\n${messages[0]!.content}\n\n${messages[2]!.content}`
    expect(
      textIn(
        await (await post(simulator, { model: 'gpt-4', stream: true, messages: [{ role: 'user', content }] })).text(),
      ),
    ).toBe('Compare two tables in SQL')
  })
  test('spends no fault and no prepared answer', async () => {
    await using simulator = await aSimulator()
    simulator.nextFault({ kind: 'status', status: 500 })
    simulator.nextAnswer('for the question')
    expect((await post(simulator, { model: 'gpt-4', messages })).status).toBe(200)
    expect((await ask(simulator, 'hello')).status).toBe(500)
    expect(await answerOf(simulator, 'hello')).not.toBe('')
  })
})

describe('a tool', () => {
  test('is called in place of an answer, and what it gave is in the next one', async () => {
    await using simulator = await aSimulator()
    const asked = { role: 'user', content: '/simulate tool=read input={"path":"a"}' }
    const answered = async (messages: object[]) => {
      const { choices } = (await (await post(simulator, { model: 'gpt-4', messages })).json()) as {
        choices: { message: object }[]
      }
      return choices[0]?.message
    }
    expect(await answered([asked])).toMatchObject({
      content: null,
      tool_calls: [{ function: { name: 'read', arguments: '{"path":"a"}' } }],
    })
    expect(await answered([asked, { role: 'assistant', content: null }, { role: 'tool', content: 'lines' }])).toEqual({
      ...{ role: 'assistant', content: 'The tool gave: lines', refusal: null },
    })
  })
})

describe('content in parts', () => {
  test('counts by its text', async () => {
    await using simulator = await aSimulator()
    const content = [
      { type: 'text', text: '/simulate echo\nseen' },
      { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } },
    ]
    expect(
      textIn(
        await (await post(simulator, { model: 'gpt-4', stream: true, messages: [{ role: 'user', content }] })).text(),
      ),
    ).toBe('seen')
  })
})
