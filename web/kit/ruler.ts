/** Up to so many, each allowed question has a tick of its own; beyond, fifty ticks stand in proportion. */
const MOST_TICKS = 60
const IN_PROPORTION = 50
const JOINED = 20

export type RulerLook = { ticks: number; filled: number; form: 'blocks' | 'ticks'; tone: 'calm' | 'warm' | 'full' }

/** At 80 % used all filled ticks turn amber, at 100 % red. */
export function rulerOf(used: number, allowed: number): RulerLook {
  const share = allowed <= 0 ? 1 : Math.min(1, used / allowed)
  const ticks = allowed > MOST_TICKS ? IN_PROPORTION : Math.max(1, allowed)
  // One that is used shows, and one that is left shows too.
  const rounded =
    share === 0 || share === 1 ? share * ticks : Math.min(ticks - 1, Math.max(1, Math.round(share * ticks)))
  return {
    ticks,
    filled: ticks === 1 ? Math.floor(share) : rounded,
    form: allowed <= JOINED ? 'blocks' : 'ticks',
    tone: share >= 1 ? 'full' : share >= 0.8 ? 'warm' : 'calm',
  }
}
