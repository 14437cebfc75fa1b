import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { create } from 'zustand'
import { MAX_TITLE_LENGTH } from '#contract/conversations.ts'
import { isForInputMethod } from '#web/foundation/shortcuts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { rename } from './conversationActions.ts'
import styles from './titleInput.module.css'

type TitleInputProps = {
  id: string
  title: string
  /** Called when a key has closed the field, which had the focus. */
  onLeft(): void
}

/**
 * Renames in place: Enter, its button or a click elsewhere saves the title; Escape or its button cancels, since phones
 * have no such key. The attribute keeps Escape from closing the drawer around it.
 */
export function TitleInput({ id, title, onLeft }: TitleInputProps) {
  const t = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  const isClosed = useRef(false)
  useEffect(() => {
    // Later than the menu that opened this, which returns the focus to its button while it closes.
    const timer = setTimeout(() => {
      input.current?.select()
    })
    return () => clearTimeout(timer)
  }, [])
  const end = (next: string, byKey: boolean) => {
    if (isClosed.current) return
    isClosed.current = true
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
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (document.hasFocus() && !currentTarget.contains(relatedTarget)) end(input.current?.value.trim() ?? '', false)
  }
  return (
    <span role="presentation" className={styles.field} data-mantine-stop-propagation="true" onBlur={onBlur}>
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
      />
      <SmallIconButton
        className={styles.button}
        label={t('kit.save')}
        data-testid="save-title"
        onMouseDown={keepFocus}
        onClick={() => end(input.current?.value.trim() ?? '', true)}
      >
        <IconCheck size={16} aria-hidden />
      </SmallIconButton>
      <SmallIconButton
        className={styles.button}
        label={t('kit.cancel')}
        data-testid="cancel-title"
        onMouseDown={keepFocus}
        onClick={() => end(title, true)}
      >
        <IconX size={16} aria-hidden />
      </SmallIconButton>
    </span>
  )
}

/**
 * Safari focuses no button that is pressed: the field would lose the focus to nothing, and save what is to be
 * cancelled.
 */
const keepFocus = (event: MouseEvent): void => event.preventDefault()

type Where = 'row' | 'header'

/** The title that is being renamed, if any. */
const useRenaming = create<{ renaming: { id: string; where: Where } | null }>(() => ({ renaming: null }))

export function startRenaming(id: string, where: Where): void {
  useRenaming.setState({ renaming: { id, where } })
}

function stopRenaming(): void {
  useRenaming.setState({ renaming: null })
}

export function useIsRenaming(id: string | null, where: Where): boolean {
  return useRenaming(({ renaming }) => renaming !== null && renaming.id === id && renaming.where === where)
}
