import { createContext, type KeyboardEvent, useContext, useLayoutEffect, useRef } from 'react'
import type { Message } from '#contract/messages.ts'
import { siblingsOf } from '#contract/messageTree.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronLeft, IconChevronRight } from '#web/kit/icons.ts'
import styles from './branchSwitch.module.css'
import { ToolButton } from './MessageActions.tsx'

/** The tree that the shown path belongs to, and how to switch to another of its branches. */
export type Branches = {
  conversation_id: string
  mapping: Readonly<Record<string, Message>>
  /** Why no other branch can be shown now; null when one can. */
  busy: string | null
  onBranch(message_id: string): void
}

export const Branches = createContext<Branches | null>(null)

/** "2 / 3" where a conversation branches; nothing where it does not. */
export function BranchSwitch({ message_id }: { message_id: string }) {
  const branches = useContext(Branches)
  const siblings = branches === null ? [] : siblingsOf(branches.mapping, message_id)
  if (branches === null || siblings.length < 2) return null
  return <Switch branches={branches} siblings={siblings} at={siblings.indexOf(message_id)} />
}

function Switch({ branches, siblings, at }: { branches: Branches; siblings: readonly string[]; at: number }) {
  const t = useTranslate()
  const group = useRef<HTMLSpanElement>(null)
  const fork = `${branches.conversation_id} ${siblings[0]}`
  useLayoutEffect(() => {
    if (group.current !== null) restorePosition(fork, group.current)
  }, [fork, at])
  const go = (step: 1 | -1, button: HTMLElement) => {
    const next = siblings[at + step]
    if (next === undefined || branches.busy !== null) return
    keepPosition(fork, button)
    branches.onBranch(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : null
    if (step === null) return
    event.preventDefault()
    go(step, event.currentTarget)
  }
  return (
    <span className={styles.switch} ref={group} role="group" aria-label={t('branches.versions')} data-branches>
      <ToolButton
        label={t('branches.previous')}
        disabledReason={at === 0 ? '' : branches.busy}
        data-testid="branch-previous"
        onKeyDown={onKeyDown}
        onClick={button => go(-1, button)}
      >
        <IconChevronLeft size={14} stroke={1.6} aria-hidden />
      </ToolButton>
      <span className={styles.count} aria-live="polite">
        {t('branches.place', { at: at + 1, count: siblings.length })}
      </span>
      <ToolButton
        label={t('branches.next')}
        disabledReason={at === siblings.length - 1 ? '' : branches.busy}
        data-testid="branch-next"
        onKeyDown={onKeyDown}
        onClick={button => go(1, button)}
      >
        <IconChevronRight size={14} stroke={1.6} aria-hidden />
      </ToolButton>
    </span>
  )
}

/** Which button of a switch was pressed, and its distance from the top of the screen in pixels. */
let pressed: { fork: string; testid: string; top: number } | null = null

/**
 * Remembers where the button is: above the switch another branch has another height, but the switch is to stay under
 * the finger.
 */
function keepPosition(fork: string, button: HTMLElement): void {
  pressed = { fork, testid: button.dataset['testid'] ?? '', top: button.getBoundingClientRect().top }
}

/** Scrolls the switch back to where it was, and focuses the same button. */
function restorePosition(fork: string, group: HTMLElement): void {
  if (pressed?.fork !== fork) return
  const { testid, top } = pressed
  pressed = null
  const button = group.querySelector<HTMLElement>(`[data-testid=${testid}]`)
  const scroller = group.closest('[data-testid=thread]')
  if (button === null || scroller === null) return
  scroller.dispatchEvent(new Event('unpin'))
  scroller.scrollBy(0, button.getBoundingClientRect().top - top)
  button.focus({ preventScroll: true })
}
