import type { RefusalKey } from '#contract/refusals.ts'
import { TEST_STEPS, type TestStep, type UpstreamTest } from '#contract/upstreams.ts'
import type { StoredTest } from '#server/foundation/database/schema/upstreams.ts'

/** What was reached when an upstream refused with this. All else says that nothing which could be asked is there. */
const REFUSED_AT: Partial<Record<RefusalKey, TestStep>> = {
  'openai.401': 'key',
  'openai.403': 'key',
  'openai.quota': 'key',
  'openai.429': 'key',
  'openai.500': 'key',
}

/** How far a test came: what is before the failure was in order, what is behind it was not tried. */
export function stepsOf(message: string | null): UpstreamTest['steps'] {
  if (message === null) return TEST_STEPS.map(step => ({ step, outcome: 'ok' }))
  const steps: Readonly<Record<string, TestStep>> = REFUSED_AT
  const failed = TEST_STEPS.indexOf(steps[message.replace('errors.', '')] ?? 'address')
  return TEST_STEPS.map((step, at) => ({ step, outcome: at < failed ? 'ok' : at === failed ? 'failed' : 'untried' }))
}

export const testView = (test: StoredTest): UpstreamTest => ({
  ...test,
  proxy: test.proxy ?? null,
  steps: stepsOf(test.message),
})
