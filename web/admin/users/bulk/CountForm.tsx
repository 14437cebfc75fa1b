import { NativeSelect, SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/SegmentedControl.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { useState } from 'react'
import type { BulkChange } from '#contract/bulk.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DrawerRow } from '../../drawer/rows.tsx'
import { CountInput } from '../edit/CountField.tsx'
import { useReported } from './ExtendForm.tsx'
import { SourcesRow, useSources } from './SourcesRow.tsx'

const ACTIONS = ['add', 'set'] as const
/** The contract's maximum that can be added at once. */
const MAX_ADDED = 1_000_000

/** Sets or increases a count of asks, of a model's asks, or of conversations. */
export function CountForm({ onChange }: { onChange(change: BulkChange | null): void }) {
  const t = useTranslate()
  const { sources, setSources } = useSources()
  const [action, setAction] = useState<(typeof ACTIONS)[number]>('add')
  const [which, setWhich] = useState('total')
  const [value, setValue] = useState(100)
  const options = useCountOptions()
  useReported(changeOf({ action, which, value, sources }), onChange)
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t('users.bulk.count')}
        value={action}
        onChange={next => setAction(ACTIONS.find(each => each === next) ?? 'add')}
        data={ACTIONS.map(each => ({ value: each, label: t(`users.bulk.count.${each}`) }))}
      />
      <DrawerRow label={t('users.bulk.which')}>
        {id => (
          <NativeSelect
            id={id}
            size="xs"
            value={which}
            data-autofocus
            data={options}
            onChange={event => setWhich(event.currentTarget.value)}
          />
        )}
      </DrawerRow>
      <DrawerRow
        label={t(action === 'add' ? 'users.bulk.more' : 'users.bulk.newCount')}
        below={action === 'set' ? t('users.bulk.count.set.help') : undefined}
      >
        {id => (
          <CountInput
            id={id}
            count={value}
            unit={t(which === 'conversations' ? 'users.unit.conversations' : 'users.unit.asks')}
            onChange={setValue}
          />
        )}
      </DrawerRow>
      <SourcesRow sources={sources} onChange={setSources} />
    </>
  )
}

const MODEL = 'model:'

function useCountOptions(): { value: string; label: string }[] {
  const t = useTranslate()
  const modelName = useModelName()
  const codes = new Set(usePortal()?.models.map(({ code }) => code))
  return [
    { value: 'total', label: t('users.total') },
    ...[...codes].map(code => ({ value: MODEL + code, label: modelName(code) })),
    { value: 'conversations', label: t('users.conversations') },
  ]
}

type Chosen = { action: (typeof ACTIONS)[number]; which: string; value: number; sources: Source[] }

function changeOf({ action, which, value, sources }: Chosen): BulkChange | null {
  if (sources.length === 0) return null
  if (action === 'add' && (value === UNLIMITED || value < 1 || value > MAX_ADDED)) return null
  if (which === 'total' || which === 'conversations') return { action, sources, count: which, value }
  return { action, sources, count: 'model', model: which.slice(MODEL.length), value }
}
