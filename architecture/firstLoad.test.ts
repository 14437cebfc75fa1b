import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { chunksOfPage, type FirstLoad, firstLoadOf, knownFirstLoad } from './firstLoad.ts'
import { isTest } from './sources.ts'

type Chunks = Awaited<ReturnType<typeof chunksOfPage>>

const known = knownFirstLoad()
let chunks: Chunks = []

beforeAll(async () => {
  // Vitest sets another value, with which libraries are bundled in their development form.
  vi.stubEnv('NODE_ENV', 'production')
  chunks = await chunksOfPage()
})
afterAll(() => {
  vi.unstubAllEnvs()
})

describe('the first load', () => {
  test.each(Object.keys(known.screens))('of the screen %s begins with the chunks that firstLoad.json lists', screen => {
    expect(firstLoadOf(chunks).screens[screen]).toEqual(known.screens[screen])
  })
  test.each(Object.entries(known.screens))('of the screen %s is compiled while it arrives', (_screen, names) => {
    const isHinted = ({ code }: Chunks[number]) => code.startsWith('//# allFunctionsCalledOnLoad\n')
    const hinted = new Set(chunks.filter(isHinted).map(({ name }) => name))
    expect(names.filter(name => !hinted.has(name))).toEqual(['rolldown-runtime'])
  })
  test('holds no module that firstLoad.json does not list. Is it wanted there? `node scripts/node.mjs architecture/firstLoad.ts` lists it', () => {
    expect(missingIn(known, firstLoadOf(chunks))).toEqual([])
  })
  test('holds every module that firstLoad.json lists; the same command takes out what has left', () => {
    expect(missingIn(firstLoadOf(chunks), known)).toEqual([])
  })
  test('is not the same with one module more', () => {
    const [first, ...others] = chunks.filter(({ moduleIds }) => moduleIds.some(id => id.endsWith('/web/main.tsx')))
    expect(others).toEqual([])
    const more = chunks.map(chunk =>
      chunk === first
        ? { ...chunk, moduleIds: [...chunk.moduleIds, join(import.meta.dirname, '../web/kit/New.tsx')] }
        : chunk,
    )
    expect(missingIn(firstLoadOf(chunks), firstLoadOf(more))).toEqual(['shell: web/kit/New.tsx'])
  })
})

describe('the page', () => {
  test('holds no module for tests', () => {
    const ids = chunks.flatMap(({ moduleIds }) => moduleIds)
    expect(ids.length).toBeGreaterThan(500)
    expect(ids.filter(path => isTest({ path }))).toEqual([])
  })
})

/** Modules that `second` has and `first` lacks, as 'chunk: module'. */
function missingIn(first: FirstLoad, second: FirstLoad): string[] {
  return Object.entries(second.chunks).flatMap(([name, modules]) =>
    modules.filter(each => !first.chunks[name]?.includes(each)).map(each => `${name}: ${each}`),
  )
}
