import { type PointerEvent, type ReactNode, type TouchEvent, useEffect, useRef, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown } from '#web/kit/icons.ts'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import type { ModelChoices } from '../conversation/modelChoice.ts'
import type { SendWhen } from './sendWhen.ts'
import styles from './sendWays.module.css'

const SendMenu = lazyWithTexts('quiet', () => import('./SendMenu.tsx').then(module => module.SendMenu))

/** Milliseconds after which a finger that stays is no tap. */
const LONG_PRESS = 500

type SendWaysProps = {
  source: ModelChoices['source'] | null
  disabled: boolean
  onSend(when: SendWhen): void
  /** The send button. */
  children: ReactNode
}

/** The send button, with the ways to send beside it: behind a chevron, and on phones behind a long press. */
export function SendWays({ source, disabled, onSend, children }: SendWaysProps) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  const press = useLongPress(disabled || source === null ? null : () => setOpened(true))
  const preload = () => {
    SendMenu.preload().catch(() => null)
  }
  const send = (when: SendWhen) => {
    setOpened(false)
    onSend(when)
  }
  return (
    <span className={styles.ways} {...press}>
      <button
        type="button"
        className={styles.chevron}
        data-testid="send-ways"
        aria-label={t('composer.sendWays')}
        data-tip={t('composer.sendWays')}
        aria-haspopup="menu"
        aria-expanded={opened}
        disabled={disabled || source === null}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpened(true)}
      >
        <IconChevronDown size={14} aria-hidden />
      </button>
      {children}
      {opened && source !== null && (
        <SendMenu source={source} onSend={send} onClose={() => setOpened(false)} onLoadError={() => setOpened(false)} />
      )}
    </span>
  )
}

/** A finger that stays on the button opens the menu, and the click that follows sends nothing. */
function useLongPress(run: (() => void) | null) {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const isLong = useRef(false)
  const end = () => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
  }
  useEffect(() => end, [])
  return {
    onPointerDown: ({ pointerType }: PointerEvent) => {
      isLong.current = false
      if (pointerType !== 'touch' || run === null) return
      timer.current = setTimeout(() => {
        isLong.current = true
        run()
      }, LONG_PRESS)
    },
    onPointerUp: end,
    onPointerCancel: end,
    // The mouse that browsers make of a touch would press beside the menu, which closes it.
    onTouchEnd: (event: TouchEvent) => {
      if (!isLong.current || !event.cancelable) return
      isLong.current = false
      event.preventDefault()
    },
    onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
    onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => {
      if (!isLong.current) return
      isLong.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
