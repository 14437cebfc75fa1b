import type { LimitWindow } from '#contract/plans.ts'
import type { UsageWindow } from './usage.ts'

/** Minutes. */
const CALENDAR = { day: 1440, week: 10_080, month: 43_200 } as const

/** Minutes; null: it has no end. */
function lengthOf(window: LimitWindow): number | null {
  if ('seconds' in window) return Math.ceil(window.seconds / 60)
  return window.kind === 'ever' ? null : CALENDAR[window.kind]
}

/**
 * What is left, as tools read it of an answer: for Codex of the window that binds first and of the longest one, and in
 * the manner of OpenAI of the first one in asks and in tokens. `windows`: the one that binds first stands first.
 */
export function usageHeaders(windows: readonly UsageWindow[], { model, now }: { model: string; now: number }) {
  const ofModel = windows.filter(({ models }) => models === null || models.includes(model))
  const [first] = ofModel
  const longest = ofModel.reduce<UsageWindow | undefined>(
    (most, each) => (most === undefined || longerThan(each, most) ? each : most),
    undefined,
  )
  return {
    ...codexHeaders('primary', first),
    ...(longest !== first && codexHeaders('secondary', longest)),
    ...rateHeaders('requests', find(ofModel, 'asks'), now),
    ...rateHeaders('tokens', find(ofModel, 'tokens'), now),
  }
}

const longerThan = (one: UsageWindow, other: UsageWindow): boolean =>
  (lengthOf(one.window) ?? Infinity) > (lengthOf(other.window) ?? Infinity)

const find = (windows: readonly UsageWindow[], unit: UsageWindow['unit']) => windows.find(each => each.unit === unit)

function codexHeaders(name: 'primary' | 'secondary', window: UsageWindow | undefined): Record<string, string> {
  if (window === undefined) return {}
  const { share, left, resets_at } = window
  const minutes = lengthOf(window.window)
  const percent = share === 0 ? 100 : Math.round(100 * (1 - Math.min(1, left / share)))
  return {
    [`x-codex-${name}-used-percent`]: String(percent),
    ...(minutes !== null && { [`x-codex-${name}-window-minutes`]: String(minutes) }),
    ...(resets_at !== null && { [`x-codex-${name}-reset-at`]: String(Math.ceil(Date.parse(resets_at) / 1000)) }),
  }
}

function rateHeaders(
  unit: 'requests' | 'tokens',
  window: UsageWindow | undefined,
  now: number,
): Record<string, string> {
  if (window === undefined) return {}
  const { share, left, resets_at } = window
  const seconds = resets_at === null ? null : Math.max(0, Math.ceil((Date.parse(resets_at) - now) / 1000))
  return {
    [`x-ratelimit-limit-${unit}`]: String(share),
    [`x-ratelimit-remaining-${unit}`]: String(left),
    ...(seconds !== null && { [`x-ratelimit-reset-${unit}`]: `${seconds}s` }),
  }
}
