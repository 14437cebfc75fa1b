import type { ReactNode } from 'react'
import styles from './page.module.css'

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

type PageHeadProps = { title: string; context?: ReactNode; children?: ReactNode }

/** The title, one line of context, and actions at the right. */
export function PageHead({ title, context, children }: PageHeadProps) {
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1>{title}</h1>
        {context !== undefined && <p>{context}</p>}
      </div>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </header>
  )
}
