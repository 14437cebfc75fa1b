import { describe, expect, test } from 'vitest'
import { fileKindOf } from './fileKind.ts'
import { boxes } from './pictures/pictures.testing.ts'

const bytes = (text: string) => Uint8Array.from(text, character => character.charCodeAt(0))

describe('what a file is', () => {
  test.each([
    ['\xff\xd8\xff\xe0', 'a.pdf', { kind: 'picture', type: 'image/jpeg' }],
    ['GIF89a', 'a.txt', { kind: 'picture', type: 'image/gif' }],
    ['RIFF\0\0\0\0WEBPVP8X', 'a', { kind: 'picture', type: 'image/webp' }],
    ['RIFF\0\0\0\0WAVEfmt ', 'a.wav', { kind: 'text' }],
    ['%PDF-1.4', 'a.jpg', { kind: 'pdf' }],
    ['\n\n%PDF-1.4', 'a', { kind: 'pdf' }],
    ['PK\x03\x04', 'a.docx', { kind: 'archive' }],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'a.doc', { kind: 'compound' }],
    ['MZ\x90\0\x03', 'a.exe', { kind: 'notTaken' }],
    ['MZ is a code', 'a.txt', { kind: 'text', format: 'text' }],
    ['BM is two letters', 'a.txt', { kind: 'text', format: 'text' }],
    ['<svg onload="x()">', 'a.svg', { kind: 'text', format: 'code' }],
    ['<!DOCTYPE html><p>', 'page', { kind: 'text', format: 'webPage' }],
    ['From: a@b.c\nTo: d@e.f\nSubject: x\n\nhi', 'saved', { kind: 'text', format: 'mail' }],
    ['a,b', 'a.CSV', { kind: 'text', format: 'csv' }],
    ['# x', 'read.me.md', { kind: 'text', format: 'markdown' }],
    ['int main()', 'a.c', { kind: 'text', format: 'code' }],
  ])('is seen by its bytes: %j', (start, name, kind) => {
    expect(fileKindOf(bytes(start), name)).toMatchObject(kind)
  })
  test('is seen by the brand of pictures and films of one family', () => {
    expect(fileKindOf(boxes('avif', 1, 1), '')).toMatchObject({ type: 'image/avif' })
    expect(fileKindOf(boxes('heic', 1, 1), '')).toMatchObject({ type: 'image/heic' })
    expect(fileKindOf(bytes('\0\0\0\x10ftypisom\0\0\0\0'), '')).toEqual({ kind: 'notTaken' })
  })
})
