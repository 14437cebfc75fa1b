import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  ADMIN_KILOBYTES,
  adminLoadOf,
  builtPage,
  CHUNK_BUDGETS,
  chunkCycles,
  firstLoadOf,
  overBudget,
  SCREEN_BUDGETS,
  type Screen,
} from './firstLoad.ts'
import { isTest } from './sources.ts'

const SCREENS = Object.keys(SCREEN_BUDGETS) as Screen[] // the keys of a literal

let output: Awaited<ReturnType<typeof builtPage>>

beforeAll(async () => {
  // Vitest sets another value, with which libraries are bundled in their development form.
  vi.stubEnv('NODE_ENV', 'production')
  output = await builtPage()
})
afterAll(() => {
  vi.unstubAllEnvs()
})

describe('the first load', () => {
  test.each(SCREENS)('of the screen %s is within its budget', screen => {
    expect(overBudget(screen, firstLoadOf(output, screen))).toEqual([])
  })
  test.each(SCREENS)('of the screen %s has every chunk of the table', screen => {
    const names = new Set(firstLoadOf(output, screen).map(({ name }) => name))
    const wanted = Object.keys(CHUNK_BUDGETS).filter(name => CHUNK_BUDGETS[name]?.screens.includes(screen))
    expect(wanted.filter(name => !names.has(name))).toEqual([])
  })
  test.each(SCREENS)('of the screen %s has nothing of import, export, reading and the steps of tools', screen => {
    const modules = firstLoadOf(output, screen).flatMap(({ moduleIds = [] }) => moduleIds)
    expect(modules).toContainEqual(expect.stringMatching(/web\/main\.tsx$/))
    expect(
      modules.filter(id =>
        /[\\/](web[\\/](?:transfer|reading)[\\/].*\.tsx?|i18n[\\/]reading\.ts|Step[A-Z]\w+\.tsx|stepTexts)/.test(id),
      ),
    ).toEqual([])
  })
})

describe('a first load over its budget', () => {
  test('is found by the chunk that is too large, or is not of the screen', () => {
    const files = ['shared', 'shared', 'forms', 'other'].map(name => ({ name, kilobytes: 50 }))
    expect(overBudget('conversation', files)).toEqual([
      'shared: 100.0 KB of 82',
      'forms: is not of this screen',
      'other: is not of this screen',
    ])
  })
  test('is found by its sum and its number of requests', () => {
    const files = Array.from({ length: 20 }, () => ({ name: 'style', kilobytes: 15 }))
    expect(overBudget('login', files)).toEqual(['style: 300.0 KB of 30', 'all: 300.0 KB of 184', '21 requests of 14'])
  })
})

describe('the admin area', () => {
  test('is within its budget, and loads what draws plots with the first plot', () => {
    const files = adminLoadOf(output)
    expect(files.reduce((sum, { kilobytes }) => sum + kilobytes, 0)).toBeLessThan(ADMIN_KILOBYTES)
    expect(
      files.filter(({ moduleIds }) => moduleIds?.some(id => id.includes('uplot'))).map(({ name }) => name),
    ).toEqual(['Plot'])
  })
})

describe('the page', () => {
  test('has one style sheet, and others of what opens on request', () => {
    const styles = output.map(({ fileName }) => fileName).filter(file => file.endsWith('.css'))
    expect(styles.map(file => /^assets\/(\w+)-/.exec(file)?.[1]).toSorted()).toEqual([
      'accountStyle',
      'administrationStyle',
      'attachmentStyle',
      'invitationStyle',
      'keepingStyle',
      'keysStyle',
      'noticeStyle',
      'oversightStyle',
      'promptStyle',
      'sharesStyle',
      'style',
      'transferStyle',
      'usageStyle',
      'userMenuStyle',
    ])
  })
  test('has the worker that reads files under the name for which the server has a policy', () => {
    expect(output.filter(({ fileName }) => fileName.startsWith('assets/readingWorker-'))).toHaveLength(1)
  })
  test('has no chunks that import each other', () => {
    expect(chunkCycles(output)).toEqual([])
  })
  test('has no module for tests', () => {
    const ids = output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
    expect(ids.length).toBeGreaterThan(500)
    expect(ids.filter(path => isTest({ path }))).toEqual([])
  })
})
