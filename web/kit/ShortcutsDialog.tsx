import { FocusTrap, Switch } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Fragment, useState } from 'react'
import {
  hasOneKeyShortcuts,
  keysOf,
  NAMES,
  setOneKeyShortcuts,
  SHORTCUTS,
  type Stroke,
} from '#web/foundation/shortcuts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from './Dialog.tsx'
import styles from './ShortcutsDialog.module.css'

/** The list of shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const [byOneKey, setByOneKey] = useState(hasOneKeyShortcuts)
  const change = (on: boolean) => {
    setOneKeyShortcuts(on)
    setByOneKey(on)
  }
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <dl className={styles.list}>
        {NAMES.filter(name => name !== 'helpByOneKey').map(name => (
          <div key={name} className={styles.row}>
            <dt>
              {t(SHORTCUTS[name].text)}
              {SHORTCUTS[name].focus === 'emptyComposer' && (
                <span className={styles.hint}>{t('shortcuts.whenEmpty')}</span>
              )}
            </dt>
            <dd>
              <Keys stroke={SHORTCUTS[name].strokes[0]} />
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        classNames={{ root: styles.afterList, body: styles.switch }}
        labelPosition="left"
        label={t('shortcuts.oneKey')}
        checked={byOneKey}
        onChange={event => change(event.currentTarget.checked)}
      />
      <FocusTrap.InitialFocus />
    </Dialog>
  )
}

/** With the labels of this keyboard. */
function Keys({ stroke }: { stroke: Stroke }) {
  return (
    <span className={styles.keys}>
      {keysOf(stroke).map(key => (
        <Fragment key={key}>
          <kbd>{key}</kbd>{' '}
        </Fragment>
      ))}
    </span>
  )
}
