import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconX } from '#web/kit/icons.ts'
import styles from './bulkBar.module.css'

/** At most five: more find no room in the pill. */
export type BulkAction = {
  label: string
  testid?: string
  run(): void
  /** Of one that opens something over the bar. */ expanded?: boolean
}

export type BulkState =
  /** Something is ticked: "4 selected". */
  | { phase: 'selected'; text: string; actions: readonly BulkAction[]; onClear(): void }
  /** A job of the server goes on: "Hiding 2 / 4". Without `onStop` it cannot be stopped. */
  | { phase: 'running'; text: string; done: number; total: number; onStop?: (() => void) | undefined }
  /** The sum, with what can be done about it: again, undo. */
  | { phase: 'finished'; text: string; actions: readonly BulkAction[]; onClear(): void }

/** What is done to many rows at once, in an ink pill at the foot of the list. */
export function BulkBar({ state }: { state: BulkState }) {
  const t = useTranslate()
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('table.bulk')} data-testid="admin-bulk">
      <span role="status">{state.text}</span>
      <i />
      {state.phase === 'running' ? (
        <>
          <progress value={state.done} max={Math.max(1, state.total)} aria-label={state.text} />
          {state.onStop !== undefined && (
            <button type="button" onClick={state.onStop}>
              {t('table.stop')}
            </button>
          )}
        </>
      ) : (
        <>
          {state.actions.map(({ label, testid, run, expanded }) => (
            <button key={label} type="button" data-testid={testid} aria-expanded={expanded} onClick={run}>
              {label}
            </button>
          ))}
          <button
            type="button"
            className={styles.close}
            aria-label={t(state.phase === 'selected' ? 'table.clearSelection' : 'table.closeSum')}
            onClick={state.onClear}
          >
            <IconX size={16} aria-hidden />
          </button>
        </>
      )}
    </div>
  )
}
