import { MenuButton } from '#web/conversations/MenuButton.tsx'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown } from '#web/kit/icons.ts'
import styles from './composer.module.css'
import type { ModelChoices } from './modelChoice.tsx'

/** The model of the next question. */
export function ModelPicker({ choice: { model, models, choose } }: { choice: ModelChoices }) {
  const t = useTranslate()
  const modelName = useModelName()
  const name = modelName(model) ?? model
  if (models.length < 2) return <span className={styles.model}>{name}</span>
  const entries = models.map(({ code }) => ({
    label: modelName(code) ?? code,
    chosen: code === model,
    run: () => choose(code),
  }))
  return (
    <MenuButton
      label={t('composer.model', { model: name })}
      className={styles.pick}
      entries={entries}
      position="top-start"
    >
      <span className={styles.modelName}>{name}</span>
      <IconChevronDown size={14} aria-hidden />
    </MenuButton>
  )
}
