import type { LimitWindow } from '#contract/plans.ts'
import { wallMoment } from './refusals/refusals.ts'
import type { UsageWindow } from './usage.ts'

type Moment = { now: number; time_zone: string }

/** One line for a terminal, of the window that binds first: "Main: 2 of 8 asks left in 5 h, next 14:20". */
export function usageLine([first]: readonly UsageWindow[], moment: Moment): string {
  if (first === undefined) return 'no limit\n'
  const { account, unit, window, left, share, resets_at } = first
  // Nothing in a label moves the cursor of a terminal.
  const label = account === null ? '' : `${account.replaceAll(/\p{C}/gu, '')}: `
  const amounts = `${AMOUNT.format(left)} of ${AMOUNT.format(share)}${unit === 'money' ? '' : ` ${unit}`} left`
  const next = resets_at === null ? '' : `, next ${wallMoment(Date.parse(resets_at), moment)}`
  return `${label}${amounts}${spanOf(window)}${next}\n`
}

const AMOUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

const HOUR = 3600
const DAY = 24 * HOUR

function spanOf(window: LimitWindow): string {
  if (!('seconds' in window)) return { day: ' today', week: ' this week', month: ' this month', ever: '' }[window.kind]
  const { seconds } = window
  if (seconds % DAY === 0) return ` in ${seconds / DAY} d`
  return seconds % HOUR === 0 ? ` in ${seconds / HOUR} h` : ` in ${Math.ceil(seconds / 60)} min`
}
