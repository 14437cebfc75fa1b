import { useState } from 'react'
import { IconAlignLeft, IconCode, IconDots } from '#web/kit/icons.ts'
import type { Message } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { MenuButton, type MenuEntry } from './MenuButton.tsx'
import styles from './thread.module.css'

const RawDialog = lazyComponent(() => import('#web/messages/RawDialog.tsx').then(module => module.RawDialog))

/** How the texts of a turn are shown, and the switch for it. */
export type Shown = { plain: boolean; onPlain(plain: boolean): void }

type MoreActionsProps = { messages: readonly Message[]; shown: Shown; more?: readonly MenuEntry[] }

/** What is rarely wanted of a message: its source text, its data. */
export function MoreActions({ messages, shown: { plain, onPlain }, more = [] }: MoreActionsProps) {
  const t = useTranslate()
  const [raw, setRaw] = useState(false)
  const closeRaw = () => setRaw(false)
  return (
    <>
      <MenuButton
        label={t('kit.more')}
        className={styles.action}
        entries={[
          ...more,
          {
            label: t(plain ? 'message.asMarkdown' : 'message.asWritten'),
            icon: <IconAlignLeft size={16} aria-hidden />,
            run: () => onPlain(!plain),
          },
          { label: t('message.raw'), icon: <IconCode size={16} aria-hidden />, run: () => setRaw(true) },
        ]}
      >
        <IconDots size={16} stroke={1.6} aria-hidden />
      </MenuButton>
      {raw && <RawDialog messages={messages} onClose={closeRaw} onLoadError={closeRaw} />}
    </>
  )
}
