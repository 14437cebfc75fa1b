import type { KeyChanges, NewKey, UserKey } from '#contract/keys.ts'

export const EXPIRIES = ['30', '90', '365', 'never'] as const
export type Expiry = (typeof EXPIRIES)[number]
export const WINDOWS = ['day', 'week', 'month'] as const
export type KeyWindow = (typeof WINDOWS)[number]

/**
 * What the form holds. `kept`: the key ends at `end`, as before. `amount`: as it was typed; empty for no limit.
 * `models`: null for all.
 */
export type KeyDraft = {
  name: string
  expiry: Expiry | 'kept'
  end: Date | null
  amount: string
  window: KeyWindow
  models: readonly string[] | null
  mayBorrow: boolean
  keepsConversations: boolean
}

export const EMPTY_DRAFT: KeyDraft = {
  ...{ name: '', expiry: '90', end: null, amount: '', window: 'week' },
  ...{ models: null, mayBorrow: true, keepsConversations: false },
}

const DAY_MS = 86_400_000
/** Days before its end from which on a key is marked. */
const SOON_DAYS = 7
const MAX_AMOUNT = 1_000_000

export function endOfKey({ expiry, end }: Pick<KeyDraft, 'expiry' | 'end'>, now: Date): Date | null {
  if (expiry === 'kept') return end
  return expiry === 'never' ? null : new Date(now.getTime() + Number(expiry) * DAY_MS)
}

/** Empty: no limit. */
export function isAmount(typed: string): boolean {
  const count = Number(typed)
  return typed.trim() === '' || (Number.isInteger(count) && count >= 1 && count <= MAX_AMOUNT)
}

/** What is sent; null where the form is not complete. */
export function toNewKey(draft: KeyDraft, now: Date): NewKey | null {
  const { name, amount, window, models, mayBorrow, keepsConversations } = draft
  const count = amount.trim() === '' ? null : Number(amount)
  if (name.trim() === '' || !isAmount(amount) || models?.length === 0) return null
  const limit = { source: 'openai_api', unit: 'asks', window: { kind: window }, models: null } as const
  return {
    name: name.trim(),
    expires_at: endOfKey(draft, now)?.toISOString() ?? null,
    limits: count === null ? [] : [{ ...limit, amount: count }],
    models: models === null ? null : [...models],
    may_borrow: mayBorrow,
    quiet_only: false,
    keeps_conversations: keepsConversations,
  }
}

/** What the form shows of a key that there is. Its limits are left out where `isSimple` does not hold of them. */
export function draftOf({ name, expires_at, limits, models, may_borrow, keeps_conversations }: UserKey): KeyDraft {
  const limit = isSimple(limits) ? limits[0] : undefined
  return {
    ...{ name, models, mayBorrow: may_borrow, keepsConversations: keeps_conversations },
    expiry: expires_at === null ? 'never' : 'kept',
    end: expires_at === null ? null : new Date(expires_at),
    amount: limit === undefined ? '' : String(limit.amount),
    window: WINDOWS.find(each => each === limit?.window.kind) ?? EMPTY_DRAFT.window,
  }
}

/** Whether the form can show them: none, or one of asks for all models. */
export function isSimple(limits: UserKey['limits']): boolean {
  return limits.every(
    ({ unit, amount, window, models }, at) =>
      at === 0 &&
      unit === 'asks' &&
      isAmount(String(amount)) &&
      models === null &&
      WINDOWS.some(each => each === window.kind),
  )
}

/** What is sent of a key that was changed; null where the form is not complete. */
export function toChanges(before: KeyDraft, draft: KeyDraft, now: Date): KeyChanges | null {
  const whole = toNewKey(draft, now)
  if (whole === null) return null
  const { name, expires_at, limits, models, may_borrow, keeps_conversations } = whole
  const hasOtherLimit =
    draft.amount.trim() !== before.amount || (before.amount !== '' && draft.window !== before.window)
  return {
    ...(name !== before.name && { name }),
    ...(draft.expiry !== before.expiry && { expires_at }),
    ...(hasOtherLimit && { limits }),
    ...(textOf(draft.models) !== textOf(before.models) && { models }),
    ...(may_borrow !== before.mayBorrow && { may_borrow }),
    ...(keeps_conversations !== before.keepsConversations && { keeps_conversations }),
  }
}

const textOf = (models: KeyDraft['models']): string | undefined => models?.toSorted().join(' ')

/** Whole days until a key ends, where that is soon; 0 where it has ended; null otherwise. */
export function daysUntilEnd(expires_at: string | null, now: Date): number | null {
  if (expires_at === null) return null
  const days = Math.ceil((Date.parse(expires_at) - now.getTime()) / DAY_MS)
  return days > SOON_DAYS ? null : Math.max(0, days)
}
