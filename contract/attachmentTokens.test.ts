import { describe, expect, test } from 'vitest'
import { attachmentTokens } from './attachmentTokens.ts'

const document = { as: 'text', size: 5_000_000, page_count: 10, tokens: 6_000 } as const

describe('what goes with a question takes', () => {
  test('as a picture what the picture takes', () => {
    expect(attachmentTokens({ as: 'picture', width: 1024, height: 1024 }, 'gpt-4o')).toBe(765)
    expect(attachmentTokens({ as: 'picture', width: 1024, height: 1024, detail: 'low' }, 'gpt-4o')).toBe(85)
  })
  test('as text what its text takes, or the part of it that is sent', () => {
    expect(attachmentTokens(document, 'gpt-4o')).toBe(6_040)
    expect(attachmentTokens({ ...document, pages: '1-3' }, 'gpt-4o')).toBe(1_840)
    expect(attachmentTokens({ ...document, tokens: null }, 'gpt-4o')).toBe(7_040)
    expect(attachmentTokens({ as: 'text', size: 400 }, 'gpt-4o')).toBe(140)
  })
  test('as pictures of pages what each page takes', () => {
    expect(attachmentTokens({ ...document, as: 'picture', pages: '2, 4' }, 'gpt-4o')).toBe(2 * 1105)
  })
  test('as a file its text, and each page looked at', () => {
    expect(attachmentTokens({ ...document, as: 'file' }, 'gpt-4o')).toBe(6_040 + 10 * 1105)
  })
  test('as pictures of all its pages where none are named, and of none that it does not have', () => {
    const all = attachmentTokens({ ...document, as: 'picture' }, 'gpt-4o')
    expect(all).toBe(10 * 1105)
    expect(attachmentTokens({ ...document, as: 'picture', pages: '9-400' }, 'gpt-4o')).toBe(2 * 1105)
    expect(attachmentTokens({ ...document, as: 'picture', pages: '11-12' }, 'gpt-4o')).toBe(0)
  })
  test('in its parts together no less than as a whole', () => {
    for (const tokens of [1, 7, 6_001, null]) {
      const parts = ['1-3', '4', '5-10'].map(pages => attachmentTokens({ ...document, tokens, pages }, 'gpt-4o'))
      expect(parts.reduce((sum, part) => sum + part)).toBeGreaterThanOrEqual(
        attachmentTokens({ ...document, tokens }, 'gpt-4o'),
      )
    }
  })
  test('as a file all of it, whichever pages are named: the endpoint gets the whole', () => {
    expect(attachmentTokens({ ...document, as: 'file', pages: '1' }, 'gpt-4o')).toBe(
      attachmentTokens({ ...document, as: 'file' }, 'gpt-4o'),
    )
  })
  test('something where nothing is known of it', () => {
    for (const as of ['text', 'picture', 'file'] as const) {
      const count = attachmentTokens({ as }, 'nobody-knows')
      expect(Number.isSafeInteger(count) && count > 0, as).toBe(true)
    }
    expect(attachmentTokens({ as: 'text', page_count: 0, tokens: null }, 'gpt-4o')).toBe(40)
  })
})
