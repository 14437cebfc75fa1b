import { Modal } from '@mantine/core'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './Dialog.module.css'

type DialogProps = {
  title: ReactNode
  /** 500 for forms, 600 for the profile, 420 for confirmations, 960 for pictures. */
  width?: 420 | 500 | 600 | 960
  onClose(): void
  /** Something is being done in it that going back is not to break off. */
  busy?: boolean
  children: ReactNode
}

/** A dialog that is open as long as it is mounted. On a phone it is a sheet from the bottom. */
export function Dialog({ title, width = 500, onClose, busy = false, children }: DialogProps) {
  const t = useTranslate()
  const root = useRef<HTMLDivElement>(null)
  useFocusBack()
  useFocusKept(root)
  useHistoryNavigation(() => {
    if (!busy) onClose()
  })
  return (
    <Modal
      ref={root}
      opened
      onClose={onClose}
      title={title}
      size={width}
      closeButtonProps={{ 'aria-label': t('kit.close') }}
      attributes={{ header: { role: 'presentation' } }} // else a second banner beside the page's own
      classNames={{ inner: styles.inner, content: styles.content, header: styles.header, body: styles.body }}
    >
      {children}
    </Modal>
  )
}

/** The kit gives the focus back to where it was when a dialog is closed; ours are taken away instead. */
function useFocusBack(): void {
  const [before] = useState(opener)
  useEffect(
    () => () => {
      // Whoever took the dialog away may have sent the focus elsewhere.
      setTimeout(() => {
        if (document.activeElement === document.body) before?.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

/** Where a step gives its place to the next one, the focus that was in it stays in the dialog, and not behind it. */
function useFocusKept(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement !== document.body) return
    const dialog = root.current?.querySelector<HTMLElement>('[role=dialog]')
    const next = dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
    next?.focus({ preventScroll: true })
  })
}

/** What was pressed; for an entry of a menu, which will be gone, the button of the menu. */
function opener(): HTMLElement | null {
  const { activeElement } = document
  const button = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : activeElement instanceof HTMLElement ? activeElement : null
}

/** Right-aligned: quiet cancel, then the verb. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className={styles.footer}>{children}</div>
}

/** What lies over a page goes with it when the reader goes back, or forward again. */
export function useHistoryNavigation(onGone: () => void): void {
  const tell = useEffectEvent(onGone)
  useEffect(() => {
    const gone = () => tell()
    window.addEventListener('popstate', gone)
    return () => window.removeEventListener('popstate', gone)
  }, [])
}
