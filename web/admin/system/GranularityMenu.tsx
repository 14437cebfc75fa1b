import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown } from '#web/kit/icons.ts'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import { type Granularities, GRANULARITIES } from './granularity.ts'
import styles from './system.module.css'

/** How long a bucket of a plot is. */
export function GranularityMenu({ granularities: { chosen, offered, choose } }: { granularities: Granularities }) {
  const t = useTranslate()
  const name = t(GRANULARITIES[chosen])
  return (
    <MenuButton
      label={t('system.granularity', { each: name })}
      className={styles.granularity}
      entries={offered.map(each => ({
        label: t(GRANULARITIES[each]),
        chosen: each === chosen,
        run: () => choose(each),
      }))}
    >
      {name}
      <IconChevronDown size={14} aria-hidden />
    </MenuButton>
  )
}
