import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconChevronDown, IconChevronUp } from '#web/kit/icons.ts'
import { UnitInput } from '../../drawer/inputs.tsx'
import { CheckBox } from '../../table/DataTable.tsx'
import styles from './edit.module.css'
import type { PickedModel } from './fields.ts'
import type { ListedModel } from './useConnectionTest.ts'

type ModelRowProps = {
  model: PickedModel & Pick<ListedModel, 'learned_context_length'>
  /** The position among the offered models; null when it is not offered. */
  position: { at: number; count: number } | null
  onTick(ticked: boolean): void
  onEdit(changed: Partial<Pick<PickedModel, 'label' | 'context_length'>>): void
  onMove(by: -1 | 1): void
}

export function ModelRow({ model, position, onTick, onEdit, onMove }: ModelRowProps) {
  const t = useTranslate()
  const { name, label, context_length, learned_context_length: learned } = model
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
            <UnitInput
              aria-label={t('upstreams.models.context', { name })}
              placeholder={t('upstreams.models.contextUnknown')}
              unit={t('upstreams.models.tokens')}
              value={context_length === null ? '' : String(context_length)}
              onChange={text => onEdit({ context_length: contextOf(text) })}
            />
            {learned !== null && learned < (context_length ?? Infinity) && (
              <span data-testid="learned-context">{t('upstreams.models.learned', { count: learned })}</span>
            )}
          </div>
        </>
      )}
    </li>
  )
}

/** Reads digits only. A number out of bounds is reported when it is saved. */
function contextOf(text: string): number | null {
  const digits = text.replaceAll(/\D/g, '').slice(0, 9)
  return digits === '' ? null : Number(digits)
}
