import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { PanelActions } from './PanelActions.tsx'
import { useShare } from './queries.ts'
import { SharePeople } from './SharePeople.tsx'
import { ShareRule } from './ShareRule.tsx'
import { ShareWindows } from './ShareWindows.tsx'
import styles from './shares.module.css'
import { StateTag } from './StateTag.tsx'

type SharesPanelProps = {
  /** The account by its id of the meter. */
  pool: number
  name: string
  /** When it was updated, in words. */
  updated: string
  /** Who is answered and who waits. */
  queue: ReactNode
}

/** The account, opened: its windows, everybody's part, and the rule in words. On a phone it is a sheet. */
export function SharesPanel({ pool, name, updated, queue }: SharesPanelProps) {
  const t = useTranslate()
  const share = useShare(pool, { watched: true })
  const [explains, setExplains] = useState(false)
  const isPhone = useMediaQuery('(max-width: 47.5em)', false, { getInitialValueInEffect: false })
  if (share === undefined) return <section className={styles.panel} aria-busy="true" />
  if (explains) return <ShareRule onBack={() => setExplains(false)} />
  return (
    <section className={styles.panel} aria-label={t('shares.title', { account: name })} data-testid="shares-panel">
      <div className={styles.head}>
        <strong>{name}</strong>
        <StateTag share={share} always />
        <span className={styles.aside}>{updated}</span>
        {isPhone && <CloseButton />}
      </div>
      <ShareWindows share={share} name={name} />
      {queue}
      <SharePeople share={share} isPhone={isPhone} />
      <div className={styles.foot}>
        <PanelActions share={share} />
        <button type="button" className={styles.unfold} data-testid="share-how" onClick={() => setExplains(true)}>
          {t('shares.how')}
        </button>
      </div>
    </section>
  )
}

/** Of a sheet; a popover closes with a click beside it. */
function CloseButton() {
  const t = useTranslate()
  return (
    <SmallIconButton
      className={styles.close}
      label={t('kit.close')}
      onClick={event => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
    >
      <IconX size={18} aria-hidden />
    </SmallIconButton>
  )
}
