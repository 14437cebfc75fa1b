import { describe, expect, test } from 'vitest'
import { WebFileId, webFileIn, webFilePointer } from './files.ts'

describe('the id of a file at the web service', () => {
  test.each(['file-AbCd1234', 'file_00000000ab12cd34ef56ab78cd90ef12', 'file-a_b', 'file_0-1'])(
    'is of either form: %s',
    id => {
      expect(WebFileId.safeParse(id).success).toBe(true)
      expect(webFileIn(webFilePointer(id))).toBe(id)
    },
  )
  test.each([
    'file',
    'file-',
    'file_',
    'files-a',
    'file-a/b',
    'file-a.b',
    '../file-a',
    'file-a\n',
    `file_${'a'.repeat(65)}`,
  ])('is nothing else: %j', id => {
    expect(WebFileId.safeParse(id).success).toBe(false)
    expect(webFileIn(id)).toBeNull()
  })
})

describe('a pointer to a file', () => {
  test.each([
    ['file-service://file-AbCd1234', 'file-AbCd1234'],
    ['sediment://file_00000000ab12', 'file_00000000ab12'],
    ['sediment://file-AbCd1234', 'file-AbCd1234'],
    ['file-service://file_00000000ab12', 'file_00000000ab12'],
    ['sediment://file_00ab#file_00ab#p_0.jpg', 'file_00ab'],
    ['sediment://0ec4b1#file_00000000ab12#wm.png', 'file_00000000ab12'],
    ['file_00000000ab12', 'file_00000000ab12'],
  ])('%s leads to %s', (pointer, id) => {
    expect(webFileIn(pointer)).toBe(id)
  })
  test.each(['https://example.org/file_00ab', 'sediment://', 'sediment://other_00ab', 'data:image/png;base64,file-a'])(
    '%s leads to none',
    pointer => {
      expect(webFileIn(pointer)).toBeNull()
    },
  )
})
