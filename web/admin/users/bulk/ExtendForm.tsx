import { SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useEffect, useEffectEvent, useState } from 'react'
import type { BulkChange } from '#contract/bulk.ts'
import type { Source } from '#contract/models.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DateInput, UnitInput } from '../../drawer/inputs.tsx'
import { DrawerRow } from '../../drawer/rows.tsx'
import { endOfDay } from '../edit/ValidityField.tsx'
import { SourcesRow, useSources } from './SourcesRow.tsx'

const MODES = ['days', 'until', 'forever'] as const
/** The contract's bound. */
const MAX_DAYS = 3660
const DAYS = [7, 30, 90, 365]

/** Extends the validity: by days, until a date, or for ever. */
export function ExtendForm({ onChange }: { onChange(change: BulkChange | null): void }) {
  const t = useTranslate()
  const { sources, setSources } = useSources()
  const [mode, setMode] = useState<(typeof MODES)[number]>('days')
  const [days, setDays] = useState('30')
  const [date, setDate] = useState('')
  const change = changeOf(mode, sources, days, date)
  useReported(change, onChange)
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t('users.bulk.extend')}
        value={mode}
        onChange={value => setMode(MODES.find(each => each === value) ?? 'days')}
        data={MODES.map(value => ({ value, label: t(`users.bulk.extend.${value}`) }))}
      />
      {mode === 'days' && (
        <DrawerRow
          label={t('users.bulk.longer')}
          below={DAYS.map(count => (
            <button key={count} type="button" onClick={() => setDays(String(count))}>
              {t('users.bulk.days', { count })}
            </button>
          ))}
        >
          {id => (
            <UnitInput
              id={id}
              unit={t('users.unit.days')}
              data-autofocus
              value={days}
              onChange={text => setDays(text.replace(/\D/g, '').slice(0, 4))}
            />
          )}
        </DrawerRow>
      )}
      {mode === 'until' && (
        <DrawerRow label={t('users.validUntil')}>
          {id => <DateInput id={id} value={date} onChange={setDate} />}
        </DrawerRow>
      )}
      <SourcesRow sources={sources} onChange={setSources} />
    </>
  )
}

function changeOf(mode: (typeof MODES)[number], sources: Source[], days: string, date: string): BulkChange | null {
  if (sources.length === 0) return null
  if (mode === 'forever') return { action: 'validUntil', sources, until: null }
  if (mode === 'until') {
    const until = endOfDay(date)
    return until === null ? null : { action: 'validUntil', sources, until }
  }
  const count = Number(days)
  return count >= 1 && count <= MAX_DAYS ? { action: 'extend', sources, days: count } : null
}

/** Reports the change whenever it differs. */
export function useReported(change: BulkChange | null, onChange: (change: BulkChange | null) => void): void {
  const text = JSON.stringify(change)
  const report = useEffectEvent(() => onChange(change))
  useEffect(() => report(), [text])
}
