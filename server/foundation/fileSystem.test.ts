import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { emptyFolder } from '#testing/dataFolder.ts'
import { until } from '#testing/until.ts'
import { makeFolder, removeLeftovers, temporaryPath, writeAtomically } from './fileSystem.ts'

/** The number of a process that has ended. */
const gone = (): number => spawnSync(process.execPath, ['--version']).pid

describe('a file that is written atomically', () => {
  test('has its name when it is whole, and is nobody else’s to read', async () => {
    const folder = await emptyFolder()
    const to = join(folder, 'copy')
    await writeAtomically(to, async beside => {
      expect(await readdir(folder)).not.toContain('copy')
      await writeFile(beside, 'whole')
    })
    expect(await readdir(folder)).toEqual(['copy'])
    expect([await readFile(to, 'utf8'), (await stat(to)).mode & 0o777]).toEqual(['whole', 0o600])
  })
  test('leaves nothing when it fails', async () => {
    const folder = await emptyFolder()
    await expect(writeAtomically(join(folder, 'copy'), () => Promise.reject(new Error('disk full')))).rejects.toThrow(
      'disk full',
    )
    expect(await readdir(folder)).toEqual([])
  })
  test('never replaces another file, nor a link that leads nowhere', async () => {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'there'), 'kept')
    await symlink(join(folder, 'nothing'), join(folder, 'link'))
    for (const name of ['there', 'link'])
      await expect(writeAtomically(join(folder, name), beside => writeFile(beside, 'x'))).rejects.toThrow('EEXIST')
    expect((await readdir(folder)).toSorted()).toEqual(['link', 'there'])
    expect(await readFile(join(folder, 'there'), 'utf8')).toBe('kept')
  })
  test('clears away what killed processes left of it, and nothing that somebody is writing or that is of another file', async () => {
    const folder = await emptyFolder()
    const to = join(folder, 'copy')
    const mine = temporaryPath(to)
    const left = mine.replace(`.${process.pid}-`, `.${gone()}-`)
    const ofAnother = left.replace('copy', 'copy2')
    for (const each of [mine, left, `${left}-journal`, ofAnother]) await writeFile(each, 'half')
    await writeAtomically(to, beside => writeFile(beside, 'whole'))
    expect((await readdir(folder)).map(name => join(folder, name)).toSorted()).toEqual([to, mine, ofAnother].toSorted())
  })
  test.skipIf(process.platform !== 'linux')(
    'clears away what was left by one that was killed and that nobody has asked after',
    async () => {
      const to = join(await emptyFolder(), 'copy')
      // The shell becomes a program that does not wait for its child, and only then the child ends: a shell would
      // remove the zombie.
      const parent = spawn('/bin/sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 60'])
      onTestFinished(() => {
        parent.kill()
      })
      const [output] = (await once(parent.stdout, 'data')) as [Buffer]
      const pid = Number(String(output))
      await until(async () => expect(await readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'))
      parent.stdin.end()
      await until(async () => expect(await readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '))
      const left = temporaryPath(to).replace(`.${process.pid}-`, `.${pid}-`)
      await writeFile(left, 'half')
      await removeLeftovers(to)
      await expect(stat(left)).rejects.toThrow('ENOENT')
    },
  )
})

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
