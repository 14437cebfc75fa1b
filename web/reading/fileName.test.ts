import { describe, expect, test } from 'vitest'
import { cleanFileName, extensionOf, pictureName } from './fileName.ts'

describe('the name of a file', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\报告.docx', '报告.docx'],
    ['a\r\nSet-Cookie: x=1.txt', 'a Set-Cookie x=1.txt'],
    ['photo\u202Egnp.exe', 'photognp.exe'],
    ['\u2066a\u2069\u200b.txt', 'a.txt'],
    ['..', 'file'],
    ['\0', 'file'],
    ['  a   b .txt ', 'a b .txt'],
    ['a"b<c>|d?.md', 'a b c d .md'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['\ud800.txt', 'txt'],
  ])('%j is shown as %j', (name, clean) => {
    expect(cleanFileName(name)).toBe(clean)
  })
  test('of 300 characters keeps its beginning and its extension', () => {
    const name = cleanFileName(`${'长'.repeat(296)}.pdf`)
    expect(name).toMatch(/^长+….pdf$/)
    expect(name.length).toBeLessThanOrEqual(200)
    expect(cleanFileName(`${'x'.repeat(100)}.${'y'.repeat(300)}`)).toMatch(/y…$/)
  })
  test('has an extension in small letters, or none', () => {
    expect([extensionOf('a.TXT'), extensionOf('Makefile'), extensionOf('a. b')]).toEqual(['txt', '', ''])
  })
})

describe('the name of a picture', () => {
  test.each([
    ['a.JPEG', 'image/jpeg', 'a.JPEG'],
    ['a.b.avif', 'image/jpeg', 'a.b.jpg'],
    ['moving.gif', 'image/png', 'moving.png'],
    ['photo', 'image/png', 'photo.png'],
    ['a.xyz', 'image/other', 'a.xyz'],
  ])('%s that is now %s is %s', (name, type, renamed) => {
    expect(pictureName(name, type)).toBe(renamed)
  })
})
