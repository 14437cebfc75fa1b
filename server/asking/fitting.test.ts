import { describe, expect, test } from 'vitest'
import type { KeptAttachment, Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { randomFrom } from '#testing/random.ts'
import { attachedTo, excessOf, fitting, leftOut, shortened, tokensOf, withinBytes, withoutEarlier } from './fitting.ts'
import { taken } from './thread.ts'

const MODEL = 'gpt-4o'
const picture = (id: string): KeptAttachment => ({ id, name: `${id}.png`, as: 'picture', width: 1024, height: 1024 }) // 765 tokens
const document = (id: string, tokens: number): KeptAttachment => ({
  ...{ id, name: `${id}.pdf`, as: 'text', page_count: 10, tokens },
})
const asked = (text: string, ...attachments: KeptAttachment[]): Message =>
  aMessage({ id: text, role: 'user', content: words(text), metadata: { source: 'openai_api', attachments } })
const answered = (text: string): Message => aMessage({ id: text, role: 'assistant', content: words(text) })
const THREAD = [
  asked('one', picture('a'), document('d', 2_000)),
  answered('first'),
  asked('two', picture('b')),
  answered('second'),
  asked('three', picture('c')),
]
const sent = (thread: readonly Message[]) =>
  thread.map(message => [message.id, ...attachedTo(message).map(({ id }) => id)].join(' '))

describe('what went with earlier questions', () => {
  test('is sent again as long as the context has room', () => {
    expect(fitting(THREAD, 100_000, MODEL)).toEqual(THREAD)
    expect(fitting(THREAD, null, MODEL)).toEqual(THREAD)
  })

  test('is left out before any message is, the oldest first and no more than needed', () => {
    const kept = fitting(THREAD, 5_000, MODEL)
    expect(sent(kept)).toEqual(['one d', 'first', 'two b', 'second', 'three c'])
    expect(leftOut(THREAD, kept)).toEqual({ messages: 0, pictures: 1, files: 0 })
    const fewer = fitting(THREAD, 1_200, MODEL)
    expect(sent(fewer)).toEqual(['one', 'first', 'two', 'second', 'three c'])
    expect(leftOut(THREAD, fewer)).toEqual({ messages: 0, pictures: 2, files: 1 })
  })

  test('is counted with the messages that are left out after it', () => {
    const kept = fitting([asked('x'.repeat(3_000), picture('z')), ...THREAD], 1_500, MODEL)
    expect(sent(kept)).toEqual(['one', 'first', 'two', 'second', 'three c'])
    expect(leftOut([asked('x'.repeat(3_000), picture('z')), ...THREAD], kept)).toEqual({
      ...{ messages: 1, pictures: 3, files: 1 },
    })
  })

  test('is left out beyond the bytes that one request may have', () => {
    const large = (id: string): KeptAttachment => ({ ...picture(id), size: 2_000_000 })
    const pages: KeptAttachment = { ...document('d', 10), as: 'picture', pages: '1-3' }
    const thread = [
      asked('one', large('a'), pages),
      asked('two', large('b'), document('t', 10)),
      asked('three', large('c')),
    ]
    expect(sent(withinBytes(thread, 6_000_000))).toEqual(['one d', 'two b t', 'three c'])
    expect(sent(withinBytes(thread, 3_000_000))).toEqual(['one', 'two t', 'three c'])
    expect(withinBytes(thread, 100_000_000)).toBe(thread)
  })

  test('is left out where the model does not take it, and the question keeps its own', () => {
    const blind = { context_length: null, takes_pictures: false, takes_files: null }
    expect(sent(taken(THREAD, blind))).toEqual(['one d', 'first', 'two', 'second', 'three c'])
    expect(sent(taken(THREAD, { ...blind, takes_pictures: null }))).toEqual(sent(THREAD))
    expect(sent(withoutEarlier(THREAD, () => true))).toEqual(['one', 'first', 'two', 'second', 'three c'])
  })
})

describe('a thread that was too long', () => {
  const most = { most: 3_000, asked: null, answer: null }

  test('goes once more without earlier attachments where that is enough', () => {
    expect(sent(shortened(THREAD, most, MODEL)!)).toEqual(['one', 'first', 'two b', 'second', 'three c'])
  })

  test('goes no more where only the question is left', () => {
    expect(shortened([asked('alone', document('d', 90_000))], most, MODEL)).toBe(null)
  })

  test('says by how much, and what weighs most', () => {
    expect(excessOf([asked('alone', document('d', 90_000), picture('a'))], most, MODEL)).toEqual({
      ...{ over_tokens: 87_811, heaviest: 'd.pdf', heaviest_tokens: 90_040 },
    })
    expect(excessOf([asked('alone')], { most: null, asked: 5_000, answer: null }, MODEL)).toEqual({})
    expect(excessOf([asked('alone')], { ...most, asked: 3_001 }, MODEL)).toEqual({ over_tokens: 1 })
  })
})

describe('a thread of any kind', () => {
  /** Questions with and without attachments, and answers of many lengths. */
  function aThread(seed: number): Message[] {
    const random = randomFrom(seed)
    const thread: Message[] = random.percent(50)
      ? [aMessage({ id: 's', role: 'system', content: words('Be brief.') })]
      : []
    for (let turn = 0; turn < 1 + random.below(8); turn++) {
      const attachments = Array.from({ length: random.below(3) }, (_, at) =>
        random.percent(50) ? picture(`p${turn}${at}`) : document(`d${turn}${at}`, 10 + random.below(3_000)),
      )
      const text = `${turn} ${'x'.repeat(random.below(4_000))}`
      thread.push({ ...asked(text, ...attachments), id: `q${turn}` })
      if (random.percent(80)) thread.push({ ...answered(text), id: `a${turn}` })
    }
    const last = thread.findLastIndex(({ role }) => role === 'user')
    return thread.slice(0, last + 1)
  }
  const SEEDS = Array.from({ length: 60 }, (_, seed) => seed + 1)
  const question = (thread: readonly Message[]) => thread.findLast(({ role }) => role === 'user')

  test('keeps its question with all that goes with it, and what the system says, whatever is left out', () => {
    for (const seed of SEEDS)
      for (const length of [1, 500, 3_000, 9_000, 1_000_000]) {
        const thread = aThread(seed)
        const kept = fitting(thread, length, MODEL)
        expect(question(kept), `${seed} ${length}`).toEqual(question(thread))
        expect(kept.filter(({ role }) => role === 'system')).toEqual(thread.filter(({ role }) => role === 'system'))
        expect(kept.find(({ role }) => role !== 'system')?.role).toBe('user')
      }
  })
  test('keeps its order, has room, and leaves out no message while an earlier attachment is there', () => {
    for (const seed of SEEDS)
      for (const length of [2_000, 6_000]) {
        const thread = aThread(seed)
        const kept = fitting(thread, length, MODEL)
        const ids = kept.map(({ id }) => id)
        expect(ids).toEqual(thread.map(({ id }) => id).filter(id => ids.includes(id)))
        const isAlone = kept.filter(({ role }) => role !== 'system').length === 1
        if (!isAlone) expect(tokensOf(kept, MODEL)).toBeLessThanOrEqual(length * 0.75)
        const earlier = kept.slice(0, -1).flatMap(attachedTo)
        if (kept.length < thread.length) expect(earlier, `${seed} ${length}`).toEqual([])
      }
  })
  test('says all that is left out of it, by its kind', () => {
    for (const seed of SEEDS) {
      const thread = aThread(seed)
      const kept = fitting(thread, 2_500, MODEL)
      const { messages, pictures, files } = leftOut(thread, kept)
      const attachments = (of: readonly Message[]) => of.flatMap(attachedTo).length
      expect(messages).toBe(thread.length - kept.length)
      expect(pictures + files, String(seed)).toBe(attachments(thread) - attachments(kept))
      expect([messages, pictures, files].every(count => count >= 0)).toBe(true)
    }
  })
  test('that was refused is shorter each time, until nothing is left to leave out', () => {
    for (const seed of SEEDS.slice(0, 20)) {
      let thread: Message[] | null = aThread(seed)
      for (let tries = 0; thread !== null; tries++) {
        expect(tries, String(seed)).toBeLessThan(60)
        const before: Message[] = thread
        thread = shortened(before, { most: null, asked: null, answer: null }, MODEL)
        if (thread !== null) expect(tokensOf(thread, MODEL)).toBeLessThan(tokensOf(before, MODEL))
      }
    }
  })
})
