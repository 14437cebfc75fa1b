import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { pooled } from './account.ts'
import styles from './sharedMeter.module.css'
import { useSharedMeter } from './useSharedMeter.ts'

const MeterAccounts = lazyComponent(() => import('./MeterDetails.tsx').then(module => module.MeterAccounts))

/** The position of the button: the foot of the list, or the header. */
type Position = 'foot' | 'header'

/** The `popoverTarget` of its button. */
export const METER_POPOVERS = { header: 'meter-from-header', foot: 'meter-from-foot' } as const satisfies Record<
  Position,
  string
>

/** Opens the details of the shared accounts where their button is. */
export function openMeter(): void {
  for (const id of Object.values(METER_POPOVERS)) {
    const popover = document.getElementById(id)
    if ((popover?.previousElementSibling?.getClientRects().length ?? 0) > 0) {
      popover?.showPopover()
      return
    }
  }
}

/** A popover of the browser, which opens and closes it and moves the focus. */
export function MeterPopover({ from }: { from: Position }) {
  const t = useTranslate()
  const [open, setOpen] = useState(false)
  const { accounts: all = [], now = '' } = useSharedMeter() ?? {}
  const accounts = pooled(all)
  return (
    <div
      id={METER_POPOVERS[from]}
      popover="auto"
      role="dialog"
      aria-label={t('meter.title')}
      className={`${styles.popover} ${from === 'foot' ? styles.fromFoot : styles.fromHeader}`}
      data-testid="meter-popover"
      data-shares={accounts.some(({ pool }) => pool !== null) || undefined}
      onToggle={event => setOpen(event.newState === 'open')}
    >
      {open && <MeterAccounts accounts={accounts} now={now} onLoadError={() => setOpen(false)} />}
    </div>
  )
}
