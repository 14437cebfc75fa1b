import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconBulb, IconChevronDown } from '#web/kit/icons.ts'
import { MenuButton } from '#web/kit/MenuButton.tsx'

/** How hard a model can be told to think. `level`: null as it does by itself. */
type LevelPickerProps = {
  levels: readonly string[]
  level: string | null
  onChoose(level: string | null): void
  className: string | undefined
}

/** Levels that have names; others are shown as they are sent. */
const NAMED = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

export function LevelPicker({ levels, level, onChoose, className }: LevelPickerProps) {
  const t = useTranslate()
  const levelName = (code: string | null): string => {
    const named = NAMED.find(each => each === code)
    return named === undefined ? (code ?? t('thinking.default')) : t(`thinking.${named}`)
  }
  const entries = [null, ...levels].map(code => ({
    label: levelName(code),
    chosen: code === level,
    run: () => onChoose(code),
  }))
  return (
    <span data-testid="thinking-level">
      <MenuButton
        label={t('thinking.label', { level: levelName(level) })}
        className={className}
        entries={entries}
        position="top-start"
      >
        <IconBulb size={14} aria-hidden />
        {level !== null && <span>{levelName(level)}</span>}
        <IconChevronDown size={14} aria-hidden />
      </MenuButton>
    </span>
  )
}
