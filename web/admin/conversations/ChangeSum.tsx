import type { ConversationChangeResult } from '#contract/conversationAdministration.ts'
import type { JobRun } from '#contract/jobs.ts'
import { leftOfRun, refusalOfRun } from '#web/admin/shell/useJobs.ts'
import { type BulkAction, BulkBar } from '#web/admin/table/BulkBar.tsx'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { ConversationChange, useConversationChange } from './useConversationChange.ts'

type ChangeSumProps = { change: ConversationChange; changes: ReturnType<typeof useConversationChange> }

/** The result of a change, with what can be done about it: retry, continue, undo. */
export function ChangeSum({ change, changes }: ChangeSumProps) {
  const t = useTranslate()
  const { result, job } = change
  const run = job?.last_run ?? null
  const left = leftOfRun(run)
  const text = result === null ? endText(run, left, t) : sumText(result, left, t)
  return (
    <BulkBar
      state={{
        phase: 'finished',
        text,
        actions: [
          ...(job?.may_go_on === true
            ? [{ label: t('table.goOn', { count: left }), testid: 'bulk-go-on', run: () => void changes.goOn() }]
            : []),
          ...(result === null ? [] : actionsOf(change, result, changes, t)),
        ],
        onClear: changes.close,
      }}
    />
  )
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

/** Of a run without a result: it failed, or was stopped before it had one. */
function endText(run: JobRun | null, left: number, t: Translate): string {
  if (run?.outcome !== 'failed') return t('conv.sum.left', { count: left })
  return refusalOfRun(run) ?? t('conv.broke')
}

function actionsOf(
  { request, person }: ConversationChange,
  result: ConversationChangeResult,
  { start, restore }: ChangeSumProps['changes'],
  t: Translate,
): BulkAction[] {
  const { action, done, done_ids, deletion, failed_ids } = result
  const failures = Object.values(failed_ids).flat()
  const repeat = (some: number[]) => request !== null && void start({ ...request, ids: some }, person)
  return [
    ...(request?.ids !== undefined && failures.length > 0
      ? [{ label: t('conv.retry', { count: failures.length }), testid: 'bulk-retry', run: () => repeat(failures) }]
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
