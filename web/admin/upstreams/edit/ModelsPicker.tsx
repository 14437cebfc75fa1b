import { Button, SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SearchField } from '../../table/SearchField.tsx'
import styles from './edit.module.css'
import type { PickedModel } from './fields.ts'
import { ModelRow } from './ModelRow.tsx'
import { moved, namedModel, offersAfter, picksFrom, shownModels } from './models.ts'
import type { ListedModel, ConnectionTest } from './useConnectionTest.ts'

type ModelsPickerProps = {
  /** Null: all models that the upstream lists. */
  picked: readonly PickedModel[] | null
  listed: readonly ListedModel[]
  isChanged: boolean
  /** Fetches the list again; null when the source has none. */
  reading: Pick<ConnectionTest, 'run' | 'pending' | 'canRun'> | null
  onChange(picked: readonly PickedModel[] | null): void
}

/**
 * Chooses which models of an upstream people may use: all that it lists, or the ticked ones, with an order and names of
 * their own.
 */
export function ModelsPicker({ picked, listed, isChanged, reading, onChange }: ModelsPickerProps) {
  const t = useTranslate()
  return (
    <div className={styles.models} data-changed={isChanged || undefined}>
      <SegmentedControl
        fullWidth
        aria-label={t('upstreams.models')}
        value={picked === null ? 'all' : 'picked'}
        data={(['all', 'picked'] as const).map(value => ({ value, label: t(`upstreams.models.${value}`) }))}
        onChange={value => onChange(value === 'all' ? null : picksFrom(listed))}
      />
      <div className={styles.modelsHead}>
        <span role="status">
          {listed.length === 0
            ? t('upstreams.models.unknown')
            : picked === null
              ? t('upstreams.models.count', { count: listed.length })
              : t('upstreams.models.pickedCount', { count: picked.length, total: listed.length })}
        </span>
        {reading !== null && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            loading={reading.pending}
            disabled={!reading.canRun}
            onClick={() => void reading.run()}
          >
            {t('upstreams.models.readAgain')}
          </Button>
        )}
      </div>
      {picked !== null && <Checklist picked={picked} listed={listed} onChange={onChange} />}
    </div>
  )
}

function Checklist({
  picked,
  listed,
  onChange,
}: Pick<ModelsPickerProps, 'listed' | 'onChange'> & { picked: readonly PickedModel[] }) {
  const t = useTranslate()
  const [words, setWords] = useState('')
  const shown = shownModels(picked, listed, words)
  const named = namedModel(words, [...picked, ...listed])
  return (
    <>
      <SearchField label={t('upstreams.models.search')} words={words} onWords={setWords} />
      {picked.length === 0 && <p className={styles.wrong}>{t('upstreams.wrong.models')}</p>}
      <ul className={styles.modelList} aria-label={t('upstreams.models')}>
        {shown.map(model => {
          const at = picked.findIndex(({ name }) => name === model.name)
          return (
            <ModelRow
              key={model.name}
              model={model}
              position={at === -1 ? null : { at, count: picked.length }}
              onTick={ticked => onChange(offersAfter(picked, model, ticked))}
              onEdit={changed =>
                onChange(picked.map(each => (each.name === model.name ? { ...each, ...changed } : each)))
              }
              onMove={by => onChange(moved(picked, at, by))}
            />
          )
        })}
      </ul>
      {named !== null && (
        <Button size="xs" variant="default" onClick={() => onChange([...picked, named])}>
          {t('upstreams.models.addNamed', { name: named.name })}
        </Button>
      )}
    </>
  )
}
