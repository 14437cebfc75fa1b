import { translate } from '#web/i18n/useTranslate.ts'

export type PuzzleFrame = {
  element: HTMLElement
  window(): Window | null
  /** Shows it above everything else; returns false when it was shown already. */
  show(): boolean
  remove(): void
}

/** Laid out, because scripts of the endpoint measure it, but out of the way. */
const HIDDEN = { display: 'block', position: 'fixed', insetInline: 'auto 0', insetBlock: 'auto 0', margin: '0' }
const INVISIBLE = { padding: '0', border: '0', width: '1px', height: '1px', opacity: '0', pointerEvents: 'none' }

/** Looks like a default button of Mantine, which is not loaded for this. */
const BUTTON = {
  font: 'inherit',
  fontSize: 'var(--mantine-font-size-sm)',
  padding: '0.5rem 0.875rem',
  border: '1px solid var(--mantine-color-default-border)',
  borderRadius: 'var(--mantine-radius-sm)',
  background: 'var(--mantine-color-default)',
  color: 'inherit',
  cursor: 'pointer',
}

/**
 * A sandboxed frame in a dialog that is invisible until `show`. It is in the dialog from the beginning, since a frame
 * that is moved loads again.
 */
export function puzzleFrame(src: string, onSkip: () => void): PuzzleFrame {
  const dialog = document.createElement('dialog')
  const title = document.createElement('p')
  const frame = document.createElement('iframe')
  const skip = document.createElement('button')
  title.textContent = translate('asking.arkosePuzzle')
  skip.textContent = translate('asking.arkoseSkip')
  skip.type = 'button'
  skip.addEventListener('click', onSkip)
  // fired by Escape
  dialog.addEventListener('cancel', onSkip)
  frame.setAttribute('sandbox', 'allow-scripts')
  Object.assign(frame, { src, title: 'Arkose', referrerPolicy: 'no-referrer' })
  Object.assign(frame.style, { border: '0', width: 'min(26rem, 85vw)', height: 'min(30rem, 65dvh)' })
  Object.assign(dialog, { inert: true, ariaLabel: title.textContent })
  Object.assign(dialog.style, HIDDEN, INVISIBLE)
  dialog.append(title, frame, skip)
  return {
    element: dialog,
    window: () => frame.contentWindow,
    show() {
      if (dialog.open) return false
      dialog.removeAttribute('style')
      Object.assign(dialog.style, { padding: '1rem', border: '0', borderRadius: 'var(--mantine-radius-md)' })
      Object.assign(dialog.style, { background: 'var(--mantine-color-body)', color: 'var(--mantine-color-text)' })
      Object.assign(frame.style, { display: 'block', margin: '0.75rem 0' })
      Object.assign(title.style, { margin: '0', fontSize: 'var(--mantine-font-size-sm)' })
      Object.assign(skip.style, BUTTON)
      dialog.inert = false
      dialog.showModal()
      return true
    },
    remove() {
      // Closing returns the focus.
      if (dialog.open) dialog.close()
      dialog.remove()
    },
  }
}
