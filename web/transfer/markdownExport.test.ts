import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { Content, Message, MessageMetadata } from '#contract/messages.ts'
import { EXPORT_FORMAT } from '#contract/transfer.ts'
import { aMessage, words } from '#testing/messages.ts'
import { translatorOf } from '#web/i18n/useTranslate.ts'
import { zhCN } from '#web/i18n/zh-CN.ts'
import { transfer } from '#web/i18n/zh-CN/transfer.ts'
import { parse } from '#web/messages/markdown/parser/parse.ts'
import { fileOf, growingFile } from './exportedFile.ts'
import { markdownOf, inlineMarkdown, plainMarkdown } from './markdownExport.ts'

const TIME = '2026-03-02T10:00:00.000Z'
const NOW = new Date('2026-11-20T06:00:00.000Z')

function said(
  id: string,
  parent: string | null,
  role: Message['role'],
  content: Content | null,
  metadata: MessageMetadata | null = null,
): Message {
  const model = role === 'assistant' ? 'gpt_4' : null
  return aMessage({ id, parent, role, model, create_time: TIME, content, metadata })
}

function aHistory(...messages: Message[]): ConversationHistory {
  return {
    _id: 'c',
    source: 'openai_api',
    title: '热水器换热泵',
    create_time: TIME,
    update_time: TIME,
    mapping: Object.fromEntries(messages.map(each => [each.id, each])),
    current_node: messages.at(-1)?.id ?? null,
    current_model: 'gpt_4',
    metadata: null,
    running_ask: null,
  }
}

const markdown = (history: ConversationHistory, files: ReadonlyMap<string, string> = new Map()) =>
  markdownOf(history, {
    t: translatorOf('zh-CN', { ...zhCN, ...transfer }),
    language: 'zh-CN',
    modelName: code => code.toUpperCase(),
    product: 'Chat Commons',
    now: NOW,
    files,
  })

