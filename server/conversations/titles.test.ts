import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Provider, Upstream } from '#server/providers/provider.ts'
import { makeTitle, titleFromText } from './titles.ts'

const upstream = { max_answer_length: 1000 } as Upstream // the providers below look at nothing of it

function message(role: Message['role'], text: string): Message {
  return {
    id: role, source: 'openai_api', role, author_name: null, model: null, create_time: null, parent: null, children: [],
    content: { content_type: 'text', text }, metadata: null,
  }
}

const exchange = [message('user', '# 热水器换热泵，多久能回本？\n谢谢'), message('assistant', '大约四年。')]

describe('a title', () => {
  test('is what the model answers, as one bare line', async () => {
    const provider: Provider = { reply: async (_thread, _draft, _upstream, tell) => tell({ type: 'text', text: '**“热泵回本”**。\n更多' }) }
    expect(await makeTitle(provider, upstream, exchange, new AbortController().signal)).toBe('热泵回本')
  })

  test('is the first line of the question when the model refuses', async () => {
    const provider: Provider = { reply: () => Promise.reject(new Refusal('openai.429')) }
    expect(await makeTitle(provider, upstream, exchange, new AbortController().signal)).toBe('热水器换热泵，多久能回本？')
  })

  test('is cut to a readable length between characters', () => {
    const title = titleFromText('👩‍🚀'.repeat(40))
    expect([...title].length).toBeLessThanOrEqual(60)
    expect(title.isWellFormed()).toBe(true)
  })

  test('holds no control characters', () => {
    expect(titleFromText('a\u0000b\tc')).toBe('a b c')
  })
})
