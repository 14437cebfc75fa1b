import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type Allowance, readAllowance, type SourceAllowance, type Verdict } from '#contract/allowance.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { type RefusalKey, refusalKeyOf, type RefusalValues } from '#contract/refusals.ts'
import { call } from '#web/foundation/call.ts'
import { useSession } from '#web/foundation/session.ts'

/** The properties of a question that rules read. */
export type Asking = { source: Source; model: string; isNew: boolean }

/** Refusals that end when somebody's ask ends. They are polled, since nobody knows when that is. */
const ENDS_WITH_AN_ASK: readonly (RefusalKey | null)[] = ['cannotConnectMoreThanOneClient', 'queueFull']

const MAY_ASK: Verdict = { may_ask: true, message: null, values: null, opens_at: null }

export function sourceOf({ sources }: Allowance, source: Source): SourceAllowance | null {
  return sources.find(each => each.source === source) ?? null
}

/**
 * Whether this question may be asked now. Of several refusals, one that waiting does not end comes first, else the one
 * that opens last.
 */
export function verdictFor(allowance: Allowance, { source, model, isNew }: Asking): Verdict {
  const known = sourceOf(allowance, source)
  if (known === null) return MAY_ASK
  const own = known.models.find(each => each.model === model)?.verdict ?? known.verdict
  const refusals = [own, ...(isNew ? [known.new_conversation] : [])].filter(({ may_ask }) => !may_ask)
  return (
    refusals.find(({ opens_at }) => opens_at === null) ??
    refusals.toSorted((a, b) => (b.opens_at ?? '').localeCompare(a.opens_at ?? ''))[0] ??
    MAY_ASK
  )
}

export function keyOf({ message }: Verdict): RefusalKey | null {
  return message === null ? null : generalKeyOf(message)
}

/** Refusals with a text of their own for some models. They are treated like the refusal for any model. */
const OF_ANY_MODEL: Partial<Record<RefusalKey, RefusalKey>> = {
  noAvailableGPT4AskCount: 'noAvailableModelAskCount',
  userNotAllowToUseGPT4Model: 'userNotAllowToUseModel',
  userNotAllowToUsePaidModel: 'userNotAllowToUseModel',
  paidModelNotAvailable: 'modelNotEnabled',
}

/** The refusal that a message names, generalised to any model. */
export function generalKeyOf(message: string): RefusalKey | null {
  const key = refusalKeyOf(message)
  return key === null ? null : (OF_ANY_MODEL[key] ?? key)
}

/** The refusals of an allowance that last until a time, or until an administrator changes something. */
export const LIMITS = [
  'userNotAllowToUseChatType',
  'chatTypeNotEnabled',
  'userChatTypeExpired',
  'userNotAllowToAskAtThisTime',
  'userNotAllowToUseModel',
  'modelNotEnabled',
  'noAvailableTotalAskCount',
  'noAvailableModelAskCount',
  'maxConversationCountReached',
  'askedTooOften',
  'limitReached',
  'tokensReached',
  'budgetReached',
  'poolEmpty',
  'shareUsed',
  'modelHasNoPrice',
] as const satisfies readonly RefusalKey[]

/** Whether a refusal is one of LIMITS. */
export function isLimit(message: string): boolean {
  const key = generalKeyOf(message)
  return LIMITS.some(each => each === key)
}

/** Whether the refusal ends when an ask ends, not at a time and not by an administrator. */
export function endsWithAnAsk(verdict: Verdict): boolean {
  return ENDS_WITH_AN_ASK.includes(keyOf(verdict))
}

/** Whether the allowance has to be polled. */
export function isPolled({ sources }: Allowance): boolean {
  return sources.some(({ verdict }) => endsWithAnAsk(verdict))
}

/** The allowance after an ask was refused in these words. */
export function afterRefusal(
  allowance: Allowance,
  { source, model, isNew }: Asking,
  message: string,
  values: RefusalValues | null,
): Allowance {
  const opens_at = typeof values?.['opens_at'] === 'string' ? values['opens_at'] : null
  const refused: Verdict = { may_ask: false, message, values, opens_at }
  return {
    ...allowance,
    sources: allowance.sources.map(each =>
      each.source !== source
        ? each
        : {
            ...each,
            new_conversation: isNew ? refused : each.new_conversation,
            models:
              isNew && keyOf(refused) === 'maxConversationCountReached'
                ? each.models
                : each.models.map(one => (one.model === model ? { ...one, verdict: refused } : one)),
          },
    ),
  }
}

/** How many questions are left. `window_seconds` is set when a window leaves the fewest. */
export type Remaining = { count: number; window_seconds: number | null; frees_at: string | null }

/** Whole ones: the smallest of the model's count, the total and each window. Null when none of them is limited. */
export function remainingOf({ models, total, windows }: SourceAllowance, model: string): Remaining | null {
  const counts = [models.find(each => each.model === model)?.count.remaining ?? UNLIMITED, total.remaining]
  const left: Remaining[] = [
    ...counts
      .filter(count => count !== UNLIMITED)
      .map(count => ({ count: Math.floor(count), window_seconds: null, frees_at: null })),
    ...windows.map(({ window_seconds, max_requests, used, frees_at }) => ({
      count: Math.max(0, max_requests - used),
      window_seconds,
      frees_at,
    })),
  ]
  return left.reduce<Remaining | null>(
    (fewest, each) => (fewest === null || each.count < fewest.count ? each : fewest),
    null,
  )
}

/** Milliseconds between refetches while it is polled. */
const POLL = 5000

/** The allowance, and how far the server's clock is ahead of this device's, in milliseconds. */
type Loaded = { allowance: Allowance; ahead_ms: number }

export const allowanceQuery = queryOptions({
  queryKey: ['allowance'],
  queryFn: async ({ signal }): Promise<Loaded> => {
    const allowance = await call(readAllowance, {}, { signal })
    return { allowance, ahead_ms: Date.parse(allowance.now) - Date.now() }
  },
  refetchInterval: ({ state }) => (state.data !== undefined && isPolled(state.data.allowance) ? POLL : false),
  meta: { quiet: true },
})

/** Undefined until it is loaded. `loaded_at` is by this device's clock. */
export function useAllowance(): (Loaded & { loaded_at: number; refresh(): void }) | undefined {
  const signedIn = useSession(({ user }) => user !== null)
  const { data, dataUpdatedAt, refetch } = useQuery({ ...allowanceQuery, enabled: signedIn })
  return data === undefined ? undefined : { ...data, loaded_at: dataUpdatedAt, refresh: () => void refetch() }
}

/** Refetches the allowance, after an ask, a deleted conversation or anything else that may have changed it. */
export function refreshAllowance(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: allowanceQuery.queryKey })
}

/** Changes the cached allowance by what a refusal says, without waiting for the refetch. */
export function takeAllowance(client: QueryClient, change: (allowance: Allowance) => Allowance): void {
  client.setQueryData(allowanceQuery.queryKey, loaded => loaded && { ...loaded, allowance: change(loaded.allowance) })
}
