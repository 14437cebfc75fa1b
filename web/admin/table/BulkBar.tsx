import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import styles from './bulkBar.module.css'
import { keepFocusInList } from './ListLayout.tsx'

/** The bar has room for five. */
export type BulkAction = {
  label: string
  testid?: string
  run(): void
  /** Set for an action that opens something above the bar. */
  expanded?: boolean
}

export type BulkState =
  /** Something is ticked: "4 selected". */
  | { phase: 'selected'; text: string; actions: readonly BulkAction[]; onClear(): void }
  /** A job of the server runs: "Hiding 2 / 4". Without `onStop` it cannot be stopped. */
  | { phase: 'running'; text: string; done: number; total: number; onStop?: (() => void) | undefined }
  /** The result, with actions such as retry and undo. */
  | { phase: 'finished'; text: string; actions: readonly BulkAction[]; onClear(): void }

/** The bar of bulk actions, at the foot of the list. */
export function BulkBar({ state }: { state: BulkState }) {
  // Another phase has other buttons: what becomes of the focus is decided when they go.
  return <Bar key={state.phase} state={state} />
}

function Bar({ state }: { state: BulkState }) {
  const t = useTranslate()
  return (
    <div
      ref={useFocusToList()}
      className={styles.bulk}
      role="toolbar"
      aria-label={t('table.bulk')}
      data-in-lines={needsLines(state) || undefined}
      data-testid="admin-bulk"
    >
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
          <SmallIconButton
            className={styles.close}
            label={t(state.phase === 'selected' ? 'table.clearSelection' : 'table.closeSum')}
            onClick={state.onClear}
          >
            <IconX size={16} aria-hidden />
          </SmallIconButton>
        </>
      )}
    </div>
  )
}

/** Whether a phone has no room for the actions beside the words. */
function needsLines(state: BulkState): boolean {
  if (state.phase === 'running') return false
  return state.actions.length > (state.phase === 'finished' ? 1 : 2)
}

/** Gone with the focus inside, it leaves the focus to the list. */
function useFocusToList(): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (element?.contains(document.activeElement) === true) setTimeout(keepFocusInList)
    }
  }, [])
  return bar
}
