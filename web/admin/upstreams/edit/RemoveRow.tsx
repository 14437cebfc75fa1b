import { Button } from '@mantine/core'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconTrash } from '#web/kit/icons.ts'
import { DrawerSection } from '../../drawer/rows.tsx'
import type { UpstreamActions } from '../state/useUpstreamActions.ts'
import { useUpstreamName } from '../state/useUpstreamName.ts'
import styles from './edit.module.css'

type RemoveRowProps = {
  upstream: UpstreamRead
  conversations: number
  actions: Pick<UpstreamActions, 'remove'>
  onRemoved(): void
}

/** Removes the upstream; says what happens to its conversations. */
export function RemoveRow({ upstream, conversations, actions, onRemoved }: RemoveRowProps) {
  const t = useTranslate()
  const name = useUpstreamName()(upstream)
  const remove = async () => {
    if (await actions.remove(upstream, conversations)) onRemoved()
  }
  return (
    <DrawerSection>
      <div className={styles.remove}>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          data-testid="remove-upstream"
          onClick={() => void remove()}
        >
          {t('upstreams.remove', { name })}
        </Button>
        <p>
          {conversations === 0
            ? t('upstreams.remove.none')
            : t(`upstreams.remove.${upstream.source}`, { count: conversations })}
        </p>
      </div>
    </DrawerSection>
  )
}
