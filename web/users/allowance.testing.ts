import type { Allowance, SourceAllowance, Verdict } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'

/** For tests: everything that the case is not about. */
export const MAY_ASK: Verdict = { may_ask: true, message: null, values: null, opens_at: null }
const UNBOUNDED = { used: 0, allowed: UNLIMITED, remaining: UNLIMITED }

export function refusedBy(key: string, opens_at: string | null = null): Verdict {
  return { may_ask: false, message: `errors.${key}`, values: null, opens_at }
}

export function aModel(
  model: string,
  verdict: Verdict = MAY_ASK,
  remaining: number = UNLIMITED,
): SourceAllowance['models'][number] {
  return { model, verdict, count: remaining === UNLIMITED ? UNBOUNDED : { used: 0, allowed: remaining, remaining } }
}

export function ofApi(more: Partial<SourceAllowance> = {}): SourceAllowance {
  return {
    source: 'openai_api',
    verdict: MAY_ASK,
    new_conversation: MAY_ASK,
    valid_until: null,
    daily_available_time_slots: [],
    total: UNBOUNDED,
    conversations: { used: 0, allowed: UNLIMITED },
    windows: [],
    models: [aModel('gpt_3_5'), aModel('gpt_4')],
    ...more,
  }
}

export function anAllowance(more: Partial<SourceAllowance> = {}, now = new Date().toISOString()): Allowance {
  return { now, time_zone: 'Asia/Shanghai', sources: [ofApi(more)] }
}
