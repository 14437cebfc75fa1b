import * as z from 'zod/mini'

export type Counts = { passed: number; failed: number }

const VitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({
    status: z.string(),
    assertionResults: z.array(z.object({ status: z.string() })),
  })),
})

/** A file that broke before its first test has no failed test in it, so it counts as one itself. */
export function vitestCounts(report: string): Counts {
  const { numPassedTests, numFailedTests, testResults } = VitestReport.parse(JSON.parse(report))
  const broken = testResults.filter(file => file.status === 'failed' && file.assertionResults.every(test => test.status !== 'failed'))
  return { passed: numPassedTests, failed: numFailedTests + broken.length }
}

const PlaywrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }),
  errors: z.array(z.unknown()),
})

/** What passed when it was tried again has passed; the runner's own list names it as flaky. */
export function playwrightCounts(report: string): Counts {
  const { stats, errors } = PlaywrightReport.parse(JSON.parse(report))
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }
}

export function total(all: Counts[]): Counts {
  return {
    passed: all.reduce((sum, counts) => sum + counts.passed, 0),
    failed: all.reduce((sum, counts) => sum + counts.failed, 0),
  }
}

/** The closing line, read by people and by machines: it stands alone and last. */
export function closingLine({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`
}
