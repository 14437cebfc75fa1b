import type { LimitUse, MyUsage, UsageRequest } from '#contract/usage.ts'

// For tests: everything that the case is not about.

const NOTHING = {
  asks: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  tokens: 0,
  money: 0,
  seconds: 0,
  estimated: false,
}

export const aUsedRow = (fields: Partial<MyUsage['rows'][number]> = {}): MyUsage['rows'][number] => ({
  day: '2026-11-20',
  source: 'openai_api',
  model: 'gpt_4',
  ...NOTHING,
  asks: 1,
  ...fields,
})

export const aLimitUse = (fields: Partial<LimitUse> = {}): LimitUse => ({
  source: 'openai_api',
  unit: 'asks',
  amount: 10,
  used: 10,
  left: 0,
  window: { kind: 'day' },
  models: null,
  opens_at: null,
  origin: { from: 'own' },
  ...fields,
})

export const aRequest = (fields: Partial<UsageRequest> = {}): UsageRequest => ({
  id: 7,
  user_id: 2,
  nickname: '林小雨',
  source: 'openai_api',
  unit: 'asks',
  amount: 10,
  until: '2026-11-30T16:00:00.000Z',
  reason: '',
  create_time: '2026-11-20T05:00:00.000Z',
  upstream: null,
  part: null,
  decision: null,
  granted_amount: null,
  granted_until: null,
  word: '',
  decided_by: null,
  decide_time: null,
  ...fields,
})

export const someUsage = (fields: Partial<MyUsage> = {}): MyUsage => ({
  from: '2026-08-21T05:00:00.000Z',
  to: '2026-11-20T05:10:00.000Z',
  now: '2026-11-20T05:10:00.000Z',
  time_zone: 'Asia/Shanghai',
  currency: 'CNY',
  limits: [],
  rows: [],
  sum: NOTHING,
  requests: [],
  ...fields,
})
