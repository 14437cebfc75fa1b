import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { Shape } from '../shape.ts'
import { type ControlProps, describedBy } from './controlProps.ts'
import styles from './controls.module.css'

/** A text. Blank means missing, where the setting allows that. */
export function TextField({ path, shape, value, invalid, onChange }: ControlProps<Extract<Shape, { kind: 'text' }>>) {
  const t = useTranslate()
  return (
    <span className={styles.field}>
      <input
        {...describedBy({ path, invalid })}
        value={typeof value === 'string' ? value : ''}
        placeholder={shape.nullable ? t('settings.notSet') : undefined}
        inputMode={shape.format === 'address' ? 'url' : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget: { value: text } }) => onChange(shape.nullable && text.trim() === '' ? null : text)}
      />
    </span>
  )
}
