import { Button, Popover } from '@mantine/core'
import { useState } from 'react'
import { DateInput } from '#web/admin/drawer/inputs.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCalendar } from '#web/kit/icons.ts'
import styles from './range.module.css'
import { LENGTH_NAMES, type RangeChoice } from './useRange.ts'

/** Chooses the time range of the page: the last day, week or month, or two dates. */
export function RangeSwitch({ range }: { range: RangeChoice }) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  return (
    <div className={styles.range} role="group" aria-label={t('range.label')}>
      {LENGTH_NAMES.map(name => (
        <button key={name} type="button" aria-pressed={range.name === name} onClick={() => range.choose(name)}>
          {t(`range.${name}`)}
        </button>
      ))}
      <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" aria-pressed={range.name === 'own'} onClick={() => setOpened(!opened)}>
            <IconCalendar size={14} aria-hidden />
            {t('range.own')}
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <OwnRange range={range} onDone={() => setOpened(false)} />
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

function OwnRange({ range, onDone }: { range: RangeChoice; onDone(): void }) {
  const t = useTranslate()
  const [{ first, last }, setDates] = useState(range.dates)
  const isMissing = first === '' || last === ''
  const isWrong = !isMissing && last < first
  return (
    <form
      className={styles.own}
      onSubmit={event => {
        event.preventDefault()
        range.chooseDates({ first, last })
        onDone()
      }}
    >
      <DateInput label={t('range.from')} value={first} onChange={next => setDates({ first: next, last })} />
      <DateInput
        label={t('range.to')}
        value={last}
        error={isWrong && t('range.wrong')}
        onChange={next => setDates({ first, last: next })}
      />
      <Button type="submit" size="xs" disabled={isMissing || isWrong}>
        {t('range.show')}
      </Button>
    </form>
  )
}
