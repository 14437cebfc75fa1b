import type { Allowance, SourceAllowance, Verdict } from '#contract/allowance.ts'
import type { Source } from '#contract/models.ts'
import { type RefusalKey, refusalKeyOf, type RefusalValues } from '#contract/refusals.ts'

/** What a question is about, as far as a rule looks at it. */
export type Asking = { source: Source; model: string; isNew: boolean }

/** Refusals that end when somebody's ask does: looked at again and again, since nobody knows when. */
const ENDS_WITH_AN_ASK: readonly (RefusalKey | null)[] = ['cannotConnectMoreThanOneClient', 'queueFull']

const MAY_ASK: Verdict = { may_ask: true, message: null, values: null, opens_at: null }

export function sourceOf({ sources }: Allowance, source: Source): SourceAllowance | null {
  return sources.find(each => each.source === source) ?? null
}

/** Whether this question may be asked now. What waiting does not help is told first, else what opens last. */
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
  return message === null ? null : refusalKeyOf(message)
}

const LIMITS: readonly (RefusalKey | null)[] = [
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
]

/** Whether a refusal is one that the allowance tells of and that lasts. */
export function isLimit(message: string): boolean {
  return LIMITS.includes(refusalKeyOf(message))
}

/** Ends with an ask, and not at a time or by an administrator's hand. */
export function endsWithAnAsk(verdict: Verdict): boolean {
  return ENDS_WITH_AN_ASK.includes(keyOf(verdict))
}

export function isWaitedFor({ sources }: Allowance): boolean {
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
