import * as z from 'zod/mini'

/** `failures` repeats the failed tests at the end, because the runner's own list stands far above the closing line. */
export type Counts = { passed: number; failed: number; failures: string[] }

const VitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
})

/** A file that failed before its first test contains no failed test, so the file counts as one. */
export function vitestCounts(report: string): Counts {
  const { numPassedTests, numFailedTests, testResults } = VitestReport.parse(JSON.parse(report))
  const broken = testResults.filter(
    file => file.status === 'failed' && file.assertionResults.every(test => test.status !== 'failed'),
  )
  const failures = [
    ...testResults.flatMap(file =>
      file.assertionResults
        .filter(test => test.status === 'failed')
        .map(test => `${file.name} › ${test.fullName}: ${test.failureMessages.join('\n')}`),
    ),
    ...broken.map(file => `${file.name}: ${file.message}`),
  ]
  return { passed: numPassedTests, failed: numFailedTests + broken.length, failures }
}

const PlaywrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }),
  errors: z.array(z.unknown()),
})

/** A test that passed on retry counts as passed. Playwright's own list at the end names flaky and failed tests. */
export function playwrightCounts(report: string): Counts {
  const { stats, errors } = PlaywrightReport.parse(JSON.parse(report))
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length, failures: [] }
}

export function total(all: Counts[]): Counts {
  return {
    passed: all.reduce((sum, counts) => sum + counts.passed, 0),
    failed: all.reduce((sum, counts) => sum + counts.failed, 0),
    failures: all.flatMap(counts => counts.failures),
  }
}

/** The failed tests, then the closing line, which people and machines read: it stands alone and last. */
export function closing({ passed, failed, failures }: Counts): string {
  return [...failures.map(failure => `failed: ${failure}`), '', `${passed} passed, ${failed} failed`].join('\n')
}
