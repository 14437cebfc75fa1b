import { Button, SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SearchField } from '#web/admin/table/SearchField.tsx'
import styles from './edit.module.css'
import type { PickedModel } from './fields.ts'
import { moved, namedModel, offersAfter, picksFrom, shownModels } from './models.ts'
import type { ConnectionTest, ListedModel } from './useConnectionTest.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconChevronDown, IconChevronUp } from '#web/kit/icons.ts'
import { UnitInput } from '#web/admin/drawer/rows.tsx'
import { CheckBox } from '#web/admin/table/DataTable.tsx'

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

type ModelRowProps = {
  model: PickedModel
  /** The position among the offered models; null when it is not offered. */
  position: { at: number; count: number } | null
  onTick(ticked: boolean): void
  onEdit(changed: Pick<PickedModel, 'label'>): void
  onMove(by: -1 | 1): void
}

function ModelRow({ model, position, onTick, onEdit, onMove }: ModelRowProps) {
  const t = useTranslate()
  const { name, label } = model
  return (
    <li className={styles.model} data-testid="model-row">
      <CheckBox label={t('upstreams.models.offer', { name })} checked={position !== null} onChange={onTick} />
      <span className={styles.modelName}>{name}</span>
      {position !== null && (
        <>
          <IconButton
            size={28}
            label={t('upstreams.models.up', { name })}
            disabled={position.at === 0}
            onClick={() => onMove(-1)}
          >
            <IconChevronUp size={16} aria-hidden />
          </IconButton>
          <IconButton
            size={28}
            label={t('upstreams.models.down', { name })}
            disabled={position.at === position.count - 1}
            onClick={() => onMove(1)}
          >
            <IconChevronDown size={16} aria-hidden />
          </IconButton>
          <div className={styles.modelFields}>
            <UnitInput
              inputMode="text"
              maxLength={80}
              aria-label={t('upstreams.models.label', { name })}
              placeholder={t('upstreams.models.ownName')}
              value={label ?? ''}
              onChange={text => onEdit({ label: text === '' ? null : text })}
            />
          </div>
        </>
      )}
    </li>
  )
}
