import { useEffect, useState } from 'react'
import { ariaKeysOf } from '#web/foundation/shortcuts.ts'
import { useShortcut } from '#web/foundation/useShortcut.ts'
import { dropToast, type Toast, TOAST_DURATION, UNDO_DURATION, useToasts } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from './icons.ts'
import { IconButton } from './IconButton.tsx'
import styles from './Toasts.module.css'

/**
 * Bottom right, on phones at the top, unless something is there that has to stay free. A toast stays while it has the
 * pointer or the focus.
 */
export function Toasts() {
  const t = useTranslate()
  const { toasts } = useToasts()
  const undoable = toasts.findLast(({ undo }) => undo !== undefined)
  useShortcut('undo', undoable === undefined ? null : () => undoToast(undoable))
  return (
    <section ref={toastsRef} className={styles.toasts} aria-label={t('kit.notices')} aria-live="polite">
      {toasts.map(toast => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function undoToast({ id, undo }: Toast): void {
  dropToast(id)
  undo?.()
}

const ICONS = {
  success: IconCheck,
  notice: IconInfoCircle,
  refusal: IconAlertTriangle,
  transport: IconAlertTriangle,
  turnedAway: IconAlertTriangle,
} as const satisfies Record<Toast['tone'], unknown>

function ToastCard({ toast }: { toast: Toast }) {
  const t = useTranslate()
  const [held, setHeld] = useState(false)
  const duration = toast.undo === undefined && toast.reload !== true ? TOAST_DURATION[toast.tone] : UNDO_DURATION
  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(() => dropToast(toast.id), duration)
    return () => clearTimeout(timer)
  }, [held, toast.id, duration])
  const Icon = ICONS[toast.tone]
  return (
    <div
      className={`${styles.toast} ${styles[toast.tone]}`}
      role={toast.tone === 'success' || toast.tone === 'notice' ? 'status' : 'alert'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} aria-hidden className={styles.icon} />
      <div className={styles.words}>
        <p className={styles.title}>
          {toast.code !== undefined && <span className={styles.code}>{toast.code} </span>}
          {toast.title}
        </p>
        {toast.text !== '' && <p className={styles.text}>{toast.text}</p>}
      </div>
      {toast.undo !== undefined && (
        <button
          type="button"
          className={styles.undo}
          aria-keyshortcuts={ariaKeysOf('undo')}
          onClick={() => undoToast(toast)}
        >
          {t('kit.undo')}
        </button>
      )}
      {toast.reload === true && (
        <button type="button" className={styles.undo} onClick={() => window.location.reload()}>
          {t('error.crash.reload')}
        </button>
      )}
      <IconButton label={t('kit.close')} size={28} onClick={() => dropToast(toast.id)}>
        <IconX size={16} />
      </IconButton>
    </div>
  )
}

/** Elements that are open at the top of the page. */
let atTop = 0

/**
 * A ref for the head of what opens at the top of a phone’s page, which a toast would cover: while it is there, toasts
 * come from below.
 */
export function toastsBelow(head: HTMLElement | null): () => void {
  const { dataset } = document.documentElement
  if (head !== null) atTop += 1
  if (atTop > 0) dataset.toasts = 'below'
  return () => {
    if (head !== null) atTop -= 1
    if (atTop === 0) delete dataset.toasts
  }
}

let toasts: HTMLElement | null = null
/** Pixels from the lower edge of the page that the toasts keep free. */
let height = 0

/** A ref for an element at the lower edge of the page that the toasts must not cover. */
export function keepToastsAbove(edge: HTMLElement | null): () => void {
  const measured = new ResizeObserver(() => lift(edge === null ? 0 : edge.offsetHeight + belowOf(edge)))
  if (edge !== null) measured.observe(edge)
  return () => {
    measured.disconnect()
    lift(0)
  }
}

/** Pixels between an element that floats and the lower edge. `bottom` is `auto`, so NaN, where it does not float. */
const belowOf = (edge: HTMLElement): number => parseFloat(getComputedStyle(edge).bottom) || 0

/** Applies the height to toasts that are mounted after it was measured. */
function toastsRef(section: HTMLElement | null): () => void {
  toasts = section
  lift(height)
  return () => {
    toasts = null
  }
}

/** Set on the toasts and not on the root, where it would recalculate all styles with each line that is typed. */
function lift(edge: number): void {
  height = edge
  toasts?.style.setProperty('--above', `${edge}px`)
}
