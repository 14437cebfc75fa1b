import type { Source } from '#contract/models.ts'
import type { Share, SharePerson, ShareWindow } from '#contract/shares.ts'
import { ownLeft } from './bar.ts'
import { isBlocked, isOwnUsedUp } from './state.ts'

/** What the next ask takes: of one's own, or of what others leave. `window`: the one that leaves least. */
export type NextAsk = { share: Share; window: ShareWindow; isBorrowed: boolean }

/** Null where the model is of no account that is shared by shares, or nothing can be asked of it now. */
export function nextAsk(
  shares: readonly Share[],
  { source, model }: { source: Source; model: string },
): NextAsk | null {
  const all = shares.flatMap(share => {
    const windows = share.windows.filter(({ mine, models }) => mine !== null && (models?.includes(model) ?? true))
    const [first] = windows
    if (share.source !== source || share.sharing !== 'shares' || first === undefined || windows.some(isBlocked))
      return []
    const usedUp = windows.filter(isOwnUsedUp)
    const left = ({ mine }: ShareWindow) => (usedUp.length > 0 ? (mine?.may_borrow ?? 0) : ownLeft(mine))
    const binding = usedUp.length > 0 ? usedUp : windows
    const window = binding.reduce((least, each) => (left(each) < left(least) ? each : least), binding[0] ?? first)
    return { share, window, isBorrowed: usedUp.length > 0 }
  })
  return all.find(({ isBorrowed }) => !isBorrowed) ?? all[0] ?? null
}

/** Of whose share it is borrowed: of whoever leaves most. Null: of nobody's who could be named. */
export function lenderOf({ people }: ShareWindow): SharePerson | null {
  const unused = ({ share, used, lent, kept }: SharePerson) => share - used - lent - kept
  const [first] = people.filter(person => !person.is_me && unused(person) > 0).toSorted((a, b) => unused(b) - unused(a))
  return first ?? null
}

/** The first window that leaves nothing for a model now. */
export function refusingWindow(
  shares: readonly Share[],
  source: Source,
  model: string,
): { share: Share; window: ShareWindow } | undefined {
  return shares
    .filter(share => share.source === source && share.sharing === 'shares')
    .flatMap(share => share.windows.map(window => ({ share, window })))
    .find(({ window }) => (window.models?.includes(model) ?? true) && isBlocked(window))
}

const MINUTE = 60_000

/** What of one's own comes back at a moment; null where it opens for another reason, or nothing says how much. */
export function ownAt({ mine }: ShareWindow, moment: string): number | null {
  if (mine?.next_own_at == null) return null
  const isThen = Math.abs(Date.parse(mine.next_own_at) - Date.parse(moment)) < MINUTE
  return isThen ? mine.next_own : null
}
