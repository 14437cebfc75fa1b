import { describe, expect, test } from 'vitest'
import { closing, playwrightCounts, total, vitestCounts } from './counts.ts'

const vitestReport = (changes: object) =>
  JSON.stringify({ numPassedTests: 0, numFailedTests: 0, testResults: [], ...changes })
const playwrightReport = (stats: object, errors: unknown[] = []) =>
  JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors })

const passed = { status: 'passed', fullName: 'an ask is answered', failureMessages: [] }
const failed = { status: 'failed', fullName: 'an ask is stored', failureMessages: ['it was not'] }
const file = (changes: object) => ({
  name: 'asks.test.ts',
  status: 'failed',
  message: '',
  assertionResults: [],
  ...changes,
})

describe('the counts of Vitest', () => {
  test('are its passed and failed tests', () => {
    expect(vitestCounts(vitestReport({ numPassedTests: 7, numFailedTests: 2 }))).toMatchObject({ passed: 7, failed: 2 })
  })
  test('hold a file that broke before its first test as one failure, and name it', () => {
    const testResults = [file({ message: 'no such module' })]
    expect(vitestCounts(vitestReport({ numPassedTests: 7, testResults }))).toEqual({
      passed: 7,
      failed: 1,
      failures: ['asks.test.ts: no such module'],
    })
  })
  test('do not count a failed test twice, and name it', () => {
    const testResults = [file({ assertionResults: [failed, passed] })]
    expect(vitestCounts(vitestReport({ numPassedTests: 1, numFailedTests: 1, testResults }))).toEqual({
      passed: 1,
      failed: 1,
      failures: ['asks.test.ts › an ask is stored: it was not'],
    })
  })
})

describe('the counts of Playwright', () => {
  test('are its expected and unexpected outcomes', () => {
    expect(playwrightCounts(playwrightReport({ expected: 4, unexpected: 1 }))).toMatchObject({ passed: 4, failed: 1 })
  })
  test('hold what passed when tried again as passed', () => {
    expect(playwrightCounts(playwrightReport({ expected: 4, flaky: 1 }))).toMatchObject({ passed: 5, failed: 0 })
  })
  test('hold an error outside any test as failed', () => {
    expect(playwrightCounts(playwrightReport({ expected: 4 }, [{ message: 'no such file' }]))).toMatchObject({
      passed: 4,
      failed: 1,
    })
  })
})

describe('the closing', () => {
  test('ends with the total over all runners, alone on its line', () => {
    expect(
      closing(
        total([
          { passed: 3, failed: 0, failures: [] },
          { passed: 4, failed: 0, failures: [] },
        ]),
      ),
    ).toBe('\n7 passed, 0 failed')
  })
  test('says before it what failed', () => {
    expect(
      closing(
        total([
          { passed: 3, failed: 1, failures: ['Types'] },
          { passed: 4, failed: 1, failures: ['asks.test.ts'] },
        ]),
      ),
    ).toBe('failed: Types\nfailed: asks.test.ts\n\n7 passed, 2 failed')
  })
})
