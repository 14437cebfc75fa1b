import { cleanName } from './uploadedFile.ts'
import { describe, expect, test } from 'vitest'

describe('a file’s name', () => {
  test.each(['plan.pdf', '照片 1.png', '😀.txt', 'a\'b;c"d.txt', '.hidden', 'a%2Fb'])(
    'stays as it was given: %j',
    name => {
      expect(cleanName(name)).toBe(name)
    },
  )
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\fake\\x.txt', 'x.txt'],
    ['a\0b\r\nc\t', 'abc'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['x\uD800y', 'x\uFFFDy'],
    ['  a  ', 'a'],
    ['', 'file'],
    ['..', 'file'],
    ['a/', 'file'],
    [' \n ', 'file'],
  ])('holds nothing that is unseen and is no path: %j', (given, name) => {
    expect(cleanName(given)).toBe(name)
  })
  test('has at most 255 characters, of which the end says what it is', () => {
    expect(cleanName(`${'a'.repeat(300)}.txt`)).toBe(`${'a'.repeat(251)}.txt`)
    expect(cleanName(`${'😀'.repeat(200)}.md`)).toBe(`${'😀'.repeat(126)}.md`)
    expect(cleanName(`a.${'😀'.repeat(200)}`).isWellFormed()).toBe(true)
  })
})
