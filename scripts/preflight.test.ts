import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

const RUNS = ['@fastify/static']
const BUILDS = [...RUNS, 'vite', 'react']

/** Runs `npm start` in a clone where nothing is built and only these packages are installed. */
function started(folder: string, packages: string[], env: NodeJS.ProcessEnv = {}) {
  const root = join(mkdtempSync(join(tmpdir(), 'commons-test-')), folder)
  onTestFinished(() => rmSync(join(root, '..'), { recursive: true, force: true }))
  cpSync(import.meta.dirname, join(root, 'scripts'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  for (const name of packages) {
    mkdirSync(join(root, 'node_modules', name), { recursive: true })
    writeFileSync(join(root, 'node_modules', name, 'package.json'), '{}')
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/start.mjs')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  })
  return { status, stdout, lines: stderr.trim().split('\n') }
}

describe('npm start', () => {
  test('without npm ci says in one line what to type', () => {
    expect(started('clone', [])).toEqual({
      status: 1,
      stdout: '',
      lines: ['Chat Commons is not installed in this folder yet. Type "npm ci", then "npm start".'],
    })
  })
  test.each([{ NODE_ENV: 'production' }, { npm_config_omit: 'dev' }])(
    'without npm ci, where npm would leave packages out (%j), says how it does not',
    env => {
      expect(started('clone', [], env).lines).toEqual([expect.stringContaining('Type "npm ci --include=dev"')])
    },
  )
  test.each([[RUNS], [[...RUNS, 'react']], [[...RUNS, 'vite']]])(
    'with %j alone says in one line how to install the rest',
    packages => {
      const { status, stdout, lines } = started('clone', packages, { NODE_ENV: 'production' })
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(lines).toEqual([expect.stringContaining('Type "npm ci --include=dev", then "npm start".')])
    },
  )
  test.each(['a#b', 'what?', '#'])('in a folder named %s says that it needs another name', folder => {
    const { status, lines } = started(folder, BUILDS)
    expect(status).toBe(1)
    expect(lines).toEqual([expect.stringMatching(/"[#?]" in its path: .*Give the folder another name/)])
  })
  test('begins to build where nothing is in the way, whatever else is in the path', () => {
    expect(started('100% of it + 中文', BUILDS).stdout).toContain('Building the page ...')
  })
})
