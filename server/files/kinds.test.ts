import { describe, expect, test } from 'vitest'
import { requireKind } from './kinds.ts'
import { aGif, aJpeg, anAvif, aPng, aWebp } from './pictures/pictures.testing.ts'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const ZIP = latin('PK\x03\x04\x14\0\0\0')
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const TEXT = Buffer.from('名称,数量\n苹果,3\n')
const PROGRAMS: [what: string, head: Buffer][] = [
  ['a program of Windows', latin('MZ\x90\0\x03')],
  ['a program of Linux', latin('\x7fELF\x02\x01')],
  ['a program of macOS', latin('\xcf\xfa\xed\xfe')],
  ['WebAssembly', latin('\0asm\x01\0\0\0')],
  ['gzip', latin('\x1f\x8b\x08')],
  ['a database', latin('SQLite format 3\0')],
]

describe('what a file is', () => {
  test.each([
    ['image/png', aPng()],
    ['image/jpeg', aJpeg()],
    ['image/gif', aGif()],
    ['image/webp', aWebp()],
    ['image/avif', anAvif()],
  ])('is said by the first bytes of a picture, whichever picture its name says: %s', (content_type, head) => {
    for (const name of ['a.png', 'a.JPG', 'a.jfif', 'a.webp', 'a.gif', 'a.avif', 'IMG_0001', 'photo.unknown'])
      expect(requireKind(name, head).content_type, name).toBe(content_type)
  })
  test('is its size, too, of a picture and of nothing else', () => {
    expect(requireKind('a.png', aPng([], 640))).toMatchObject({ width: 640, height: 640 })
    expect(requireKind('a.csv', TEXT)).toEqual({ content_type: 'text/csv', width: null, height: null })
  })
  test.each([
    ['report.pdf', latin('%PDF-1.4\n'), 'application/pdf'],
    ['mail-header.pdf', latin(`${'x'.repeat(900)}%PDF-1.4`), 'application/pdf'],
    ['report', latin('%PDF-2.0\n'), 'application/pdf'],
    ['book.epub', ZIP, 'application/epub+zip'],
    ['table.XLSX', ZIP, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['table.xlsx', OLE, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['old.doc', OLE, 'application/msword'],
    ['notes.md', TEXT, 'text/markdown'],
    ['letter.eml', TEXT, 'message/rfc822'],
    ['page.html', latin('<!doctype html><script>alert(1)</script>'), 'text/plain'],
    ['drawing.svg', latin('<svg onload="alert(1)"/>'), 'text/plain'],
    ['Dockerfile', latin('FROM scratch'), 'text/plain'],
    ['backup.bin', latin('a\0b'), 'application/octet-stream'],
    ['notes.__proto__', TEXT, 'text/plain'],
  ])('is said by its bytes, and within them by its name: %s', (name, head, content_type) => {
    expect(requireKind(name, head).content_type).toBe(content_type)
  })
  test('is never a page or a script, whatever it is called', () => {
    for (const end of ['html', 'htm', 'svg', 'js', 'mjs', 'xml', 'xhtml', 'css', 'wasm', 'php'])
      expect(requireKind(`a.${end}`, latin('<script>alert(1)</script>')).content_type, end).toBe('text/plain')
  })
})

describe('a file that is something else than its name says', () => {
  test.each(PROGRAMS)('is refused as a text: %s', (_what, head) => {
    for (const name of ['notes.txt', 'a.csv', 'main.py', 'a.html'])
      expect(() => requireKind(name, head), name).toThrow('errors.fileKindDiffers')
  })
  test.each(PROGRAMS)('is refused as a picture, a document and an archive: %s', (_what, head) => {
    for (const name of ['a.png', 'a.pdf', 'a.docx', 'a.doc'])
      expect(() => requireKind(name, head), name).toThrow('errors.fileKindDiffers')
  })
  test.each([
    ['a page as a picture', 'a.png', latin('<html>')],
    ['a drawing as a picture', 'a.jpg', latin('<svg onload="alert(1)"/>')],
    ['a picture as a text', 'a.txt', aPng()],
    ['a picture as a document', 'a.docx', aJpeg()],
    ['a PDF as a text', 'a.md', latin('%PDF-1.7')],
    ['an archive as a PDF', 'a.pdf', ZIP],
    ['an archive as an old Word file', 'a.doc', ZIP],
    ['an old Office file as an e-book', 'a.epub', OLE],
    ['a PDF whose mark stands too late', 'a.pdf', latin(`${'x'.repeat(1_100)}%PDF-1.7`)],
    ['nothing as a picture', 'a.gif', Buffer.alloc(0)],
  ])('is refused by its name: %s', (_what, name, head) => {
    expect(() => requireKind(name, head)).toThrow(expect.objectContaining({ key: 'fileKindDiffers', values: { name } }))
  })
})
