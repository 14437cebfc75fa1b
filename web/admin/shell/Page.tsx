import type { ReactNode } from 'react'
import styles from './page.module.css'
import { PageHead } from './PageHead.tsx'

type PageProps = {
  title: string
  /** One line under the title. */
  context?: ReactNode
  /** At the right of the title. */
  actions?: ReactNode
  /** What is in it is 1080 px wide at most. */
  narrow?: boolean
  children: ReactNode
}

/** A page of the admin area that scrolls as a whole. One that is a list is a `ListLayout`. */
export function Page({ title, context, actions, narrow = false, children }: PageProps) {
  return (
    <div className={styles.scroll}>
      <div className={narrow ? `${styles.page} ${styles.narrow}` : styles.page}>
        <PageHead title={title} context={context}>
          {actions}
        </PageHead>
        {children}
      </div>
    </div>
  )
}
