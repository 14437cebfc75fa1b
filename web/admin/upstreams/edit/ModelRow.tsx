import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconChevronDown, IconChevronUp } from '#web/kit/icons.ts'
import { UnitInput } from '../../drawer/inputs.tsx'
import { CheckBox } from '../../table/DataTable.tsx'
import styles from './edit.module.css'
import type { PickedModel } from './fields.ts'

type ModelRowProps = {
  model: PickedModel
  /** The position among the offered models; null when it is not offered. */
  position: { at: number; count: number } | null
  onTick(ticked: boolean): void
  onEdit(changed: Pick<PickedModel, 'label'>): void
  onMove(by: -1 | 1): void
}

export function ModelRow({ model, position, onTick, onEdit, onMove }: ModelRowProps) {
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
