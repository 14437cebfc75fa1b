import type { ReactNode } from 'react'
import styles from './page.module.css'

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
