import { type KeyboardEvent, useEffect, useRef } from 'react'
import { MAX_TITLE_LENGTH } from '#contract/conversations.ts'
import { isForInputMethod } from '#web/foundation/inputMethod.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { rename } from './conversationActions.ts'
import styles from './titleInput.module.css'
import { create } from 'zustand'

type TitleInputProps = {
  id: string
  title: string
  /** The title is not being rewritten any more, and the field had the focus. */
  onLeft(): void
}

/**
 * A title that is rewritten where it stands: Enter or a click elsewhere keeps it, Escape leaves it as it was, and does not close
 * the drawer around it (the kit's word for that is the attribute).
 */
export function TitleInput({ id, title, onLeft }: TitleInputProps) {
  const t = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  const over = useRef(false)
  useEffect(() => {
    // The menu that this came from gives the focus back to its button while it closes.
    const timer = setTimeout(() => {
      input.current?.select()
    })
    return () => clearTimeout(timer)
  }, [])
  const end = (next: string, byKey: boolean) => {
    if (over.current) return
    over.current = true
    stopRenaming()
    if (byKey) onLeft()
    if (next !== '' && next !== title) void rename(id, title, next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (isForInputMethod(event.nativeEvent)) return
    if (event.key === 'Enter') end(event.currentTarget.value.trim(), true)
    else if (event.key === 'Escape') end(title, true)
    else return
    event.preventDefault()
  }
  return (
    <input
      ref={input}
      dir="auto"
      className={styles.input}
      defaultValue={title}
      maxLength={MAX_TITLE_LENGTH}
      aria-label={t('conversations.title')}
      data-testid="title-input"
      enterKeyHint="done"
      data-mantine-stop-propagation="true"
      onKeyDown={onKeyDown}
      onBlur={event => {
        if (document.hasFocus()) end(event.currentTarget.value.trim(), false)
      }}
    />
  )
}

type Where = 'row' | 'header'

/** The title that is being rewritten where it stands, if one is. */
const useRenaming = create<{ renaming: { id: string; where: Where } | null }>(() => ({ renaming: null }))

export function startRenaming(id: string, where: Where): void {
  useRenaming.setState({ renaming: { id, where } })
}

export function stopRenaming(): void {
  useRenaming.setState({ renaming: null })
}

export function useIsRenaming(id: string | null, where: Where): boolean {
  return useRenaming(({ renaming }) => renaming !== null && renaming.id === id && renaming.where === where)
}
