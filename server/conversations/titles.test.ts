import { describe, expect, onTestFinished, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { openaiApiProvider } from '#server/providers/openai_api/provider.ts'
import type { Provider, ProviderUpstream } from '#server/providers/provider.ts'
import { rawUpstream } from '#testing/upstream.ts'
import { makeTitle, titleFromText } from './titles.ts'

const upstream = { max_answer_length: 1000 } as ProviderUpstream // the providers below look at nothing of it

const message = (role: Message['role'], text: string) => aMessage({ id: role, role, content: words(text) })

const exchange = [message('user', '# 热水器换热泵，多久能回本？\n谢谢'), message('assistant', '大约四年。')]

describe('a title', () => {
  test('is what the model answers, as one bare line', async () => {
    const provider: Provider = {
      reply: async (_asked, emit) => emit({ type: 'text', text: '**“热泵回本”**。\n更多' }),
    }
    expect(await makeTitle(provider, upstream, exchange, new AbortController().signal)).toBe('热泵回本')
  })

  test('is the first line of the question when the model refuses', async () => {
    const provider: Provider = { reply: () => Promise.reject(new Refusal('openai.429')) }
    expect(await makeTitle(provider, upstream, exchange, new AbortController().signal)).toBe(
      '热水器换热泵，多久能回本？',
    )
  })

  test.each([
    ['<think>\nThe user greets me. I need a title.\n</think>\n\nFriendly Greeting', 'Friendly Greeting'],
    ['<think>I need a title. Perhaps "Greeting".', '热水器换热泵，多久能回本？'],
    ['<think>no title</think>', '热水器换热泵，多久能回本？'],
    [`<think>${'long '.repeat(500)}</think>**Greeting**`, 'Greeting'],
  ])('has none of what the model thinks: %j', async (answer, title) => {
    const outbound = openOutbound()
    onTestFinished(() => outbound.close())
    const base_url = await rawUpstream((_request, response) => {
      response.end(
        `data: ${JSON.stringify({ choices: [{ delta: { reasoning: 'beside', content: answer }, finish_reason: 'stop' }] })}\n\n`,
      )
    })
    const timeouts = { connect_timeout: 5, first_token_timeout: 5, read_timeout: 5, ask_timeout: 5 }
    const endpoint: ProviderUpstream = {
      ...upstream,
      ...timeouts,
      base_url,
      key: null,
      model_name: 'm',
      proxy: null,
      addresses: 'any',
    }
    expect(await makeTitle(openaiApiProvider(outbound), endpoint, exchange, new AbortController().signal)).toBe(title)
  })

  test('is cut to a readable length between characters', () => {
    const title = titleFromText('👩‍🚀'.repeat(40))
    expect([...title].length).toBeLessThanOrEqual(60)
    expect(title.isWellFormed()).toBe(true)
  })

  test.each([
    ['---', '---'],
    ['...\n***', '...'],
    ['“”', '“”'],
    ['---\n正文', '正文'],
    ['\u200b\u200b\nseen', 'seen'],
    ['\ufeff \u200e', ''],
    [' \n\t', ''],
  ])('is seen, also of a text of nothing but marks: %j', (text, title) => {
    expect(titleFromText(text)).toBe(title)
  })

  test('is made however many marks stand in a line: looking for those at its end took minutes', () => {
    expect(titleFromText(`x${'*'.repeat(1_000_000)}y`)).toBe('x')
    expect(titleFromText(`${'#'.repeat(1_000_000)} y`)).toBe('y')
  })

  test('holds no control characters', () => {
    expect(titleFromText('a\u0000b\tc')).toBe('a b c')
  })
})
