import { type KeyboardEvent, useContext, useLayoutEffect, useRef } from 'react'
import { siblingsOf } from '#contract/messageTree.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronLeft, IconChevronRight } from '#web/kit/icons.ts'
import { Branches } from './branches.ts'
import styles from './branchSwitch.module.css'
import { keepPosition, restorePosition } from './switchPosition.ts'
import { ToolButton } from './ToolButton.tsx'

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
  const go = (step: 1 | -1, button: HTMLElement | null) => {
    const next = siblings[at + step]
    if (next === undefined || button === null || branches.busy !== null) return
    keepPosition(fork, button)
    branches.onBranch(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : null
    if (step === null || !(event.target instanceof HTMLElement)) return
    event.preventDefault()
    go(step, event.target)
  }
  return (
    <span className={styles.switch} ref={group} role="group" aria-label={t('branches.versions')} data-branches>
      <ToolButton
        label={t('branches.previous')}
        hindrance={at === 0 ? '' : branches.busy}
        data-testid="branch-previous"
        onKeyDown={onKeyDown}
        onClick={() => go(-1, buttonOf(group.current, 'previous'))}
      >
        <IconChevronLeft size={14} stroke={1.6} aria-hidden />
      </ToolButton>
      <span className={styles.count} aria-live="polite">
        {t('branches.place', { at: at + 1, count: siblings.length })}
      </span>
      <ToolButton
        label={t('branches.next')}
        hindrance={at === siblings.length - 1 ? '' : branches.busy}
        data-testid="branch-next"
        onKeyDown={onKeyDown}
        onClick={() => go(1, buttonOf(group.current, 'next'))}
      >
        <IconChevronRight size={14} stroke={1.6} aria-hidden />
      </ToolButton>
    </span>
  )
}

function buttonOf(group: HTMLElement | null, which: 'previous' | 'next'): HTMLElement | null {
  return group?.querySelector<HTMLElement>(`[data-testid=branch-${which}]`) ?? null
}
