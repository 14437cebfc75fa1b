import type { ReactNode } from 'react'
import styles from './listLayout.module.css'

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

/** A page with one list: a fixed head, scrolling rows, and a drawer beside them. It is a size container, so that its contents can adapt to its width. */
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
