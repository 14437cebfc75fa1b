import { Button, Switch } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useMutation } from '@tanstack/react-query'
import { type Plugin, updatePlugin } from '#contract/plugins.ts'
import { call } from '#web/foundation/call.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconInfoCircle } from '#web/kit/icons.ts'
import { initialsOf, nameOf, needsSignIn } from '#web/sources/openai_web/plugins/plugin.ts'
import { PluginPopover } from '#web/sources/openai_web/plugins/PluginPopover.tsx'
import styles from './store.module.css'
import { outdatePlugins, type PluginState, showState, stateOf } from './storeQuery.ts'

type PluginCardProps = { plugin: Plugin; upstream_id: number }

/** A plugin of the store: what it is, and whether it is installed at the account and enabled here. */
export function PluginCard({ plugin, upstream_id }: PluginCardProps) {
  const name = nameOf(plugin)
  return (
    <li className={styles.card} data-testid="plugin-card" aria-label={name}>
      <div className={styles.top}>
        <span className={styles.logo} aria-hidden>
          {initialsOf(name)}
        </span>
        <div className={styles.names}>
          <h3 dir="auto">{name}</h3>
          <p>{plugin.domain}</p>
        </div>
        <PluginPopover plugin={plugin} className={styles.more}>
          <IconInfoCircle size={16} aria-hidden />
        </PluginPopover>
      </div>
      <p dir="auto" className={styles.text}>
        {plugin.manifest?.description_for_human}
      </p>
      <CardActions plugin={plugin} upstream_id={upstream_id} />
    </li>
  )
}

function CardActions({ plugin, upstream_id }: PluginCardProps) {
  const t = useTranslate()
  const name = nameOf(plugin)
  const { is_installed, is_enabled } = stateOf(plugin)
  const { change, busy } = usePluginState(plugin, upstream_id)
  if (!is_installed && needsSignIn(plugin))
    return (
      <div className={styles.actions}>
        <span>{t('upstreams.plugins.needsSignIn')}</span>
      </div>
    )
  if (!is_installed)
    return (
      <div className={styles.actions}>
        <span>{t('upstreams.plugins.notInstalled')}</span>
        <Button
          variant="default"
          size="compact-sm"
          disabled={busy}
          aria-label={t('upstreams.plugins.installOne', { name })}
          data-testid="install-plugin"
          onClick={() => change({ is_installed: true, is_enabled: true })}
        >
          {t('upstreams.plugins.install')}
        </Button>
      </div>
    )
  return (
    <div className={styles.actions} data-enabled={is_enabled || undefined}>
      <Switch
        aria-label={t('upstreams.plugins.mayBeChosen', { name })}
        checked={is_enabled}
        disabled={busy}
        data-testid="enable-plugin"
        onChange={event => change({ is_installed: true, is_enabled: event.currentTarget.checked })}
      />
      <span>{t(is_enabled ? 'upstreams.plugins.enabled' : 'upstreams.plugins.disabled')}</span>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        disabled={busy}
        aria-label={t('upstreams.plugins.uninstallOne', { name })}
        data-testid="uninstall-plugin"
        onClick={() => change({ is_installed: false, is_enabled: false })}
      >
        {t('upstreams.plugins.uninstall')}
      </Button>
    </div>
  )
}

/** Optimistic: shows a change at once, and undoes and reports it when it fails. */
function usePluginState(plugin: Plugin, upstream_id: number) {
  const t = useTranslate()
  const before = stateOf(plugin)
  const { mutate, isPending } = useMutation({
    mutationFn: ({ is_installed, is_enabled }: PluginState) =>
      call(updatePlugin, {
        params: { id: plugin.id },
        query: { upstream_id: String(upstream_id) },
        body: is_installed === before.is_installed ? { is_enabled } : { is_installed },
      }),
    // The state before goes with the change, since the card renders again with the new one.
    onMutate: state => {
      showState(upstream_id, plugin.id, state)
      return before
    },
    onError: (_error, _state, was) => was && showState(upstream_id, plugin.id, was),
    onSuccess: (changed, { is_installed }, was) => {
      showState(upstream_id, plugin.id, stateOf(changed))
      if (is_installed !== was.is_installed) {
        const name = nameOf(plugin)
        toast.success(t(is_installed ? 'upstreams.plugins.wasInstalled' : 'upstreams.plugins.wasUninstalled', { name }))
      }
    },
    onSettled: outdatePlugins,
  })
  return { change: mutate, busy: isPending }
}
