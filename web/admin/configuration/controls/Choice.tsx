import { SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import type { Shape } from '../shape.ts'
import { useSettingTexts } from '../useSettingTexts.ts'
import { type ControlProps, describedBy, groupedBy } from './controlProps.ts'
import styles from './controls.module.css'

/** The total width up to which options are shown side by side, in Latin letters; a Han character counts as two. */
const SHORT = 24

/** One of a few: beside each other when they are short, else a list. */
export function Choice({ path, shape, value, invalid, onChange }: ControlProps<Extract<Shape, { kind: 'choice' }>>) {
  const texts = useSettingTexts()
  const options = shape.options.map(option => ({ value: option, label: texts.partName(path, option) }))
  if (options.reduce((sum, { label }) => sum + widthOf(label), 0) <= SHORT)
    return (
      <SegmentedControl
        {...groupedBy(path)}
        role="radiogroup"
        data={options}
        value={String(value)}
        onChange={onChange}
      />
    )
  return (
    <span className={`${styles.field} ${styles.choice}`}>
      <select
        {...describedBy({ path, invalid })}
        value={String(value)}
        onChange={event => onChange(event.currentTarget.value)}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  )
}

function widthOf(text: string): number {
  return text.length + (text.match(/\p{sc=Han}/gu)?.length ?? 0)
}
