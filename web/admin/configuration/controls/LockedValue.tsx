import { IconLock } from '#web/kit/icons.ts'
import styles from './controls.module.css'

/** A value that cannot be changed here. No control, so that nothing in it gets the focus. */
export function LockedValue({ value }: { value: string }) {
  return (
    <div className={`${styles.field} ${styles.locked}`}>
      <IconLock size={14} aria-hidden />
      <span>{value}</span>
    </div>
  )
}
