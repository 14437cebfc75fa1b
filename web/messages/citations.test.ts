import { describe, expect, test } from 'vitest'
import type { MessageMetadata } from '#contract/messages.ts'
import { randomFrom } from '#testing/random.ts'
import { citing } from '#testing/webConversations/builder.ts'
import { citedText, sourceOf, sourcesOf } from './citations.ts'

type Citations = Extract<MessageMetadata, { source: 'openai_web' }>['citations']

const withCitations = (citations: Citations) => ({ metadata: { source: 'openai_web', citations } as const })
const page = (url: string, title = '页') => ({ title, url, text: '原话' })
const textWith = (text: string, citations: Citations) =>
  citedText(text, withCitations(citations), number => `[${number}]`)

describe('the sources of an answer', () => {
  test('have one number per address, in the order of their first citation', () => {
    const citations = ['https://a.example/', 'https://b.example/x', 'https://a.example'].map((url, at) => ({
      start_ix: at,
      end_ix: at,
      metadata: page(url),
    }))
    expect(sourcesOf(withCitations(citations)).map(({ number, url, domain }) => [number, url, domain])).toEqual([
      [1, 'https://a.example/', 'a.example'],
      [2, 'https://b.example/x', 'b.example'],
    ])
  })

  test('are web pages only', () => {
    const urls = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/admin', 'sandbox:/mnt/data/a', '']
    expect(sourcesOf(withCitations(urls.map(url => ({ start_ix: 0, end_ix: 1, metadata: page(url) }))))).toEqual([])
  })

  test('are called by their host when they have no title', () => {
    expect(
      sourcesOf(
        withCitations([{ start_ix: 0, end_ix: 0, metadata: { url: 'https://www.a.example/b', title: ' ' } }]),
      )[0],
    ).toMatchObject({ title: 'www.a.example', domain: 'a.example' })
  })
})

describe('a file of the question that an answer cites', () => {
  const file = { type: 'file', name: '计划.md', id: 'file-1', source: 'my_files', text: '周一开会' }
  const message = withCitations([
    { start_ix: 2, end_ix: 12, metadata: file },
    { start_ix: 13, end_ix: 23, metadata: page('https://a.example/') },
  ])

  test('is a source without an address, and its mark is replaced', () => {
    expect(sourcesOf(message)).toEqual([
      { number: 1, also: [], url: null, domain: null, title: '计划.md', quote: '周一开会' },
      expect.objectContaining({ number: 2, url: 'https://a.example/' }),
    ])
    expect(citedText('读了【0†source】和【1†source】。', message, (number, url) => `[${number} ${url}]`)).toBe(
      '读了[1 null]和[2 https://a.example/]。',
    )
  })

  test('has a name', () => {
    expect(sourcesOf(withCitations([{ start_ix: 0, end_ix: 1, metadata: { type: 'file', name: '  ' } }]))).toEqual([])
  })
})

describe('the sources that an endpoint names for an answer as a whole', () => {
  const named = (sources: { title: string | null; url: string }[]) =>
    sourcesOf({ metadata: { source: 'openai_api', sources } })
  test('have the numbers that the text has, and are web pages only', () => {
    expect(
      named([
        { title: '一', url: 'https://a.example/' },
        { title: null, url: 'https://www.b.example/x' },
        { title: 'x', url: 'javascript:alert(1)' },
      ]),
    ).toEqual([
      { number: 1, also: [], url: 'https://a.example/', domain: 'a.example', title: '一', quote: null },
      { number: 2, also: [], url: 'https://www.b.example/x', domain: 'b.example', title: 'www.b.example', quote: null },
    ])
  })
  test('are found by every number that the text has for them', () => {
    const sources = sourcesOf({
      metadata: {
        source: 'openai_api',
        sources: [
          { title: 'B', url: 'https://b.example/', numbers: [2, 4] },
          { title: 'x', url: 'javascript:alert(1)' },
          { title: 'C', url: 'https://c.example/' },
        ],
      },
    })
    expect([1, 2, 3, 4, 5].map(number => sourceOf(sources, number)?.title)).toEqual([
      undefined,
      'B',
      'C',
      'B',
      undefined,
    ])
  })
  test('have no position in the text', () => {
    expect(
      citedText(
        'so it is [1]',
        { metadata: { source: 'openai_api', sources: [{ title: null, url: 'https://a.example/' }] } },
        () => '!',
      ),
    ).toBe('so it is [1]')
  })
})

describe('a citation', () => {
  test('replaces the mark of the upstream', () => {
    const text = '低于 5 ℃ 时会降到 2.2【9†source】。'
    expect(textWith(text, citing(text, { '【9†source】': page('https://a.example/') }).citations)).toBe(
      '低于 5 ℃ 时会降到 2.2[1]。',
    )
  })

  test('stands behind the words that are cited', () => {
    expect(textWith('地球是圆的。', [{ start_ix: 0, end_ix: 5, metadata: page('https://a.example/') }])).toBe(
      '地球是圆的[1]。',
    )
  })

  test.each([
    ['characters', 1],
    ['UTF-16 units', 2],
  ])('is found whether the upstream counts %s', (_, widthOfEmoji) => {
    const start_ix = 1 + widthOfEmoji
    expect(textWith('好🔌【1†a】完', [{ start_ix, end_ix: start_ix + 5, metadata: page('https://a.example/') }])).toBe(
      '好🔌[1]完',
    )
  })

  test('outside of the text is left out, and the text is complete', () => {
    const nowhere = [
      [-1, 2],
      [3, 1],
      [0, 9999],
      [1.5, 2],
      [Number.NaN, 2],
    ].map(([start_ix = 0, end_ix = 0]) => ({ start_ix, end_ix, metadata: page('https://a.example/') }))
    expect(textWith('一二三四', nowhere)).toBe('一二三四')
  })

  test('of any range removes nothing from the text', () => {
    const random = randomFrom(7)
    for (let run = 0; run < 300; run += 1) {
      const text = Array.from({ length: random.below(30) }, () => random.of(['字', 'a', '🔌', ' ', '\n', '*'])).join('')
      const citations = Array.from({ length: random.below(6) }, () => ({
        start_ix: random.below(40) - 4,
        end_ix: random.below(40) - 4,
        metadata: page(`https://${random.of(['a', 'b'])}.example/`),
      }))
      expect(citedText(text, withCitations(citations), () => '')).toBe(text)
    }
  })
})
