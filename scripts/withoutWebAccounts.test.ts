import { execFile } from 'node:child_process'
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporaryFolder.ts'

const ROOT = join(import.meta.dirname, '..')
const PRODUCT = ['contract', 'server', 'web', 'simulator', 'testing', 'scripts']
const FILES = ['package.json', 'tsconfig.json', 'vitest.config.ts']

/** All that web accounts have of their own: their folders, and their line in each list. */
const FOLDERS = ['server/sources/openai_web', 'server/providers/openai_web', 'web/sources/openai_web']
const LISTS = ['server/sources/list/list.ts', 'web/sources/list/list.ts', 'testing/upstream.ts']
const THEIR_LINE = /^.*openai_?web.*\n/gim

const TESTS = [
  'server/providers/provider.contract.test.ts',
  'server/asking/asking.test.ts',
  'server/asking/chunks.test.ts',
  'server/asking/completion.test.ts',
  'server/asking/followers.test.ts',
  'server/asking/thread.test.ts',
]

const MINUTES = 60_000
const copy = join(temporaryFolder(), `without-web-accounts-${process.pid}`)

/** What a tool of the packages says of the copy, and whether it found nothing wrong. */
async function run(tool: string, ...given: string[]): Promise<{ isGood: boolean; output: string }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_OPTIONS$/.test(name)))
  const tried = promisify(execFile)(process.execPath, [join('node_modules', tool), ...given], { cwd: copy, env })
  return tried.then(
    ({ stdout }) => ({ isGood: true, output: stdout }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ isGood: false, output: stdout + stderr }),
  )
}

beforeAll(async () => {
  for (const name of [...PRODUCT, ...FILES]) await cp(join(ROOT, name), join(copy, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const folder of FOLDERS) await rm(join(copy, folder), { recursive: true })
  for (const list of LISTS) {
    const text = await readFile(join(copy, list), 'utf8')
    expect(text.match(THEIR_LINE), `${list}: one import and one line`).toHaveLength(2)
    await writeFile(join(copy, list), text.replace(THEIR_LINE, ''))
  }
  return () => rm(copy, { recursive: true })
}, MINUTES)

test('without web accounts the server and the page compile', { timeout: 3 * MINUTES }, async () => {
  const tests = ['**/*.test.ts', '**/*.test.tsx', '**/*.testing.ts', '**/*.testing.tsx']
  const settings = { extends: './tsconfig.json', include: ['contract', 'server', 'web', 'simulator'], exclude: tests }
  await writeFile(join(copy, 'tsconfig.without.json'), JSON.stringify(settings))
  const { output } = await run('typescript/bin/tsc', '--noEmit', '--singleThreaded', '-p', 'tsconfig.without.json')
  expect(output).toBe('')
})

test('without web accounts endpoints keep the contract of providers and answer', { timeout: 3 * MINUTES }, async () => {
  const { isGood, output } = await run('vitest/vitest.mjs', 'run', '--project', 'node', ...TESTS)
  expect(isGood, output).toBe(true)
  expect(output).toMatch(new RegExp(`${TESTS.length} passed`))
})
