import { type ReactNode, useId } from 'react'
import styles from './drawer.module.css'

/** A group of rows under a heading. */
export function DrawerSection({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      {title !== undefined && <h3>{title}</h3>}
      {children}
    </section>
  )
}

type DrawerRowProps = {
  label: string
  /** Under the control: where the value comes from, what it means, or what is wrong with it. */
  below?: ReactNode
  /** An unsaved change is marked by a green edge. */
  changed?: boolean
  /** The control, which takes the given id so that the label belongs to it. */
  children(id: string): ReactNode
}

/** Label, 118 px, and control. */
export function DrawerRow({ label, below, changed = false, children }: DrawerRowProps) {
  const id = useId()
  return (
    <div className={styles.row} data-changed={changed || undefined}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.control}>{children(id)}</div>
      {below !== undefined && below !== null && <div className={styles.below}>{below}</div>}
    </div>
  )
}

/** The same for a value that cannot be edited. */
export function DrawerFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span className={styles.label}>{label}</span>
      <div className={styles.control}>{children}</div>
    </div>
  )
}
