import { describe, expect, test } from 'vitest'
import { aDocument, aPicture, FILE_ID } from './builders.testing.ts'
import { linesOf, storedIn } from './draftLines.ts'

const OTHER_ID = FILE_ID.replace(/1$/, '2')

describe('the lines of a draft', () => {
  test('have what the server has, how it goes with the question, and nothing else', () => {
    const document = { ...aDocument({ page_tokens: [1, 2] }), as: 'text' as const, pages: '1' }
    const stored = storedIn(linesOf([document, { ...aPicture(), file_id: OTHER_ID }, { ...aPicture(), file_id: null }]))
    expect(stored).toMatchObject([
      { file_id: FILE_ID, name: 'd.pdf', as: 'text', pages: '1', content: { kind: 'document', page_tokens: null } },
      { file_id: OTHER_ID, content: { kind: 'picture', width: 1_000 } },
    ])
  })
  test('of two tabs are read once each', () => {
    const line = linesOf([aPicture()])
    expect(storedIn(`${line}\n${line}`)).toHaveLength(1)
  })
  test('that somebody else has written are left out', () => {
    const line = linesOf([aPicture()])
    const wrong = ['', '{', '[]', '{"file_id":"../../etc"}', line.replace('"kind":"picture"', '"kind":"script"')]
    expect(storedIn(wrong.join('\n'))).toEqual([])
  })
})
