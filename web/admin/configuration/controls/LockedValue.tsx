import { IconLock } from '#web/kit/icons.ts'
import styles from './controls.module.css'

/** A value that cannot be changed here: text instead of a control, so that it takes no focus. */
export function LockedValue({ value }: { value: string }) {
  return (
    <div className={`${styles.field} ${styles.locked}`}>
      <IconLock size={14} aria-hidden />
      <span>{value}</span>
    </div>
  )
}
