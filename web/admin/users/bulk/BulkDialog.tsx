import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BulkChange, type BulkReason, type BulkResult, changeUsers } from '#contract/bulk.ts'
import { call } from '#web/foundation/call.ts'
import { failureText } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { Note } from '#web/kit/Note.tsx'
import styles from './bulk.module.css'
import { CountForm } from './CountForm.tsx'
import { ExtendForm } from './ExtendForm.tsx'
import type { Bulk } from './useBulk.ts'

export type BulkKind = 'extend' | 'count' | 'activate' | 'deactivate'

type BulkDialogProps = { kind: BulkKind; bulk: Bulk; onClose(): void }

/** Chooses the change, and previews it: how many people it changes, who is not changed and why. */
export function BulkDialog({ kind, bulk, onClose }: BulkDialogProps) {
  const t = useTranslate()
  const [change, setChange] = useState<BulkChange | null>(
    kind === 'activate' || kind === 'deactivate' ? { action: kind } : null,
  )
  const { result, isCurrent, refusal } = useDryRun(bulk, change)
  const [pending, setPending] = useState(false)
  const run = async () => {
    if (change === null) return
    setPending(true)
    const done = await bulk.run(change)
    setPending(false)
    if (done) onClose()
  }
  return (
    <Dialog title={t(`users.bulk.${kind}.title`, { count: bulk.count })} onClose={onClose} busy={pending}>
      <div className={styles.form}>
        {kind === 'extend' && <ExtendForm onChange={setChange} />}
        {kind === 'count' && <CountForm onChange={setChange} />}
        {kind === 'deactivate' && <p>{t('users.bulk.deactivate.text')}</p>}
        {refusal !== null && <Note tone="red" title={refusal} />}
        {result !== null && <DryRun result={result} />}
      </div>
      <DialogFooter>
        <Button
          variant="subtle"
          color="gray"
          data-autofocus={kind === 'activate' || kind === 'deactivate' || undefined}
          onClick={onClose}
        >
          {t('kit.cancel')}
        </Button>
        <Button
          color={kind === 'deactivate' ? 'red' : 'green'}
          loading={pending}
          disabled={change === null || !isCurrent || result === null || result.changed === 0}
          data-testid="bulk-run"
          onClick={() => void run()}
        >
          {t(`users.bulk.${kind}.verb`, { count: result?.changed ?? 0 })}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** Names of unchanged people that are shown at most. */
const MAX_NAMES = 8

function DryRun({ result: { total, changed, unchanged, rows } }: { result: BulkResult }) {
  const t = useTranslate()
  const reasons = Object.entries(unchanged) as [BulkReason, number][] // keys of the contract's record
  return (
    <div className={styles.outcome} role="status" data-testid="dry-run">
      <p>
        {changed === total
          ? t('users.bulk.willAll', { count: changed })
          : t('users.bulk.will', { count: changed, left: total - changed })}
      </p>
      <ul>
        {reasons.map(([reason, count]) => {
          const names = rows.filter(row => row.reason === reason).map(({ nickname }) => nickname)
          const more = count - Math.min(names.length, MAX_NAMES)
          const text = names.slice(0, MAX_NAMES).join(t('kit.comma'))
          return (
            <li key={reason}>
              <b>{t('users.bulk.whyCount', { reason: t(`users.bulk.why.${reason}`), count })}</b>
              <span>{more > 0 ? t('users.bulk.names', { names: text, count: more }) : text}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Asks the server what a change would do. While an answer loads, the previous one stays, but cannot be confirmed. */
function useDryRun(bulk: Bulk, change: BulkChange | null) {
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['admin', 'users', 'dry run', change, bulk.target],
    queryFn: ({ signal }) =>
      change === null
        ? null
        : call(changeUsers, { body: { selection: bulk.target, change, dry_run: true } }, { signal }),
    enabled: change !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { quiet: true },
  })
  return {
    result: change === null || error !== null ? null : (data ?? null),
    isCurrent: !isPlaceholderData,
    refusal: error === null ? null : failureText(error),
  }
}
