import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { importsOf, readOurs } from '../architecture/sources.ts'
import { compressPage } from './compressPage.ts'
import { pageHash, serverHash } from './buildCache.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commons-page-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the hash of the page’s sources', () => {
  beforeEach(() => {
    for (const path of ['web/kit', 'scripts']) mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, 'web/index.html'), 'page')
    writeFileSync(join(folder, 'web/kit/Button.tsx'), 'button')
  })

  test('is the same for the same contents', () => {
    const before = pageHash(folder)
    writeFileSync(join(folder, 'web/index.html'), 'page')
    expect(pageHash(folder)).toBe(before)
  })
  test.each([
    'web/index.html',
    'web/kit/Button.tsx',
    'web/kit/New.tsx',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])('changes with %s', path => {
    const before = pageHash(folder)
    writeFileSync(join(folder, path), 'changed')
    expect(pageHash(folder)).not.toBe(before)
  })
  test.each([...builders('vite.config.ts', 'scripts/buildPage.ts', 'scripts/firstPaint.ts')])(
    'changes with %s, which the build runs',
    path => {
      const before = pageHash(folder)
      writeFileSync(join(folder, path), 'changed')
      expect(pageHash(folder)).not.toBe(before)
    },
  )
  test.each(['Button.test.tsx', 'button.testing.tsx'])('does not change with %s, a part of the tests', name => {
    const before = pageHash(folder)
    writeFileSync(join(folder, 'web/kit', name), 'test')
    expect(pageHash(folder)).toBe(before)
  })
})

describe('the hash of the server’s sources', () => {
  beforeEach(() => {
    for (const path of ['server', 'simulator/answers', 'contract', 'web', 'scripts'])
      mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, 'server/main.ts'), 'main')
  })

  test.each([
    'server/main.ts',
    'simulator/answers/english.md',
    'contract/asking.ts',
    'package.json',
    'package-lock.json',
    'scripts/buildServer.ts',
  ])('changes with %s', path => {
    const before = serverHash(folder)
    writeFileSync(join(folder, path), 'changed')
    expect(serverHash(folder)).not.toBe(before)
  })
  test.each(['server/main.test.ts', 'web/main.tsx'])('does not change with %s, which it is not built from', path => {
    const before = serverHash(folder)
    writeFileSync(join(folder, path), 'other')
    expect(serverHash(folder)).toBe(before)
  })
})

describe('the compressed page', () => {
  const text = 'the same words again and again; '.repeat(200)

  test('has a brotli and a gzip twin of each larger text', async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'assets/index.js'), text)
    const { files, bytes, compressed } = await compressPage(folder)
    expect(brotliDecompressSync(readFileSync(join(folder, 'assets/index.js.br'))).toString()).toBe(text)
    expect(gunzipSync(readFileSync(join(folder, 'assets/index.js.gz'))).toString()).toBe(text)
    expect({ files, bytes }).toEqual({ files: 1, bytes: text.length })
    expect(compressed).toBeLessThan(bytes)
  })
  test('leaves small texts and pictures alone', async () => {
    writeFileSync(join(folder, 'small.css'), 'a { color: red }')
    writeFileSync(join(folder, 'picture.png'), text)
    await compressPage(folder)
    expect(['small.css.br', 'picture.png.br'].filter(name => existsSync(join(folder, name)))).toEqual([])
  })
})

/** These files and all that they import from the root and from scripts/. */
function builders(...paths: string[]): Set<string> {
  const found = new Set(paths)
  // A loop over a set also visits what is added during the loop.
  for (const path of found) {
    for (const { of, ours } of importsOf({ path, text: readOurs(path), lines: 0 }))
      if (ours && ['.', 'scripts'].includes(dirname(of))) found.add(of)
  }
  return found
}
