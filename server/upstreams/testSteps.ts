import type { Source } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { TEST_STEPS, type TestStep, type UpstreamTest } from '#contract/upstreams.ts'
import type { StoredTest } from '#server/foundation/database/schema/upstreams.ts'

/** The step at which a test failed that ended with this refusal. Any other refusal means that the address is wrong. */
const REFUSED_AT: Partial<Record<RefusalKey, TestStep>> = {
  'openai.401': 'key',
  'openai.403': 'key',
  'openai.quota': 'key',
  'openai.429': 'key',
  'openai.500': 'key',
  keyUnreadable: 'key',
  'openai.oneAtATime': 'key',
  'openai.accountDeactivated': 'key',
  'openai.unusualActivity': 'key',
}

/** A web account has no list of models. */
const LAST_STEP: Record<Source, TestStep> = { openai_api: 'models', openai_web: 'key' }

/** The outcome of each step: those before the failed one were passed, those after it not tried. */
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
