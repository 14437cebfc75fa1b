import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDots } from '#web/kit/icons.ts'
import { IconMenuButton } from '#web/kit/MenuButton.tsx'
import { repairOf, conditionOf } from './state/condition.ts'
import styles from './upstreams.module.css'
import type { UpstreamActions } from './state/useUpstreamActions.ts'
import { useUpstreamName } from './state/useUpstreamName.ts'

type EntryButtonsProps = { upstream: UpstreamRead; actions: UpstreamActions; onEdit(forKey: boolean): void }

/** The repair, if one is needed, then the usual actions, which are a menu on a phone. */
export function EntryButtons({ upstream, actions, onEdit }: EntryButtonsProps) {
  const t = useTranslate()
  const name = useUpstreamName()(upstream)
  const isPaused = upstream.paused_since !== null
  const id = useId()
  /** Pausing and resuming take the place of each other: the focus stays beside the button that is gone. */
  const held = (run: () => Promise<unknown>) => () => {
    document.getElementById(id)?.focus({ preventScroll: true })
    void run()
  }
  const entries = [
    { label: t('upstreams.test'), run: () => void actions.test(upstream) },
    { label: t('upstreams.edit'), run: () => onEdit(false) },
    ...(isPaused ? [] : [{ label: t('upstreams.pause'), run: held(() => actions.pause(upstream)) }]),
  ]
  return (
    <div id={id} tabIndex={-1} className={styles.buttons} role="group" aria-label={t('upstreams.actionsOf', { name })}>
      <Repair upstream={upstream} onEdit={onEdit} />
      {isPaused && (
        <Button variant="default" size="xs" data-testid="resume" onClick={held(() => actions.resume(upstream))}>
          {t('upstreams.resume')}
        </Button>
      )}
      {entries.map(({ label, run }, at) => (
        <Button
          key={label}
          className={styles.wideOnly}
          variant="subtle"
          color="gray"
          size="xs"
          loading={at === 0 && actions.isTested(upstream.id)}
          onClick={run}
        >
          {label}
        </Button>
      ))}
      <IconMenuButton label={t('upstreams.actionsOf', { name })} className={styles.menu} entries={entries}>
        <IconDots size={18} aria-hidden />
      </IconMenuButton>
    </div>
  )
}

/** Where key and address are changed: here, or in the settings of the source. */
function Repair({ upstream, onEdit }: Pick<EntryButtonsProps, 'upstream' | 'onEdit'>) {
  const t = useTranslate()
  const repair = repairOf(conditionOf(upstream))
  if (repair === null) return null
  const label = t(`upstreams.repair.${repair === 'key' && upstream.source === 'openai_web' ? 'token' : repair}`)
  if (upstream.locked.includes(repair === 'key' ? 'secret' : 'base_url'))
    return (
      <Button component={Link} to="/admin/config" variant="light" size="xs">
        {label}
      </Button>
    )
  return (
    <Button variant="light" size="xs" data-testid="repair" onClick={() => onEdit(repair === 'key')}>
      {label}
    </Button>
  )
}