describe('a conversation as Markdown', () => {
  test('has its title, when it began, the model, and who said what', () => {
    const written = markdown(
      aHistory(
        said('q', null, 'user', words('多久回本？\n\n细说')),
        said('a', 'q', 'assistant', words('## 算一算\n\n四年左右')),
      ),
    )
    expect(written).toMatch(
      /^# 热水器换热泵\n\n- 开始于 2026年3月2日 \d\d:00\n- 模型 GPT_4\n- 由 Chat Commons 导出，2026年11月20日 /,
    )
    expect(written).toMatch(
      /\n## 1\. 多久回本？\n\n多久回本？\n\n细说\n\n\*\*回答\*\* · GPT_4 · 2026年3月2日 \d\d:00\n\n## 算一算\n\n四年左右\n$/,
    )
  })
  test('has the current path', () => {
    const written = markdown(
      aHistory(
        said('q', null, 'user', words('问')),
        said('a', 'q', 'assistant', words('甲')),
        said('b', 'q', 'assistant', words('乙')),
      ),
    )
    expect(written).toContain('乙')
    expect(written).not.toContain('甲')
  })
  test.each(['2026-03-02T10:00:00Z', '2026-03-02T10:00:00+00:00', '2026-03-02T10:00:00.000', '2026-03-02T10:00:00'])(
    'has a valid date for %s',
    time => {
      expect(markdown({ ...aHistory(said('q', null, 'user', words('问'))), create_time: time })).toMatch(
        /开始于 2026年3月2日/,
      )
    },
  )
  test('cuts a long question to 80 characters in its heading, and not in its text', () => {
    const long = '😀'.repeat(200)
    const written = markdown(aHistory(said('q', null, 'user', words(`# ${long}`))))
    expect(written).toContain(`## 1. ${'😀'.repeat(79)}…\n\n\\# ${long}`)
  })
  test('has the steps of tools as quotes, also of a run without output', () => {
    const written = markdown(
      aHistory(
        said('q', null, 'user', words('算')),
        said(
          'c',
          'q',
          'assistant',
          { content_type: 'code', language: 'python', text: 'print("```")' },
          { source: 'openai_web', recipient: 'python' },
        ),
        {
          ...said(
            'o',
            'c',
            'tool',
            { content_type: 'execution_output', text: '' },
            { source: 'openai_web', aggregate_result: { status: 'success', messages: null } },
          ),
          author_name: 'python',
        },
        said('a', 'o', 'assistant', words('好了')),
      ),
    )
    expect(written).toContain('> **运行了代码**\n>\n> ````python\n> print("```")\n> ````\n\n好了')
  })
  test('names the pictures that a run has drawn', () => {
    const drawn = { message_type: 'image', image_url: 'file-service://file-1', width: 640, height: 320 }
    const run: MessageMetadata = { source: 'openai_web', aggregate_result: { status: 'success', messages: [drawn] } }
    const output: Content = { content_type: 'execution_output', text: '<<ImageDisplayed>>\n42' }
    const written = markdown(aHistory({ ...said('o', null, 'tool', output, run), author_name: 'python' }))
    expect(written).toContain('> **运行了代码，画了 1 张图**\n>\n> ```\n> 42\n> ```\n>\n> - 图片 640 × 320')
  })
  test('names the source of a quote, and links to web pages only', () => {
    const quote = (id: string, parent: string, url: string) => ({
      ...said(id, parent, 'tool', {
        content_type: 'tether_quote',
        url,
        domain: 'example.org',
        title: 'A [page]',
        text: '很省电',
      }),
      author_name: 'browser',
    })
    const written = markdown(
      aHistory(
        said('q', null, 'user', words('查')),
        quote('1', 'q', 'https://example.org/x'),
        quote('2', '1', 'file:///home'),
        said('a', '2', 'assistant', words('好了')),
      ),
    )
    expect(written).toContain('> [A \\[page\\]](<https://example.org/x>)\n>\n> ```\n> 很省电\n> ```')
    expect(written).toContain('> A \\[page\\]\n>\n> ```\n> 很省电\n> ```')
    expect(written).not.toContain('file://')
  })
  test('names attachments, pictures and sources', () => {
    const written = markdown(
      aHistory(
        said(
          'q',
          null,
          'user',
          { content_type: 'multimodal_text', parts: ['看图', { asset_pointer: 'x', width: 1024, height: 1792 }] },
          { source: 'openai_web', attachments: [{ id: 'f', name: '账单.pdf' }] },
        ),
        said('a', 'q', 'assistant', words('是的'), {
          source: 'openai_web',
          citations: [{ start_ix: 0, end_ix: 2, metadata: { title: 'A [page]', url: 'https://example.org/x' } }],
        }),
      ),
    )
    expect(written).toContain('- 附件：账单.pdf\n\n- 图片 1024 × 1792')
    expect(written).toContain('是的 [1](<https://example.org/x>)\n\n出处\n\n1. [A \\[page\\]](<https://example.org/x>)')
  })
  test('has the words of unknown content, and says how an answer ended', () => {
    const written = markdown(
      aHistory(
        said('q', null, 'user', words('问')),
        said('x', 'q', 'tool', null, {
          source: 'openai_web',
          fallback_content: { content_type: 'hologram', title: 'A cup' },
        }),
        said('a', 'x', 'assistant', words('半'), { source: 'openai_api', ending: 'stopped', left_out_messages: 2 }),
      ),
    )
    expect(written).toMatch(/> A cup\n\n\*更早的 2 条消息[^*]*\*\n\n半\n\n\*已停止\*\n$/)
  })
  test('closes the code that an answer left open, and leaves a question plain', () => {
    const written = markdown(
      aHistory(
        said('q', null, 'user', words('# Title and <b>bold</b>')),
        said('a', 'q', 'assistant', words('Here:\n\n```python\nprint("it stops here")\n'), {
          source: 'openai_api',
          ending: 'stopped',
        }),
        said('q2', 'a', 'user', words('go on')),
        said('b', 'q2', 'assistant', words('| a | b |\n|---|---|\n| 1 | 2 |')),
      ),
    )
    expect(written).toContain('## 1. Title and \\<b>bold\\</b>\n\n\\# Title and \\<b>bold\\</b>\n\n')
    expect(written).toContain('```python\nprint("it stops here")\n```\n\n*已停止*\n\n## 2. go on\n\ngo on\n\n')
    expect(written).toContain('\n\n| a | b |\n|---|---|\n| 1 | 2 |\n')
  })
  test('has no thoughts', () => {
    const written = markdown(
      aHistory(
        said('q', null, 'user', words('问')),
        said('t', 'q', 'assistant', { content_type: 'thoughts', text: 'secret', seconds: 3 }),
        said('a', 't', 'assistant', words('答')),
      ),
    )
    expect(written).toMatch(/问\n\n\*\*回答\*\*[^\n]*\n\n答\n$/)
  })
  test('escapes names', () => {
    const written = markdown({
      ...aHistory(
        said('q', null, 'user', words('问'), { source: 'openai_web', attachments: [{ id: 'f', name: '*a*.pdf' }] }),
      ),
      title: 'A *b* <c> #',
    })
    expect(written).toMatch(/^# A \\\*b\\\* \\<c> \\#\n/)
    expect(written).toContain('- 附件：\\*a\\*.pdf')
  })
  test('without messages is its head', () => {
    expect(markdown({ ...aHistory(), title: '' })).toMatch(/^# 新对话\n\n- [^]*\n$/)
  })
})

describe('a conversation as JSON', () => {
  const history = aHistory(said('q', null, 'user', words('问')))

  test('is the history document with format and version', async () => {
    const { running_ask, ...kept } = history
    expect(JSON.parse(await fileOf(history, NOW).text())).toEqual({
      format: EXPORT_FORMAT,
      version: 1,
      exported_at: NOW.toISOString(),
      conversations: [kept],
    })
    expect(running_ask).toBe(null)
  })
  test('is the same among many, however they arrive', async () => {
    for (const pages of [[], [[]], [[history]], [[history, history], [], [history]]]) {
      const file = growingFile(NOW)
      for (const page of pages) file.add(page)
      expect(JSON.parse(await file.close().text())).toMatchObject({
        format: EXPORT_FORMAT,
        version: 1,
        conversations: pages.flat().map(() => ({ _id: 'c' })),
      })
    }
  })
})

/** What a viewer shows of Markdown, and the kinds of blocks and marks in it. */
function shown(markdown: string): { text: string; kinds: Set<string> } {
  const kinds = new Set<string>()
  const textOf = (node: Nodes): string => {
    kinds.add(node.type)
    if (node.type === 'break') return '\n'
    if ('value' in node) return node.value
    return 'children' in node ? node.children.map(textOf).join(node.type === 'root' ? '\n\n' : '') : ''
  }
  return { text: textOf(parse(markdown)), kinds }
}

const PLAIN = ['root', 'paragraph', 'text', 'break', 'link']

describe('a question in an exported file', () => {
  test.each([
    '# heading\n## 2',
    'a <b>bold</b> & &amp; word <!-- x',
    '*stars* and **two**, _under_ and snake_case __x__',
    '> quoted\n> twice',
    '1. one\n2) two\n- three\n+ four\n* five',
    'title\n=====\n\nother\n---',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    'code `x` and ``y``',
    '[link](https://example.org) ![p](x) [^1]',
    'costs $5 and $6, $$x$$',
    '~~gone~~ ~x~',
    'C:\\dir\\*.txt \\',
    '***\n- - -\n___',
    '<details><summary>x</summary>\n\n</details>',
    ':::note\nx\n:::',
    '2026-11-28\n1.5 and 3)x',
    '你好 *世界* #标题',
    '\\(x\\) and \\[y\\]',
    '[a]: https://example.org "t"',
    'one\ntwo\n\nthree',
    '[a\nb](c)',
    'https://example.org/~me/a|b?$top=5&x=~~y~~ and $5',
  ])('reads as it was typed: %j', typed => {
    const { text, kinds } = shown(plainMarkdown(typed))
    expect(text).toBe(typed)
    expect([...kinds].filter(kind => !PLAIN.includes(kind))).toEqual([])
  })
  test.each(['```js\nlet x\n```\ntext', 'see:\n\n    indented <b>', '\tdef f():\n\t\treturn 1', '~~~~\nx'])(
    'is a block of code where its lines are code: %j',
    typed => {
      expect(shown(plainMarkdown(typed))).toEqual({ text: typed, kinds: new Set(['root', 'code']) })
    },
  )
  test('that has no marks is not changed', () => {
    for (const typed of ['多久回本？', 'plain words, e.g. 3 - 1 = 2; a+b/c (x) "y"', 'snake_case and user@example.org'])
      expect(plainMarkdown(typed)).toBe(typed)
  })
})

describe('an address in a question', () => {
  test('has no backslash that it did not have', () => {
    expect(plainMarkdown('see https://example.org/~me/a|b?$top=5, ~$5')).toBe(
      'see https://example.org/~me/a|b?$top=5, \\~\\$5',
    )
  })
})

describe('a name in an exported file', () => {
  test.each(['C #', 'a *b* [c] <d>', 'x_y_z', '1 | 2', 'a\nb'])('is the same within its line: %j', name => {
    expect(shown(`# ${inlineMarkdown(name)}`)).toMatchObject({
      text: name.replace('\n', ' '),
      kinds: new Set(['root', 'heading', 'text']),
    })
  })
})

describe('files that go with the text', () => {
  const ID = '0190f0aa-0000-4000-8000-000000000000'

  test('are led to by relative links, and pictures of answers are shown from there', () => {
    const attachments = [{ id: ID, name: '年报 (终).pdf', as: 'text' } as const]
    const written = markdown(
      aHistory(
        said('q', null, 'user', words('看看'), { source: 'openai_api', attachments }),
        said('a', 'q', 'assistant', words(`![图](/api/files/${ID}/content)`)),
      ),
      new Map([[ID, 'files/年报 (终).pdf']]),
    )
    expect(written).toContain('附件：[年报 (终).pdf](<files/年报 (终).pdf>)')
    expect(written).toContain('![图](<files/年报 (终).pdf>)')
  })

  test('that could not be had are named', () => {
    const attachments = [{ id: ID, name: 'a.pdf', as: 'text' } as const]
    const written = markdown(aHistory(said('q', null, 'user', words('看看'), { source: 'openai_api', attachments })))
    expect(written).toContain('附件：a.pdf')
  })
})
