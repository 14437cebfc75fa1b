import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { UserKey } from '#contract/keys.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { Note } from '#web/kit/Note.tsx'
import { useHeaderSlot } from '#web/kit/pageHead.ts'
import { IconPlus } from '#web/kit/icons.ts'
import { ConnectTool } from './ConnectTool.tsx'
import type { KnownSecret } from './connection.ts'
import { KeyTable } from './KeyTable.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { NewSecret } from './NewSecret.tsx'
import { useKeys } from './queries.ts'
import styles from './keys.module.css'

/** One's keys for other tools, and how a tool is connected. */
export function KeysScreen() {
  const t = useTranslate()
  const { data, error, isFetching, refetch } = useKeys()
  const [secrets, setSecrets] = useState<readonly KnownSecret[]>([])
  const [isMaking, setMaking] = useState(false)
  useHeaderSlot(useMemo(() => <h1 className={styles.title}>{t('title.keys')}</h1>, [t]))
  const addSecret = (known: KnownSecret) => setSecrets(before => [known, ...before.filter(({ id }) => id !== known.id)])
  if (data === undefined)
    return error === null ? (
      <div aria-busy="true" />
    ) : (
      <NotLoaded error={error} busy={isFetching} onRetry={() => void refetch()} />
    )
  const { keys, most } = data
  // By their present names.
  const known = secrets.flatMap(each => keys.filter(({ id }) => id === each.id).map(({ name }) => ({ ...each, name })))
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <p className={styles.lead}>{t('keys.lead')}</p>
        {known[0] !== undefined && <NewSecret key={known[0].secret} known={known[0]} />}
        {most === 0 && <Note title={t('keys.notAllowed')}>{t('keys.notAllowed.more')}</Note>}
        {keys.length > 0 && <ConnectTool keys={keys} secrets={known} onNew={() => setMaking(true)} />}
        {(most > 0 || keys.length > 0) && (
          <OwnKeys keys={keys} most={most} onNew={() => setMaking(true)} onRotated={addSecret} />
        )}
      </div>
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} onMade={addSecret} />}
    </div>
  )
}

type OwnKeysProps = {
  keys: readonly UserKey[]
  most: number
  onNew(): void
  onRotated(known: KnownSecret): void
}

function OwnKeys({ keys, most, onNew, onRotated }: OwnKeysProps) {
  const t = useTranslate()
  const button = (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={14} aria-hidden />}
      data-testid="key-new"
      disabled={keys.length >= most}
      onClick={onNew}
    >
      {t('keys.new')}
    </Button>
  )
  if (keys.length === 0)
    return (
      <section className={styles.none}>
        <h2>{t('keys.none')}</h2>
        <p>{t('keys.none.more')}</p>
        {button}
      </section>
    )
  return (
    <section>
      <div className={styles.head}>
        <h2>{t('keys.title')}</h2>
        <span className={styles.hint}>{t('keys.count', { count: keys.length, most })}</span>
        {button}
      </div>
      <KeyTable keys={keys} onRotated={onRotated} />
    </section>
  )
}
