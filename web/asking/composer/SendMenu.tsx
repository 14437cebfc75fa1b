import { useState } from 'react'
import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readQuietTimes } from '#contract/quietAsks.ts'
import { CHAT_KEYS } from './sendKey.ts'
import { call } from '#web/foundation/call.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useSharedMeter } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowUp, IconClock } from '#web/kit/icons.ts'
import type { ModelChoices } from '../conversation/modelChoice.ts'
import type { SendWhen } from './sendWhen.ts'
import styles from './sendWays.module.css'

type SendMenuProps = {
  source: ModelChoices['source']
  onSend(when: SendWhen): void
  onClose(): void
}

/** The two ways to send a question: what each costs, and when about it is answered. */
export function SendMenu({ source, onSend, onClose }: SendMenuProps) {
  const t = useTranslate()
  const { sendKey } = usePreferences()
  const close = (next: boolean) => {
    if (!next) onClose()
  }
  return (
    <Menu opened onChange={close} position="top-end" width={318}>
      <Menu.Target>
        <span className={styles.anchor} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('composer.sendWays')}>
        <Menu.Item
          leftSection={<IconArrowUp size={16} aria-hidden />}
          rightSection={<kbd className={styles.key}>{CHAT_KEYS[sendKey]}</kbd>}
          data-testid="send-now"
          onClick={() => onSend('now')}
        >
          {t('quiet.now')}
          <NowFacts source={source} />
        </Menu.Item>
        <QuietItem source={source} onSend={() => onSend('quiet')} />
      </Menu.Dropdown>
    </Menu>
  )
}

function NowFacts({ source }: Pick<SendMenuProps, 'source'>) {
  const t = useTranslate()
  const accounts = useSharedMeter()?.accounts.filter(account => account.source === source && !account.paused) ?? []
  const before = Math.min(
    ...accounts.map(({ waiting, running, places }) => waiting + Math.max(0, running - places + 1)),
  )
  const cost = Number.isFinite(before) && before > 0 ? t('quiet.nowAhead', { count: before }) : t('quiet.nowCost')
  return <small className={styles.facts}>{cost}</small>
}

function QuietItem({ source, onSend }: { source: SendMenuProps['source']; onSend(): void }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const { data } = useQuery({
    queryKey: ['quiet', source],
    queryFn: ({ signal }) => call(readQuietTimes, { query: { source } }, { signal }),
    meta: { quiet: true },
  })
  const [now] = useState(() => Date.now())
  const isFull = data !== undefined && data.waiting >= data.most
  const likely = data?.likely_at ?? null
  const text = isFull
    ? t('quiet.full', { count: data.waiting })
    : likely === null || Date.parse(likely) <= now
      ? t('quiet.laterText')
      : t('quiet.laterLikely', { time: momentText(likely) })
  return (
    <Menu.Item
      leftSection={<IconClock size={16} aria-hidden />}
      rightSection={<kbd className={styles.key}>Alt Enter</kbd>}
      data-testid="send-quiet"
      disabled={isFull}
      onClick={onSend}
    >
      {t('quiet.later')}
      <small className={styles.facts}>{text}</small>
    </Menu.Item>
  )
}
