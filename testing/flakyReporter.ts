import type { Reporter, TestCase } from 'vitest/node'

/** Lists each test that passed only on retry, with its first failure, so that nobody overlooks it. */
export default class FlakyReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return
    console.warn(`flaky: ${test.module.relativeModuleId} › ${test.fullName}`)
    for (const { message, diff } of test.result().errors ?? [])
      console.warn(diff === undefined ? message : `${message}\n${diff}`)
  }
}
