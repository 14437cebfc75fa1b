import { describe, expect, test } from 'vitest'
import { randomFrom } from '#testing/random.ts'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import { piecesOf } from './turn.ts'
import { ReadableHistory } from './readableHistory.ts'

const [first = ''] = Object.keys(weekend.mapping)
const withMessage = (message: unknown) => ({ ...weekend, mapping: { ...weekend.mapping, [first]: message } })
const read = (history: unknown) => ReadableHistory.safeParse(history)

describe('a stored conversation', () => {
  test('is read as it is', () => {
    expect(read(heatPump).data).toEqual(heatPump)
  })

  test('keeps unknown content raw, and all its other messages', () => {
    const content = { content_type: 'hologram', frames: [1] }
    const history = read(withMessage({ ...weekend.mapping[first], content })).data
    expect(history?.mapping[first]).toMatchObject({
      role: 'user',
      content: null,
      metadata: { source: 'openai_web', fallback_content: content },
    })
    expect(Object.keys(history?.mapping ?? {})).toEqual(Object.keys(weekend.mapping))
  })

  test('keeps a text with odd fields around it', () => {
    const message = read(
      withMessage({
        ...weekend.mapping[first],
        metadata: { source: 'openai_web', citations: 'none', recipient: 'browser' },
      }),
    ).data?.mapping[first]
    expect(message).toMatchObject({
      content: weekend.mapping[first]?.content,
      metadata: { source: 'openai_web', recipient: 'browser' },
    })
  })

  test.each([['words'], [42], [null], [[]], [{}], [{ role: 'wizard', children: [1, 'a'], create_time: 'yesterday' }]])(
    'is read even with %j among its messages',
    message => {
      expect(read(withMessage(message)).data?.mapping[first]).toMatchObject({ id: first, content: null })
    },
  )

  test.each([[null], [[]], ['text'], [{ mapping: 1 }], [{}]])('%j is none', nothing => {
    expect(read(nothing).success).toBe(false)
  })

  test('is shown whatever is broken in it', () => {
    const random = randomFrom(11)
    for (let run = 0; run < 400; run += 1) {
      const history = structuredClone(random.of([heatPump, weekend, poster]))
      for (let breaks = 1 + random.below(4); breaks > 0; breaks -= 1)
        breakSomething(random.of(Object.values(history.mapping)), random)
      const messages = Object.values(read(history).data?.mapping ?? {})
      expect(messages).toHaveLength(Object.keys(history.mapping).length)
      expect(() => piecesOf(messages, () => false)).not.toThrow()
    }
  })
})

/** Puts something else in the place of one of the fields, or of one inside it. */
function breakSomething(within: object, random: ReturnType<typeof randomFrom>): void {
  const keys = Object.keys(within).filter(key => key !== 'id')
  if (keys.length === 0) return
  const key = random.of(keys)
  const value: unknown = Reflect.get(within, key)
  if (typeof value === 'object' && value !== null && random.percent(70)) return breakSomething(value, random)
  Reflect.set(within, key, random.of([null, 0, '', 'odd', [], {}, ['a'], { a: 1 }, true]))
}
