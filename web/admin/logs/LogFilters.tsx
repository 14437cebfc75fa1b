import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { LogLevel, LogName } from '#contract/logFiles.ts'
import { type Filter, FilterBar } from '#web/admin/table/FilterBar.tsx'
import { useListAddress } from '#web/admin/table/useListAddress.ts'
import { isForInputMethod } from '#web/foundation/shortcuts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown, IconX } from '#web/kit/icons.ts'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import styles from './logs.module.css'

type LogFiltersProps = {
  address: LogAddress
  filters?: readonly Filter[]
  isFollowing: boolean
  onFollow(follow: boolean): void
  /** At the right end. */
  children?: ReactNode
}

/** The filters above a log: which lines, how many, and whether it is followed. */
export function LogFilters({ address, filters = [], isFollowing, onFollow, children }: LogFiltersProps) {
  const t = useTranslate()
  const count = address.query.lines ?? USUAL_LINES
  return (
    <div className={styles.bar}>
      <FilterBar address={address} filters={filters}>
        <LeftOut address={address} />
        <MenuButton
          label={t('logs.lines', { count: Number(count) })}
          className={styles.drop}
          entries={LINE_COUNTS.map(each => ({
            label: t('logs.lines', { count: Number(each) }),
            chosen: each === count,
            run: () => address.change({ lines: each === USUAL_LINES ? undefined : each }),
          }))}
        >
          {t('logs.lines', { count: Number(count) })}
          <IconChevronDown size={14} aria-hidden />
        </MenuButton>
      </FilterBar>
      <span className={styles.end}>
        <Switch
          size="xs"
          labelPosition="left"
          label={t('logs.follow')}
          classNames={{ label: styles.follow }}
          checked={isFollowing}
          data-testid="log-follow"
          onChange={event => onFollow(event.currentTarget.checked)}
        />
        {children}
      </span>
    </div>
  )
}

/** Words whose lines are left out. A typed word is added by Enter or by leaving the field. */
function LeftOut({ address }: { address: LogAddress }) {
  const t = useTranslate()
  const [typed, setTyped] = useState('')
  const words = wordsIn(address.query.without)
  const set = (next: readonly string[]) => address.change({ without: wordsText(next) })
  const add = () => {
    if (typed.trim() !== '') set(wordsIn([...words, typed].join(',')))
    setTyped('')
  }
  return (
    <span className={styles.words}>
      {t('logs.without')}
      {words.map(word => (
        <span key={word} className={styles.word}>
          {word}
          <SmallIconButton
            label={t('logs.without.remove', { word })}
            onClick={() => set(words.filter(each => each !== word))}
          >
            <IconX size={14} aria-hidden />
          </SmallIconButton>
        </span>
      ))}
      <input
        className={styles.add}
        aria-label={t('logs.without.add')}
        placeholder={t('logs.without.add')}
        maxLength={60}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        onBlur={add}
        onKeyDown={event => {
          if (event.key === 'Enter' && !isForInputMethod(event.nativeEvent)) add()
        }}
      />
    </span>
  )
}

export const TABS = ['completions', 'server', 'proxy', 'audit', 'oversight'] as const
const LINE_COUNTS = ['100', '500', '2000', '5000'] as const
/** The specification, section 9. */
export const USUAL_LINES = '100'

/** The entries of the page's address besides those of the list of asks. */
const LogAddress = z.object({
  tab: z.optional(z.enum(TABS)),
  process: z.optional(LogName),
  level: z.optional(LogLevel),
  /** Comma-separated words; a single hyphen for none. */
  without: z.optional(z.string().check(z.maxLength(2_000))),
  lines: z.optional(z.enum(LINE_COUNTS)),
  /** `lit`: the request whose lines are highlighted; `request`: the only one whose lines are shown. */
  lit: z.optional(z.string().check(z.maxLength(64))),
  only: z.optional(z.string().check(z.maxLength(64))),
})

export type LogAddress = ReturnType<typeof useLogAddress>

export function useLogAddress() {
  return useListAddress(LogAddress)
}

/** Left out by default: requests that the page itself makes all the time. */
const USUALLY_LEFT_OUT = ['/status', '/logs']
const NONE = '-'
const MAX_WORDS = 20
const MAX_WORD = 60

export function wordsIn(without: string | undefined): string[] {
  if (without === undefined) return USUALLY_LEFT_OUT
  const words = without.split(',').map(word => word.trim().slice(0, MAX_WORD))
  return [...new Set(words)].filter(word => word !== '' && word !== NONE).slice(0, MAX_WORDS)
}

export const wordsText = (words: readonly string[]): string => (words.length === 0 ? NONE : words.join(','))
