import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder } from '#testing/dataFolder.ts'
import { makeFolder } from './makeFolder.ts'

describe('a folder', () => {
  test('is made with those above it, for its owner alone, and only once', async () => {
    const above = await emptyFolder()
    const path = join(above, 'a', 'b', 'c')
    expect(makeFolder(`${path}/`)).toBe(true)
    for (const part of ['a', 'a/b', 'a/b/c']) expect((statSync(join(above, part)).mode & 0o777).toString(8)).toBe('700')
    expect(makeFolder(path)).toBe(false)
  })
  test('may be there by another name', async () => {
    const above = await emptyFolder()
    symlinkSync(above, join(above, 'link'))
    expect(makeFolder(join(above, 'link'))).toBe(false)
  })
  test('is not made of a file, nor below one, nor where a name points at nothing, nor by a name that is too long', async () => {
    const above = await emptyFolder()
    writeFileSync(join(above, 'file'), '')
    symlinkSync(join(above, 'nowhere'), join(above, 'dangling'))
    for (const name of ['file', 'dangling', 'dangling/x'])
      expect(() => makeFolder(join(above, name)), name).toThrow('EEXIST')
    expect(() => makeFolder(join(above, 'file/x'))).toThrow('ENOTDIR')
    expect(() => makeFolder(join(above, 'a/'.repeat(5_000)))).toThrow('ENAMETOOLONG')
    expect(existsSync(join(above, 'a'))).toBe(false)
  })
})
