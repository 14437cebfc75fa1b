import type { ReactNode } from 'react'
import styles from './listLayout.module.css'

const [ROWS, BULK] = ['list-rows', 'list-bulk']

/** When the button that had the focus is gone: it goes to what stands in its place over the foot, or to the rows. */
export function keepFocusInList(): void {
  if (document.activeElement !== document.body) return
  const bulk = document.getElementById(BULK)
  const next = bulk?.hasChildNodes() ? bulk : document.getElementById(ROWS)
  next?.focus({ preventScroll: true })
}

type ListLayoutProps = {
  /** `PageHead` and `FilterBar`. */
  head: ReactNode
  /** `Pager`. */
  foot?: ReactNode
  /** `BulkBar`, above the foot. */
  bulk?: ReactNode
  /** `Drawer`, beside the list; null while nothing is open. */
  drawer?: ReactNode
  /** `DataTable`. */
  children: ReactNode
}

/**
 * A page with one list: a fixed head, scrolling rows, and a drawer beside them. It is a size container, so that its
 * contents can adapt to its width.
 */
export function ListLayout({ head, foot, bulk, drawer, children }: ListLayoutProps) {
  return (
    <div className={styles.split}>
      <div className={styles.list}>
        {head}
        <div id={ROWS} className={styles.rows} tabIndex={-1}>
          {children}
        </div>
        <div className={styles.foot}>{foot}</div>
        {bulk !== undefined && bulk !== null && (
          <div id={BULK} className={styles.bulk} tabIndex={-1}>
            {bulk}
          </div>
        )}
      </div>
      {drawer}
    </div>
  )
}
