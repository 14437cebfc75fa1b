import type { ComponentPropsWithRef } from 'react'
import styles from '../thread.module.css'
import { toast } from '#web/foundation/toasts.ts'

type ToolButtonProps = Omit<ComponentPropsWithRef<'button'>, 'onClick'> & {
  label: string
  /** Why it cannot be used now, empty where that is plain to see. The button stays where it is, and says so when it is tried. */
  hindrance?: string | null
  onClick(): void
}

/** A button in the row of a message. */
export function ToolButton({ label, hindrance = null, onClick, ...rest }: ToolButtonProps) {
  const press = () => {
    if (hindrance === null) onClick()
    else if (hindrance !== '') toast.refusal(label, hindrance)
  }
  return (
    <button
      type="button"
      className={styles.action}
      aria-label={label}
      data-tip={hindrance ? undefined : label}
      title={hindrance ? `${label}: ${hindrance}` : undefined}
      aria-disabled={hindrance === null ? undefined : true}
      {...rest}
      onClick={press}
    />
  )
}
