import type { Source } from '#contract/models.ts'
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

/** A web account has no list of models. */
const LAST_STEP: Record<Source, TestStep> = { openai_api: 'models', openai_web: 'key' }

/** How far a test came: what is before the failure was in order, what is behind it was not tried. */
export function stepsOf(message: string | null, source: Source): UpstreamTest['steps'] {
  const steps: Readonly<Record<string, TestStep>> = REFUSED_AT
  const last = TEST_STEPS.indexOf(LAST_STEP[source])
  const failed = message === null ? last + 1 : TEST_STEPS.indexOf(steps[message.replace('errors.', '')] ?? 'address')
  return TEST_STEPS.map((step, at) => ({
    step,
    outcome: at < failed ? 'ok' : at === failed && message !== null ? 'failed' : 'untried',
  }))
}

export const testView = (test: StoredTest, source: Source): UpstreamTest => ({
  ...test,
  proxy: test.proxy ?? null,
  steps: stepsOf(test.message, source),
})
