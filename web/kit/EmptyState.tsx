import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'
import { Lamp } from './Lamp.tsx'

/** In place of a conversation that cannot be shown: why, and what can be done instead. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Lamp lit={false} />
      <h1>{title}</h1>
      {children}
    </div>
  )
}
