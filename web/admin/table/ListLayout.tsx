import type { ReactNode } from 'react'
import styles from './listLayout.module.css'

type ListLayoutProps = {
  /** Title, filters: `PageHead` and `FilterBar`. */
  head: ReactNode
  /** At the foot: `Pager`. */
  foot?: ReactNode
  /** Over the foot while something is ticked, runs or has ended: `BulkBar`. */
  bulk?: ReactNode
  /** Beside the list, which stays usable; null while nothing is open. */
  drawer?: ReactNode
  /** The rows: `DataTable`. */
  children: ReactNode
}

/** A page that is one list: its head stays, its rows scroll, and a drawer stands beside it. Its contents may hide what a narrow one has no room for. */
export function ListLayout({ head, foot, bulk, drawer, children }: ListLayoutProps) {
  return (
    <div className={styles.split}>
      <div className={styles.list}>
        {head}
        <div className={styles.rows} tabIndex={-1}>
          {children}
        </div>
        <div className={styles.foot}>{foot}</div>
        {bulk !== undefined && bulk !== null && <div className={styles.bulk}>{bulk}</div>}
      </div>
      {drawer}
    </div>
  )
}
