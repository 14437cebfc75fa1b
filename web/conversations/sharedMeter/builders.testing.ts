import type { AccountMeter } from '#contract/status.ts'

/** For tests: a shared account at rest. */
export function anAccount(more: Partial<AccountMeter> = {}): AccountMeter {
  return {
    source: 'openai_web',
    upstream_id: 1,
    label: '',
    paused: false,
    cooling_until: null,
    cooling_models: [],
    running: 0,
    places: 1,
    waiting: 0,
    seconds_per_answer: null,
    used: 0,
    allowed: 50,
    window_seconds: 10_800,
    pool: null,
    returns: [],
    line: [],
    ...more,
  }
}

/** A queue of `running` people who are being answered and `waiting` who are not; `me` is one's own index. */
export function aQueue(running: number, waiting: number, me = -1): Pick<AccountMeter, 'running' | 'waiting' | 'line'> {
  const line = Array.from({ length: running + waiting }, (_, at) => ({
    nickname: at === me ? '小雨' : null,
    is_me: at === me,
    state: at < running ? ('asking' as const) : ('queueing' as const),
  }))
  return { running, waiting, line: line.slice(0, 20) }
}
