import { Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown, IconX } from '#web/kit/icons.ts'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import styles from './filterBar.module.css'
import { SearchField } from './SearchField.tsx'
import type { ListAddress } from './useListAddress.ts'

/** One filter of a list. `name` is its entry in the call's query. */
export type Filter = { name: string; label: string } & (
  | FilterOptions
  /** A chip that is set or not: its entry has this value or none. */
  | { value: string }
  /** Chosen in a popover, such as a person or two dates. `shown` is the value in words while it is set. */
  | { shown: string | undefined; content(close: () => void): ReactNode }
)
type FilterOptions = { options: readonly { value: string; label: string }[] }

type FilterBarProps = {
  address: ListAddress
  /** What the words are looked for in: "Name, user name or email". Without it there is no search field. */
  search?: string
  filters?: readonly Filter[]
  /** How many there are, at the right end: "12 users". */
  count?: string
  /** Further controls behind the filters. */
  children?: ReactNode
}

/** The search, the filters and the number of rows above a list. The state is kept in the address. */
export function FilterBar({ address, search, filters = [], count, children }: FilterBarProps) {
  return (
    <div className={styles.bar} role="search" data-testid="admin-filter">
      {search !== undefined && (
        <SearchField
          label={search}
          words={address.query.words ?? ''}
          onWords={words => address.change({ words: words === '' ? undefined : words })}
        />
      )}
      <div className={styles.filters}>
        {filters.map(filter => (
          <FilterChip
            key={'value' in filter ? `${filter.name}=${filter.value}` : filter.name}
            filter={filter}
            address={address}
          />
        ))}
        {children}
      </div>
      {count !== undefined && (
        <span className={styles.count} role="status">
          {count}
        </span>
      )}
    </div>
  )
}

function FilterChip({ filter, address }: { filter: Filter; address: ListAddress }) {
  const query: Readonly<Record<string, unknown>> = address.query
  const value = query[filter.name]
  const clear = () => address.change({ [filter.name]: undefined })
  if ('value' in filter) {
    const isSet = value === filter.value
    return (
      <button
        type="button"
        className={styles.chip}
        data-set={isSet || undefined}
        aria-pressed={isSet}
        onClick={() => address.change({ [filter.name]: isSet ? undefined : filter.value })}
      >
        {filter.label}
      </button>
    )
  }
  if ('content' in filter)
    return (
      <SetChip label={filter.label} shown={value === undefined ? undefined : filter.shown} onClear={clear}>
        {label => <PopoverChip label={label} content={filter.content} />}
      </SetChip>
    )
  const chosen = filter.options.find(option => option.value === value)
  return (
    <SetChip label={filter.label} shown={chosen?.label} onClear={clear}>
      {label => (
        <MenuButton
          label={label}
          className={styles.open}
          position="bottom-start"
          entries={filter.options.map(option => ({
            label: option.label,
            chosen: option === chosen,
            run: () => address.change({ [filter.name]: option.value }),
          }))}
        >
          <ChipText label={label} isSet={chosen !== undefined} />
        </MenuButton>
      )}
    </SetChip>
  )
}

type SetChipProps = {
  label: string
  /** The value in words; undefined while the filter is not set. */
  shown: string | undefined
  onClear(): void
  children(label: string): ReactNode
}

/** A filter: its label, or while it is set its value with a button to clear it. */
function SetChip({ label, shown, onClear, children }: SetChipProps) {
  const t = useTranslate()
  const isSet = shown !== undefined
  return (
    <span className={styles.chip} data-set={isSet || undefined}>
      {children(isSet ? t('table.filterIs', { label, value: shown }) : label)}
      {isSet && (
        <SmallIconButton className={styles.clear} label={t('table.clearFilter', { label })} onClick={onClear}>
          <IconX size={14} aria-hidden />
        </SmallIconButton>
      )}
    </span>
  )
}

function ChipText({ label, isSet = false }: { label: string; isSet?: boolean }) {
  return (
    <>
      <span>{label}</span>
      {!isSet && <IconChevronDown size={14} aria-hidden />}
    </>
  )
}

function PopoverChip({ label, content }: { label: string; content(close: () => void): ReactNode }) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={styles.open} onClick={() => setOpened(!opened)}>
          <ChipText label={label} />
        </button>
      </Popover.Target>
      <Popover.Dropdown>{content(() => setOpened(false))}</Popover.Dropdown>
    </Popover>
  )
}
