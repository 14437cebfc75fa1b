import { describe, expect, test } from 'vitest'
import { pictureLinksIn, saidIn } from './content.ts'

const PNG = `data:image/png;base64,${'A'.repeat(40)}`

describe('what a message says', () => {
  test.each<[string, unknown, string]>([
    ['a string', { content: 'hi' }, 'hi'],
    [
      'a list of parts',
      {
        content: [
          { type: 'text', text: 'h' },
          { type: 'output_text', text: 'i' },
        ],
      },
      'hi',
    ],
    ['a list of strings', { content: ['h', 'i'] }, 'hi'],
    ['text with a value', { content: [{ type: 'text', text: { value: 'hi', annotations: [] } }] }, 'hi'],
    ['an object', { content: { type: 'text', text: 'hi' } }, 'hi'],
    ['parts within it', { content: { parts: [{ text: 'h' }, { text: 'i' }] } }, 'hi'],
    ['the message itself', 'hi', 'hi'],
    ['a refusal', { content: null, refusal: 'I cannot' }, 'I cannot'],
    ['a refusal among the parts', { content: [{ type: 'refusal', refusal: 'I cannot' }] }, 'I cannot'],
    [
      'a picture among the parts',
      {
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: PNG } },
        ],
      },
      `see\n\n![](${PNG})\n\n`,
    ],
    [
      'a picture beside it',
      { content: '', images: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }] },
      '\n\n![](https://a.example/b.png)\n\n',
    ],
    [
      'no picture that could be anything else',
      {
        images: ['javascript:alert(1)', 'https://a.example/) [x](y', 'data:text/html;base64,AAAA'].map(url => ({
          image_url: { url },
        })),
      },
      '',
    ],
    ['nothing', { content: [{ type: 'tool_use', id: 'x', input: {} }, 7, null, { text: 7 }] }, ''],
    ['nothing at all', undefined, ''],
  ])('is read of %s', (_what, message, text) => {
    expect(saidIn(message)).toEqual({ text, thoughts: '' })
  })

  test.each<[string, unknown]>([
    ['reasoning_content', { reasoning_content: 'hm', content: null }],
    ['reasoning', { reasoning: 'hm', content: '' }],
    ['both, of which one is read', { reasoning: 'hm', reasoning_content: 'hm' }],
    [
      'details',
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm' },
          { type: 'reasoning.encrypted', data: 'xyz' },
        ],
      },
    ],
    ['details beside the same text', { reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }],
    ['a summary', { reasoning_details: [{ type: 'reasoning.summary', summary: 'hm' }] }],
    ['parts', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }],
    ['parts with plain text', { content: [{ type: 'reasoning', text: 'hm' }] }],
    ['parts that are marked', { content: { parts: [{ thought: true, text: 'hm' }] } }],
  ])('is apart from the thoughts in %s', (_what, message) => {
    expect(saidIn(message)).toEqual({ text: '', thoughts: 'hm' })
  })

  test('ends where content is within content for ever', () => {
    const deep: Record<string, unknown> = { text: 'x' }
    deep['content'] = deep
    delete deep['text']
    expect(saidIn({ content: deep })).toEqual({ text: '', thoughts: '' })
  })
})

describe('links to pictures', () => {
  const link = (url: unknown) => ({ type: 'image_url', image_url: { url } })
  test('are those in parts and fields of their own, and none that stands in the text', () => {
    const content = [{ type: 'text', text: '![](https://model.example/a.png)' }, link('https://endpoint.example/b.png')]
    expect(pictureLinksIn({ content, images: [link('https://endpoint.example/c.png'), link(PNG)] })).toEqual([
      'https://endpoint.example/b.png',
      'https://endpoint.example/c.png',
    ])
    expect(pictureLinksIn({ content: '![](https://model.example/a.png)' })).toEqual([])
    expect(pictureLinksIn({ images: [link('javascript:alert(1)'), link(7), null] })).toEqual([])
  })
})
