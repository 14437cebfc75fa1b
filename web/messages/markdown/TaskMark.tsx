import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './markdown.module.css'

export function TaskMark({ done }: { done: boolean }) {
  const t = useTranslate()
  return (
    <input
      type="checkbox"
      className={styles.taskMark}
      checked={done}
      disabled
      readOnly
      aria-label={t(done ? 'message.taskDone' : 'message.taskOpen')}
    />
  )
}
