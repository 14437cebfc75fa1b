import { describe, expect, test } from 'vitest'
import { sourcesIn, together } from './sources.ts'

const page = (url: string, title: string | null = null) => ({ url, title })

describe('the pages that an endpoint names as its sources', () => {
  test('stand beside the choices or in a message, as addresses or with titles', () => {
    const [a, b] = ['https://a.example/', 'http://b.example/x']
    expect(sourcesIn({ citations: [a, b] })).toEqual([page(a), page(b)])
    expect(
      sourcesIn({
        citations: [a],
        search_results: [
          { title: ' A \n page ', url: a, date: 'x' },
          { title: '', url: b },
        ],
      }),
    ).toEqual([page(a, 'A page'), page(b)])
    const annotations = [
      { type: 'url_citation', url_citation: { url: a, title: 'A', start_index: 0, end_index: 3 } },
      { type: 'file_citation' },
    ]
    for (const name of ['delta', 'message'])
      expect(sourcesIn({ choices: [{ [name]: { annotations } }] })).toEqual([page(a, 'A')])
  })
  test('stand in the fields that other endpoints have for them', () => {
    const a = 'https://a.example/'
    for (const answer of [
      { web_search: [{ title: 'A', link: a, refer: 'ref_1' }] },
      { references: [{ title: 'A', url: a }] },
      { search_info: { search_results: [{ index: 1, title: 'A', url: a }] } },
      { choices: [{ grounding_metadata: { groundingChunks: [{ web: { uri: a, title: 'A' } }] } }] },
      { choices: [{ groundingMetadata: { groundingChunks: [{ web: { uri: a, title: 'A' } }] } }] },
    ])
      expect(sourcesIn(answer)).toEqual([page(a, 'A')])
  })
  test('have the numbers that the text has for them, where some are named twice or are no pages', () => {
    const [a, b, c] = ['https://a.example/', 'https://b.example/', 'https://c.example/']
    expect(sourcesIn({ citations: [a, a, 'javascript:alert(1)', b] })).toEqual([
      { ...page(a), numbers: [1, 2] },
      { ...page(b), numbers: [4] },
    ])
    expect(sourcesIn({ citations: ['/x', a], search_results: [{ url: c }, { url: a }] })).toEqual([
      { ...page(a), numbers: [2] },
      { ...page(c), numbers: [1] },
    ])
  })
  test('are numbered in their order where each event names one', () => {
    const [a, b] = ['https://a.example/', 'https://b.example/']
    const first = sourcesIn({ citations: [a] })
    expect(together(first, sourcesIn({ citations: [b] }))).toEqual([page(a), page(b)])
    expect(together(together(first, sourcesIn({ citations: [b] })), sourcesIn({ citations: [a, b] }))).toEqual([
      page(a),
      page(b),
    ])
  })
  test('are pages of the web of bounded number and length, or none', () => {
    expect(
      sourcesIn({
        citations: [
          'javascript:alert(1)',
          'data:text/html,x',
          '/a',
          'https://a b',
          'https://a\u0000',
          `https://a/${'x'.repeat(3_000)}`,
          7,
          null,
          { url: {} },
        ],
      }),
    ).toEqual([])
    expect(sourcesIn({ citations: Array.from({ length: 500 }, (_, at) => `https://a.example/${at}`) })).toHaveLength(50)
    expect(sourcesIn({ citations: [{ url: 'https://a.example', title: 'x'.repeat(1_000) }] })[0]?.title).toHaveLength(
      300,
    )
    for (const none of [{}, { citations: 'https://a.example' }, { citations: null }, { choices: [null, 7] }])
      expect(sourcesIn(none)).toEqual([])
  })
  test('that are named again are the same, and get their title', () => {
    const before = together([], [page('https://a'), page('https://b')])
    expect(together(before, [page('https://b', 'B'), page('https://c'), page('https://a')])).toEqual([
      page('https://a'),
      page('https://b', 'B'),
      page('https://c'),
    ])
    expect(together(before, [])).toBe(before)
  })
})
