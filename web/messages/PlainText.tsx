import styles from './messages.module.css'

/** A text as it was written; three or more blank lines are one. */
export function PlainText({ text }: { text: string }) {
  return (
    <div dir="auto" className={styles.plain}>
      {text.replaceAll(/\n(?:[ \t]*\n){3,}/g, '\n\n')}
    </div>
  )
}
