import type { Reporter, TestCase } from 'vitest/node'

/** Names each test that passed only when it was tried again, and why it failed before, so that nobody overlooks it among thousands that passed at once. */
export default class FlakyReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return
    console.warn(`flaky: ${test.module.relativeModuleId} › ${test.fullName}`)
    for (const { message, diff } of test.result().errors ?? [])
      console.warn(diff === undefined ? message : `${message}\n${diff}`)
  }
}
