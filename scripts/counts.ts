import * as z from 'zod/mini'

/** `failures` names what the runner's own output would leave far above the closing line. */
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

/** A file that broke before its first test has no failed test in it, so it counts as one itself. */
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

/** What passed when it was tried again has passed; the runner's own list, which is the last one, names it as flaky, and what failed as well. */
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

/** What failed, and the closing line, read by people and by machines: it stands alone and last. */
export function closing({ passed, failed, failures }: Counts): string {
  return [...failures.map(failure => `failed: ${failure}`), '', `${passed} passed, ${failed} failed`].join('\n')
}
