import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { MeterDetails } from './MeterDetails.tsx'
import styles from './sharedMeter.module.css'
import { useSharedMeter } from './useSharedMeter.ts'

type MeterPopoverProps = {
  /** What the button that opens it names. */
  id: string
  /** Where the button is: at the foot of the list, or in the header. */
  from: 'foot' | 'header'
}

/** Lies above everything until there is a click elsewhere; opening, closing and the focus are the browser's own. */
export function MeterPopover({ id, from }: MeterPopoverProps) {
  const t = useTranslate()
  const [open, setOpen] = useState(false)
  const { accounts = [], now = '' } = useSharedMeter() ?? {}
  return (
    <div
      id={id}
      popover="auto"
      role="dialog"
      aria-label={t('meter.title')}
      className={`${styles.popover} ${from === 'foot' ? styles.fromFoot : styles.fromHeader}`}
      data-testid="meter-popover"
      onToggle={event => setOpen(event.newState === 'open')}
    >
      {open &&
        accounts.map(account => (
          <MeterDetails key={account.upstream_id} account={account} alone={accounts.length === 1} now={now} />
        ))}
    </div>
  )
}
