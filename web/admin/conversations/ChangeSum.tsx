import type { ConversationChangeResult } from '#contract/conversationAdministration.ts'
import { type BulkAction, BulkBar } from '#web/admin/table/BulkBar.tsx'
import type { Translate } from '#web/i18n/dictionary.ts'
import { translateMessage, useTranslate } from '#web/i18n/useTranslate.ts'
import type { ConversationChange, useConversationChange } from './useConversationChange.ts'

type ChangeSumProps = { change: ConversationChange; changes: ReturnType<typeof useConversationChange> }

/** The result of a change, with what can be done about it: retry, continue, undo. */
export function ChangeSum({ change, changes }: ChangeSumProps) {
  const t = useTranslate()
  const { result, job } = change
  const text = result === null ? failureText(job?.last_run?.failure ?? null, t) : sumText(result, leftOf(change), t)
  return (
    <BulkBar
      state={{
        phase: 'finished',
        text,
        actions: result === null ? [] : actionsOf(change, result, changes, t),
        onClear: changes.close,
      }}
    />
  )
}

/** How many it had not come to when it was stopped. */
const leftOf = ({ job }: ConversationChange): number => {
  const { done = 0, total = 0 } = job?.last_run ?? {}
  return Math.max(0, (total ?? 0) - (done ?? 0))
}

function sumText(result: ConversationChangeResult, left: number, t: Translate): string {
  const { action, done, already, failed } = result
  const parts = [
    done > 0 && t(`conv.sum.${action}`, { count: done }),
    already > 0 && t('conv.sum.already', { count: already }),
    failed > 0 && t('conv.sum.failed', { count: failed }),
    left > 0 && t('conv.sum.left', { count: left }),
  ].filter(part => part !== false)
  return parts.length === 0 ? t('conv.sum.none') : parts.join(t('kit.comma'))
}

type Failure = NonNullable<NonNullable<ConversationChange['job']>['last_run']>['failure']

const failureText = (failure: Failure, t: Translate): string =>
  failure?.message == null ? t('conv.broke') : translateMessage(failure.message, failure.values)

function actionsOf(
  { request, outcomes, person }: ConversationChange,
  result: ConversationChangeResult,
  { start, restore }: ChangeSumProps['changes'],
  t: Translate,
): BulkAction[] {
  const { action, done, done_ids, deletion, failed_ids } = result
  const failures = Object.values(failed_ids).flat()
  const ids = request?.ids ?? []
  const left = ids.filter(id => !outcomes.has(id))
  const repeat = (some: number[]) => request !== null && void start({ ...request, ids: some }, person)
  return [
    ...(request?.ids !== undefined && failures.length > 0
      ? [{ label: t('conv.retry', { count: failures.length }), testid: 'bulk-retry', run: () => repeat(failures) }]
      : []),
    ...(left.length > 0
      ? [{ label: t('conv.goOn', { count: left.length }), testid: 'bulk-go-on', run: () => repeat(left) }]
      : []),
    ...(action === 'hide' && done > 0 && deletion !== null
      ? [{ label: t('conv.undo', { count: done }), testid: 'bulk-undo', run: () => void restore(deletion) }]
      : []),
    ...(action === 'restore' && done_ids.length > 0
      ? [
          {
            label: t('conv.undo', { count: done }),
            testid: 'bulk-undo',
            run: () => void start({ action: 'hide', ids: done_ids }),
          },
        ]
      : []),
  ]
}
