import { useState } from 'react'
import type { BulkChange } from '#contract/bulk.ts'
import type { JobRun } from '#contract/jobs.ts'
import { leftOfRun, refusalOfRun } from '#web/admin/shell/useJobs.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { type BulkAction, BulkBar, type BulkState } from '../../table/BulkBar.tsx'
import type { UserList } from '../state/useUsers.ts'
import { BulkDialog, type BulkKind } from './BulkDialog.tsx'
import type { Bulk } from './useBulk.ts'

/** Bulk changes of people: chosen in the bulk bar, previewed and confirmed in a dialog. */
export function UserBulk({ bulk, list }: { bulk: Bulk; list: UserList }) {
  const [kind, setKind] = useState<BulkKind | null>(null)
  const state = useBulkState(bulk, list, setKind)
  return (
    <>
      {state !== null && <BulkBar state={state} />}
      {kind !== null && <BulkDialog kind={kind} bulk={bulk} onClose={() => setKind(null)} />}
    </>
  )
}

function useBulkState(bulk: Bulk, list: UserList, onKind: (kind: BulkKind) => void): BulkState | null {
  const t = useTranslate()
  const { done, job, count, isAll } = bulk
  if (job !== null) {
    const [finished, total] = [job.done ?? 0, job.total ?? bulk.count]
    const isStopping = job.state === 'stopping'
    return {
      phase: 'running',
      text: isStopping
        ? t('table.stopping')
        : total === 0
          ? t('table.begins')
          : t('users.bulk.running', { done: finished, total }),
      done: finished,
      total,
      onStop: isStopping ? undefined : bulk.stop,
    }
  }
  if (done !== null) {
    const { changed, total } = done.result
    const text =
      changed === total
        ? t('users.bulk.done', { count: changed })
        : t('users.bulk.doneSome', { count: changed, left: total - changed })
    const why = refusalOfRun(done.unfinished?.run ?? null)
    return {
      phase: 'finished',
      text: why === null ? text : `${why}${t('kit.comma')}${text}`,
      actions: done.unfinished === null ? undoOf() : [goOnOf(done.unfinished.run), ...undoOf()],
      onClear: bulk.clear,
    }
  }
  if (count === 0) return null
  const idle = idleKind(bulk, list, !isAll)
  const others = !isAll && list.total > count && count >= list.rows.length
  return {
    phase: 'selected',
    text: t(isAll ? 'users.bulk.all' : 'users.bulk.selected', { count }),
    actions: [
      ...(others ? [{ label: t('users.bulk.selectAll', { count: list.total }), run: bulk.selectAll }] : []),
      ...KINDS.filter(kind => kind !== idle).map(kind => ({
        label: t(`users.bulk.${kind}`),
        testid: `bulk-${kind}`,
        run: () => onKind(kind),
      })),
    ],
    onClear: bulk.clear,
  }

  function goOnOf(run: JobRun): BulkAction {
    const count = leftOfRun(run)
    return { label: t('table.goOn', { count }), testid: 'bulk-go-on', run: () => void bulk.goOn() }
  }

  /** Offers an undo only when it restores everybody exactly. */
  function undoOf(): BulkAction[] {
    const back = done?.change == null ? null : opposite(done.change)
    if (done === null || back === null || done.ids.length === 0 || done.ids.length < done.result.changed) return []
    return [{ label: t('kit.undo'), run: () => void bulk.run(back, { ids: [...done.ids] }) }]
  }
}

const KINDS = ['plan', 'extend', 'count', 'deactivate', 'activate'] as const

/** Of switching off and on, what does nothing to those who are chosen; where some are on and some off, switching on. */
function idleKind({ target }: Bulk, { rows }: UserList, isByIds: boolean): BulkKind | null {
  if (!isByIds || !('ids' in target)) return null
  const ids = new Set(target.ids)
  return rows.some(({ id, is_active }) => ids.has(id) && is_active) ? 'activate' : 'deactivate'
}

function opposite({ action }: BulkChange): BulkChange | null {
  if (action === 'activate') return { action: 'deactivate' }
  return action === 'deactivate' ? { action: 'activate' } : null
}
