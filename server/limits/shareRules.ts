import type { RefusalValues } from '#contract/refusals.ts'

/** What the rule of shares looks at. */
export type ShareFacts = {
  now: number
  /** Why no account that could answer has anything for this person; null where one has, or none is shared so. */
  share: DeniedShare | null
}

/** `opens_at`: when one has, if nobody does anything; null where waiting does not help. */
export type DeniedShare = {
  key: 'poolEmpty' | 'shareUsed' | 'modelHasNoPrice'
  values: RefusalValues
  opens_at: number | null
}

/** An account has something left for this person: of their share, or that nobody else uses. */
export const accountHasLeft = ({ share, now }: ShareFacts): DeniedShare | null =>
  share === null || (share.opens_at !== null && share.opens_at <= now) ? null : share
