import { Button, Popover } from '@mantine/core'
import { useState } from 'react'
import { DateInput } from '#web/admin/drawer/inputs.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCalendar } from '#web/kit/icons.ts'
import styles from './completions.module.css'
import { RANGES } from './useLogAddress.ts'
import type { RangeChoice } from './useRange.ts'

/** Of how long ago the asks are. */
export function RangeSwitch({ choice }: { choice: RangeChoice }) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  return (
    <div className={styles.ranges} role="group" aria-label={t('logs.range')}>
      {RANGES.map(range => (
        <button key={range} type="button" aria-pressed={choice.chosen === range} onClick={() => choice.choose(range)}>
          {t(`logs.range.${range}`)}
        </button>
      ))}
      <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" aria-pressed={choice.chosen === 'own'} onClick={() => setOpened(!opened)}>
            <IconCalendar size={14} aria-hidden />
            {t('logs.range.own')}
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <OwnRange choice={choice} onDone={() => setOpened(false)} />
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

function OwnRange({ choice: { dates, chooseDates }, onDone }: { choice: RangeChoice; onDone(): void }) {
  const t = useTranslate()
  const [{ first, last }, setDates] = useState(dates)
  const isMissing = first === '' || last === ''
  const isWrong = !isMissing && last < first
  return (
    <form
      className={styles.own}
      onSubmit={event => {
        event.preventDefault()
        chooseDates(first, last)
        onDone()
      }}
    >
      <DateInput label={t('logs.range.from')} value={first} onChange={next => setDates({ first: next, last })} />
      <DateInput
        label={t('logs.range.to')}
        value={last}
        error={isWrong && t('logs.range.wrong')}
        onChange={next => setDates({ first, last: next })}
      />
      <Button type="submit" size="xs" disabled={isMissing || isWrong}>
        {t('logs.range.show')}
      </Button>
    </form>
  )
}
