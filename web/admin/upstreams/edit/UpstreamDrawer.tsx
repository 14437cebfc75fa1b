import { Link } from '@tanstack/react-router'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { adminSlots } from '#web/sources/list/adminSlots.ts'
import { Conflicts } from '../../drawer/Conflicts.tsx'
import { Drawer } from '../../drawer/Drawer.tsx'
import { UnitInput } from '../../drawer/inputs.tsx'
import { DrawerFact, DrawerRow, DrawerSection } from '../../drawer/rows.tsx'
import type { UpstreamActions } from '../state/useUpstreamActions.ts'
import { useUpstreamName } from '../state/useUpstreamName.ts'
import { CONNECTION_FIELDS } from './fields.ts'
import { KeySetBy } from './KeySetBy.tsx'
import { ModelSettingsSection } from './ModelSettingsSection.tsx'
import { RemoveRow } from './RemoveRow.tsx'
import { TestPanel } from './TestPanel.tsx'
import { UpstreamForm } from './UpstreamForm.tsx'
import { useFieldTexts } from './useFieldTexts.ts'
import { useStoredForm } from './useStoredForm.ts'
import { useConnectionTest } from './useConnectionTest.ts'
import styles from './edit.module.css'

type UpstreamDrawerProps = {
  upstream: UpstreamRead
  conversations: number
  actions: UpstreamActions
  /** Opened in order to enter a key. */
  asksForKey: boolean
  onClose(): void
}

export function UpstreamDrawer({ upstream, conversations, actions, asksForKey, onClose }: UpstreamDrawerProps) {
  const t = useTranslate()
  const { AccountPanel } = adminSlots(upstream.source)
  const form = useStoredForm(upstream)
  const { labelOf, show } = useFieldTexts()
  const isOfSettings = upstream.locked.includes('base_url')
  const isConnectionChanged = CONNECTION_FIELDS.some(name => form.isChanged(name))
  const connectionTest = useConnectionTest(upstream.source, form.values, {
    upstream,
    test: actions.test,
    isConnectionChanged,
  })
  return (
    <Drawer
      head={{
        title: useUpstreamName()(upstream),
        context: isOfSettings ? t(`upstreams.kind.${upstream.source}`) : t('upstreams.sealed'),
      }}
      saving={form}
      onClose={onClose}
    >
      <Conflicts changes={form} labelOf={labelOf} show={show} />
      {isOfSettings ? (
        <>
          <NameRow form={form} />
          <FromSettings upstream={upstream} />
          <TestPanel connectionTest={connectionTest} saved hasKey={upstream._set.secret.set} />
          <ModelSettingsSection form={form} source={upstream.source} models={upstream.model_settings} />
        </>
      ) : (
        <>
          <DrawerFact label={t('upstreams.kind')}>{t(`upstreams.kind.${upstream.source}`)}</DrawerFact>
          <UpstreamForm
            form={form}
            connectionTest={connectionTest}
            source={upstream.source}
            upstream={upstream}
            asksForKey={asksForKey}
          />
        </>
      )}
      {AccountPanel !== null && <AccountPanel upstream={upstream} />}
      {upstream.removable && (
        <RemoveRow upstream={upstream} conversations={conversations} actions={actions} onRemoved={onClose} />
      )}
    </Drawer>
  )
}

function NameRow({ form }: { form: ReturnType<typeof useStoredForm> }) {
  const t = useTranslate()
  return (
    <DrawerRow
      label={t('upstreams.field.label')}
      changed={form.isChanged('label')}
      below={t('upstreams.field.label.help')}
    >
      {id => (
        <UnitInput
          id={id}
          inputMode="text"
          maxLength={80}
          value={form.values.label}
          onChange={label => form.change({ label })}
        />
      )}
    </DrawerRow>
  )
}

/** One that is set by the settings of its source: shows its values, with a link to them. */
function FromSettings({
  upstream: { source, base_url, _set, concurrency, shared_limit, shared_limit_window_seconds },
}: {
  upstream: UpstreamRead
}) {
  const t = useTranslate()
  const { set, last4 } = _set.secret
  return (
    <DrawerSection title={t('upstreams.fromSettings')}>
      <DrawerFact label={t('upstreams.field.base_url')}>{base_url ?? t('upstreams.field.base_url.openai')}</DrawerFact>
      <DrawerFact label={t(source === 'openai_web' ? 'upstreams.token.access' : 'upstreams.field.secret')}>
        {!set
          ? t('upstreams.key.none')
          : last4 === null
            ? t('upstreams.key.isSet')
            : t('upstreams.key.ends', { last4 })}{' '}
        <KeySetBy state={_set.secret} />
      </DrawerFact>
      <DrawerFact label={t('upstreams.field.concurrency')}>
        {concurrency} {t('upstreams.field.concurrency.unit')}
      </DrawerFact>
      <DrawerFact label={t('upstreams.field.shared_limit')}>
        {shared_limit === null || shared_limit_window_seconds === null
          ? t('upstreams.limit.unknown')
          : t('upstreams.limit.is', { count: shared_limit, window_seconds: shared_limit_window_seconds })}
      </DrawerFact>
      <p className={styles.note}>
        {t('upstreams.fromSettings.why')} <Link to="/admin/config">{t('upstreams.fromSettings.go')}</Link>
      </p>
    </DrawerSection>
  )
}
