import { SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { DateInput } from '#web/admin/drawer/inputs.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown } from '#web/kit/icons.ts'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import styles from './system.module.css'
import { GRANULARITIES, type PlotName, type Range, RANGES } from './useRange.ts'

/** Which time the figures and plots are of. */
export function RangeControl({ range }: { range: Range }) {
  const t = useTranslate()
  return (
    <div className={styles.range}>
      {range.name === 'own' && (
        <span className={styles.dates}>
          <DateInput aria-label={t('system.range.from')} value={range.from} onChange={from => range.change({ from })} />
          –
          <DateInput aria-label={t('system.range.to')} value={range.to} onChange={to => range.change({ to })} />
        </span>
      )}
      <SegmentedControl
        aria-label={t('system.range')}
        data={RANGES.map(name => ({ value: name, label: t(`system.range.${name}`) }))}
        value={range.name}
        onChange={name =>
          range.change({ range: name, from: undefined, to: undefined, asks: undefined, requests: undefined })
        }
      />
    </div>
  )
}

/** How long a bucket of a plot is. */
export function GranularityMenu({ range, plot }: { range: Range; plot: PlotName }) {
  const t = useTranslate()
  const current = range.granularityOf(plot)
  const name = t(GRANULARITIES[current])
  return (
    <MenuButton
      label={t('system.granularity', { each: name })}
      className={styles.granularity}
      entries={range.granularities.map(each => ({
        label: t(GRANULARITIES[each]),
        chosen: each === current,
        run: () => range.change({ [plot]: String(each) }),
      }))}
    >
      {name}
      <IconChevronDown size={14} aria-hidden />
    </MenuButton>
  )
}
