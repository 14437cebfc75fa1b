import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import styles from './drawer.module.css'
import type { Changes, Conflict } from '#web/admin/form/useChanges.ts'

type ConflictsProps<Fields> = {
  changes: Changes<Fields>
  /** The name of a field as its row has it. */
  labelOf(name: Conflict<Fields>['name']): string
  /** A value in words. */
  show(name: Conflict<Fields>['name'], value: unknown): string
}

/** At the top of the drawer: fields that somebody else has changed too, with both values to choose from. */
export function Conflicts<Fields>({ changes, labelOf, show }: ConflictsProps<Fields>) {
  const t = useTranslate()
  if (changes.conflicts.length === 0) return null
  return (
    <div className={styles.conflicts} data-testid="conflicts">
      <Note tone="amber" title={t('drawer.conflict')}>
        {t('drawer.conflictText')}
      </Note>
      {changes.conflicts.map(({ name, mine, theirs }) => (
        <fieldset key={name}>
          <legend>{labelOf(name)}</legend>
          {(['mine', 'theirs'] as const).map(whose => (
            <div key={whose}>
              <span>{t(`drawer.${whose}`)}</span>
              <b>{show(name, whose === 'mine' ? mine : theirs)}</b>
              <Button size="xs" variant="default" onClick={() => changes.settle(name, whose)}>
                {t(`drawer.take.${whose}`)}
              </Button>
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
