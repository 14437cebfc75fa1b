import type { Reporter, TestCase } from 'vitest/node'

/** Names each test that passed only when it was tried again, so that nobody overlooks it among thousands that passed at once. */
export default class FlakyReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) console.warn(`flaky: ${test.module.relativeModuleId} › ${test.fullName}`)
  }
}
