import { useLayoutEffect, useMemo, useRef } from 'react'
import type { ModelChoice } from '#contract/models.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { isAwaited } from '../askState.ts'
import { useOtherAsk } from '../useAsk.ts'
import type { Desk } from '../useDesk.ts'
import type { AtHand, BranchDesk } from './branchDesk.ts'

/** What the rows of a thread go by. A thread may have a thousand rows: they hear only of what they show. */
export function useBranchDeskOf(
  { id, history, ask, choice }: Desk,
  onShow: (id: string | null) => void,
): BranchDesk | null {
  const t = useTranslate()
  const otherWaits = useOtherAsk(id) !== null
  const busy = ask !== null && isAwaited(ask.state) ? t('branches.whileAnswering') : null
  const notNow = otherWaits ? t('composer.otherWaits') : choice === null ? t('newConversation.noSources') : null
  const unsent = ask?.ask_id ?? null
  const source = history?.source ?? null
  const model = choice?.model ?? null
  const models = useSameModels(choice?.models)
  const atHand = useRef<AtHand | null>(null)
  // With the rows themselves: on a slow device a button can be pressed before other effects have run.
  useLayoutEffect(() => {
    atHand.current = history && { history, choice, onShow }
  })
  return useMemo(
    (): BranchDesk | null =>
      source && {
        source,
        model,
        models,
        busy,
        notNow,
        unsent,
        now: () => {
          if (atHand.current === null) throw new Error('no conversation is open')
          return atHand.current
        },
      },
    [source, model, models, busy, notNow, unsent],
  )
}

/** The list is made anew with every look at the account, and seldom another one. */
function useSameModels(models: readonly ModelChoice[] = []): readonly ModelChoice[] {
  const key = JSON.stringify(models)
  return useMemo(() => JSON.parse(key) as ModelChoice[], [key]) // written one line above
}
