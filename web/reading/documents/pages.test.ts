import { describe, expect, test } from 'vitest'
import { BOUNDS, type PageText } from '../reading.ts'
import { pagesOf } from './documents.testing.ts'
import { openPages } from './pages.ts'

describe('the pages of a document', () => {
  test('are sent on in pieces while they are read', () => {
    const sent: PageText[][] = []
    let now = 0
    const pages = openPages({ onText: pieces => void sent.push(pieces), onProgress: () => undefined }, () => now)
    pages.write('a')
    now = 1_000
    pages.write('b')
    pages.next('Two')
    pages.write('c')
    expect(sent).toEqual([[{ number: 1, text: 'ab' }]])
    pages.flush()
    expect(sent[1]).toEqual([
      { number: 1, text: '' },
      { number: 2, label: 'Two', text: 'c' },
    ])
  })
  test('are not more than are read', async () => {
    const { pages, error } = await pagesOf(into => {
      for (;;) into.next()
    })
    expect(error).toMatchObject({ reason: 'tooManyPages', values: { most: BOUNDS.pages } })
    expect(pages).toHaveLength(BOUNDS.pages)
  })
  test('know whether the open one has text', async () => {
    await pagesOf(into => {
      into.next()
      into.write(' \n')
      expect(into.isEmpty()).toBe(true)
      into.write('x')
      expect(into.isEmpty()).toBe(false)
    })
  })
})
