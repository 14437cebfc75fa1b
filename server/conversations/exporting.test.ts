import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { ImportedConversation, ImportedMessage } from '#contract/transfer.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { type Random, randomFrom } from '#testing/random.ts'
import { aMessage, aConversation, imported, type Page, exported, again } from './transfer.testing.ts'

const withoutIds = ({ _id, ...history }: ConversationHistory) => history

function aRandomConversation(random: Random): ImportedConversation {
  const messages: ImportedMessage[] = []
  for (let count = 1 + random.below(40); count > 0; count--) {
    const parent = random.percent(10) ? null : (messages[random.below(messages.length + 1)]?.id ?? null)
    messages.push(
      aMessage({
        parent,
        role: random.of(['user', 'assistant', 'tool', 'system']),
        model: random.of([null, 'gpt_4']),
        author_name: random.of([null, 'python']),
        create_time: new Date(1_700_000_000_000 + random.below(1e9)).toISOString(),
        content: random.of([
          null,
          { content_type: 'text', text: '“引号”\n\n😀' },
          { content_type: 'text', parts: ['a', 'b'] },
          { content_type: 'code', language: 'python', text: 'print(1)' },
          {
            content_type: 'tether_quote',
            url: 'https://example.org',
            text: 'words',
            title: null,
            extra: { deep: [1, null] },
          },
        ]),
        metadata: random.of([
          null,
          { source: 'openai_api', usage: { prompt_tokens: 1, completion_tokens: 2 } },
          { source: 'openai_web', fallback_content: { any: ['thing'] } },
        ]),
      }),
    )
  }
  return aConversation(messages, {
    current_node: random.of(messages).id,
    title: random.of([null, '标题', 'a title']),
    current_model: random.of([null, 'gpt_4']),
  })
}

eachStorage((_name, storage) => {
  describe('what is exported', () => {
    test('and imported by somebody else is exported by them as the same trees', async () => {
      const { person } = await startPortal({ storage: await storage() })
      for (const seed of [1, 2, 3]) {
        const [lin, mei] = [await person(), await person()]
        const random = randomFrom(seed)
        await imported(lin, ...Array.from({ length: 4 }, () => aRandomConversation(random)))
        const first = await exported(lin)
        await imported(mei, ...first.map(again))
        expect((await exported(mei)).map(withoutIds)).toEqual(first.map(withoutIds))
      }
    })

    test('are one’s own valid conversations, some at a time and each once', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const [lin, mei] = [await person(), await person()]
      const long = { content_type: 'text', text: '长'.repeat(150_000) } as const
      const many = Array.from({ length: 12 }, (_, at) =>
        aConversation([aMessage({ content: long })], { title: `${at}` }),
      )
      for (const each of many) await imported(lin, each)
      await imported(mei, aConversation([aMessage()]))
      const page = await lin.result<Page>('GET', '/conv/export')
      expect(page).toMatchObject({ total: 12, next: expect.any(String) })
      expect(page.conversations.length).toBeLessThan(12)
      expect((await exported(lin)).map(({ title }) => title)).toEqual(many.map(({ title }) => title))
    })
  })
})
