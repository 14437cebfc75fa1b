import { describe, expect, test } from 'vitest'
import { aSimulator, ask, eventsIn, textIn } from '../client.testing.ts'
import { ERROR_SHAPES, type Fault, THOUGHT_SHAPES } from '../foundation/faults.ts'

const TEN_WORDS = 'a b c d e f g h i j'

/** The body sent for a fault, and its journal entry. */
async function sent(fault: Fault) {
  await using simulator = await aSimulator()
  simulator.nextAnswer(TEN_WORDS)
  simulator.nextFault(fault)
  const response = await ask(simulator, 'hi')
  return { headers: response.headers, body: await response.text(), entry: simulator.journal[0] }
}

describe('an end', () => {
  test('may have any reason, or none, with its mark or without', async () => {
    const { body } = await sent({ kind: 'finish', after_tokens: 3, reason: 'error', done: true })
    expect(textIn(body)).toBe('a b c')
    expect(eventsIn(body).slice(-2)).toMatchObject([{ choices: [{ finish_reason: 'error' }] }, '[DONE]'])
    const bare = await sent({ kind: 'finish', after_tokens: 3, reason: null, done: false })
    expect(textIn(bare.body)).toBe('a b c')
    expect(bare.body).not.toMatch(/"finish_reason":"|\[DONE\]/)
    expect(bare.entry?.ended).toBe('complete')
  })
})

describe('an error within an answer', () => {
  test.each(ERROR_SHAPES)('comes behind the tokens: %s', async shape => {
    const { body } = await sent({ kind: 'error', after_tokens: 3, shape, code: 'x_code', message: 'broken' })
    expect(textIn(body.replaceAll(/^(?:event:.*\ndata:.*)$/gm, ''))).toBe('a b c')
    expect(body.slice(body.lastIndexOf(' c"'))).toContain('broken')
  })
})

describe('thoughts', () => {
  test.each(THOUGHT_SHAPES)('come before the answer: %s', async shape => {
    const { body } = await sent({ kind: 'thoughts', shape, text: 'thinking', only: false })
    const all = body.match(/"(?:reasoning_content|reasoning|text|content)":"([^"]*)"/g)?.join('') ?? ''
    expect(all.replaceAll(/"[a-z_]+":|"/g, '')).toContain('thinking')
    expect(body.includes('"j"') || body.includes(' j"')).toBe(shape !== 'think_open')
  })
})

describe('a form', () => {
  test('is another one of the same answer', async () => {
    expect(JSON.parse((await sent({ kind: 'form', form: 'json' })).body)).toMatchObject({
      choices: [{ message: { content: TEN_WORDS } }],
    })
    expect((await sent({ kind: 'form', form: 'single_newlines' })).body).not.toContain('\n\n')
    expect(textIn((await sent({ kind: 'form', form: 'gzip' })).body)).toBe(TEN_WORDS)
    expect((await sent({ kind: 'form', form: 'gzip' })).headers.get('content-encoding')).toBe('gzip')
    expect(eventsIn((await sent({ kind: 'form', form: 'second_choice' })).body).at(-2)).toMatchObject({
      choices: [{ index: 1, finish_reason: 'stop' }],
    })
    expect((await sent({ kind: 'form', form: 'message' })).body).toContain(`"content":"${TEN_WORDS}"`)
  })
})

describe('a directive', () => {
  test.each([
    ['fault=finish reason=network_error after=2', /"finish_reason":"network_error"/],
    ['fault=error shape=field', /^error: /m],
    ['fault=thoughts shape=think', /<thi/],
    ['fault=json', /"object":"chat.completion"/],
    ['fault=insufficient_balance', /Insufficient Balance/],
    ['fault=content_filter', /ResponsibleAIPolicyViolation/],
    ['fault=citations', /"citations"/],
    ['fault=finish', /"finish_reason":null/],
  ])('asks for it: %s', async (words, body) => {
    await using simulator = await aSimulator()
    expect(await (await ask(simulator, `hi\n/simulate ${words}`)).text()).toMatch(body)
  })
  test('may ask that the first token comes late, behind the role and comments', async () => {
    await using simulator = await aSimulator()
    const body = await (await ask(simulator, 'hi\n/simulate fault=slow_first_token delay=100 tokens=3')).text()
    expect(body).toMatch(/"role":"assistant"[^]*: still working[^]*"content":"[^"]+"/)
  })
})
