import { initialOf } from '#contract/initial.ts'
import type { Source } from '#contract/models.ts'
import type { MemberNames, MyShare, Share, SharePerson, ShareWindow } from '#contract/shares.ts'
import type { Gift, PoolFacts, PoolWindow } from '#server/limits/shares/pool.ts'
import { type MemberShare, nextOwn, poolShares } from '#server/limits/shares/shareRule.ts'
import { asSaid, type Pool } from '#server/upstreams/windows/pools.ts'

/** A pool as it is now. */
export type PoolView = {
  pool: Pick<Pool, 'upstream_ids' | 'sharing' | 'names' | 'label' | 'reported'>
  facts: PoolFacts
}

/** `may_ask`: otherwise they only look after it. */
export type ViewOf = { viewer_id: number; may_ask: boolean; source: Source; currency: string }
type Nicknames = ReadonlyMap<number, string>

/** Whose names are read: nobody's but one's own where the account shows none. */
export function idsToName({ pool, facts }: PoolView, viewer_id: number): number[] {
  if (pool.sharing === 'first_come') return []
  return pool.names === 'none' ? [viewer_id] : [...facts.members.keys()]
}

/** Whoever looks sees the part that is theirs if they ask now, also after weeks. */
function withViewer(facts: PoolFacts, viewer_id: number): PoolFacts {
  const member = facts.members.get(viewer_id)
  if (member === undefined) return facts
  return { ...facts, members: new Map(facts.members).set(viewer_id, { ...member, asked_at: facts.now }) }
}

/**
 * What one person sees of a pool. Others have the names that the account shows, and an id only with their full name.
 */
export function shareView(view: PoolView, of: ViewOf, nicknames: Nicknames): Share {
  const { pool } = view
  const facts = of.may_ask ? withViewer(view.facts, of.viewer_id) : view.facts
  return {
    upstream_id: Math.min(...pool.upstream_ids),
    upstream_ids: [...pool.upstream_ids],
    source: of.source,
    label: pool.label,
    sharing: pool.sharing,
    names: pool.names,
    currency: of.currency,
    is_owner: facts.settings.owner_id === of.viewer_id,
    windows: facts.settings.windows.flatMap(window => windowView({ pool, facts }, window, of, nicknames) ?? []),
  }
}

function windowView(view: PoolView, window: PoolWindow, of: ViewOf, nicknames: Nicknames): ShareWindow | null {
  const { pool, facts } = view
  const { key, unit } = window
  const { viewer_id, may_ask } = of
  const shares = poolShares(facts, key)
  if (shares === null) return null
  const members = pool.sharing === 'shares' ? shares.members : []
  const mine = may_ask ? members.find(({ user_id }) => user_id === viewer_id) : undefined
  return {
    unit,
    window: window.window,
    models: window.models === null ? null : [...window.models],
    capacity: asSaid(unit, shares.capacity),
    used: asSaid(unit, shares.used),
    ends_at: timeText(shares.ends_at),
    reported: pool.reported.has(key),
    mine: mine === undefined ? null : myShare(facts, window, mine),
    people: members
      .toSorted((a, b) => Number(b.user_id === viewer_id) - Number(a.user_id === viewer_id) || byUse(a, b))
      .map(member => personView(member, { view, window, viewer_id, nicknames })),
  }
}

/** Of equals the order says nothing of who they are. */
const byUse = (a: MemberShare, b: MemberShare): number => b.used - a.used || b.lent - a.lent || b.share - a.share

function myShare(facts: PoolFacts, { key, unit }: PoolWindow, mine: MemberShare): MyShare {
  const next = nextOwn(facts, key, mine.user_id)
  const gifts = facts.gifts.filter(gift => gift.window_key === key)
  const sum = (of: readonly Gift[]) =>
    asSaid(
      unit,
      of.reduce((total, gift) => total + inForce(gift, facts.now), 0),
    )
  return {
    share: asSaid(unit, mine.share),
    used: asSaid(unit, mine.used),
    borrowed: asSaid(unit, mine.borrowed),
    may_borrow: asSaid(unit, mine.may_borrow),
    next_own_at: timeText(next?.at ?? null),
    next_own: next === null ? null : asSaid(unit, next.amount),
    received: sum(gifts.filter(({ to }) => to === mine.user_id)),
    given: sum(gifts.filter(({ from }) => from === mine.user_id)),
  }
}

/** After its end, what has been used of it. */
const inForce = ({ amount, used, until }: Gift, now: number): number => (now < until ? amount : Math.min(amount, used))

type PersonIn = { view: PoolView; window: PoolWindow; viewer_id: number; nicknames: Nicknames }

function personView(member: MemberShare, { view, window: { unit }, viewer_id, nicknames }: PersonIn): SharePerson {
  const { user_id, share, used, borrowed, lent, kept } = member
  const { names } = view.pool
  const is_me = user_id === viewer_id
  return {
    name: nameShown(is_me ? 'full' : names, nicknames.get(user_id)),
    user_id: is_me || names === 'full' ? user_id : null,
    is_me,
    is_owner: user_id === view.facts.settings.owner_id,
    share: asSaid(unit, share),
    used: asSaid(unit, used),
    borrowed: asSaid(unit, borrowed),
    lent: asSaid(unit, lent),
    kept: asSaid(unit, kept),
  }
}

function nameShown(names: MemberNames, nickname: string | undefined): string | null {
  if (nickname === undefined || names === 'none') return null
  return names === 'initials' ? initialOf(nickname) : nickname
}

const timeText = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
