import { describe, expect, test } from 'vitest'
import { closingLine, playwrightCounts, total, vitestCounts } from './counts.ts'

const vitestReport = (changes: object) => JSON.stringify({ numPassedTests: 0, numFailedTests: 0, testResults: [], ...changes })
const playwrightReport = (stats: object, errors: unknown[] = []) =>
  JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors })

describe('the counts of Vitest', () => {
  test('are its passed and failed tests', () => {
    expect(vitestCounts(vitestReport({ numPassedTests: 7, numFailedTests: 2 }))).toEqual({ passed: 7, failed: 2 })
  })
  test('hold a file that broke before its first test as one failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }]
    expect(vitestCounts(vitestReport({ numPassedTests: 7, testResults }))).toEqual({ passed: 7, failed: 1 })
  })
  test('do not count a failed test twice', () => {
    const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }]
    expect(vitestCounts(vitestReport({ numPassedTests: 1, numFailedTests: 1, testResults }))).toEqual({ passed: 1, failed: 1 })
  })
})

describe('the counts of Playwright', () => {
  test('are its expected and unexpected outcomes', () => {
    expect(playwrightCounts(playwrightReport({ expected: 4, unexpected: 1 }))).toEqual({ passed: 4, failed: 1 })
  })
  test('hold what passed when tried again as passed', () => {
    expect(playwrightCounts(playwrightReport({ expected: 4, flaky: 1 }))).toEqual({ passed: 5, failed: 0 })
  })
  test('hold an error outside any test as failed', () => {
    expect(playwrightCounts(playwrightReport({ expected: 4 }, [{ message: 'no such file' }]))).toEqual({ passed: 4, failed: 1 })
  })
})

describe('the closing line', () => {
  test('gives the total over all runners', () => {
    expect(closingLine(total([{ passed: 3, failed: 0 }, { passed: 4, failed: 1 }]))).toBe('7 passed, 1 failed')
  })
})
