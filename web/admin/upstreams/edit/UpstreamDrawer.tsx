import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { changeUpstream, type UpstreamRead } from '#contract/upstreams.ts'
import { type Changes, useChanges } from '#web/admin/form/useChanges.ts'
import { call } from '#web/foundation/call.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconTrash } from '#web/kit/icons.ts'
import { adminSlots } from '#web/sources/list/adminSlots.ts'
import { Conflicts, Drawer } from '#web/admin/drawer/Drawer.tsx'
import { useLimitTexts } from '#web/admin/plans/values/limitTexts.ts'
import { DrawerFact, DrawerRow, DrawerSection, UnitInput } from '#web/admin/drawer/rows.tsx'
import { confirmAccount, keepUpstream, knownUpstream, refreshUpstreams, useUpstreamName } from '../state/queries.ts'
import type { UpstreamActions } from '../state/useUpstreamActions.ts'
import {
  CONNECTION_FIELDS,
  enteredKey,
  expectedOf,
  type FieldName,
  type Fields,
  fieldsOf,
  mistakesIn,
  sentOf,
  type TabName,
  tabOf,
} from './fields.ts'
import { KeySetBy } from './KeyField.tsx'
import { PriceConflicts, PricesSection } from './PricesSection.tsx'
import { together, usePrices } from './usePrices.ts'
import { ModelSettingsSection } from './ModelSettingsSection.tsx'
import { TestPanel } from './TestPanel.tsx'
import { SharingTab } from './SharingTab.tsx'
import { ConnectionFields, FurtherFields, ModelFields } from './UpstreamForm.tsx'
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
  const prices = usePrices(upstream)
  const { labelOf, show } = useFieldTexts(upstream)
  const isOfSettings = upstream.locked.includes('base_url')
  const isConnectionChanged = CONNECTION_FIELDS.some(name => form.isChanged(name))
  const connectionTest = useConnectionTest(upstream.source, form.values, {
    upstream,
    test: actions.test,
    isConnectionChanged,
  })
  const [tab, setTab] = useState<TabName>('connection')
  const parts = { form, connectionTest, source: upstream.source, upstream }
  return (
    <Drawer
      head={{
        title: useUpstreamName()(upstream),
        context: isOfSettings ? t(`upstreams.kind.${upstream.source}`) : t('upstreams.sealed'),
      }}
      tabs={useTabs(tab, setTab, form, prices.changes.count)}
      saving={together(form, prices.changes)}
      onClose={onClose}
    >
      <Conflicts changes={form} labelOf={labelOf} show={show} />
      <PriceConflicts form={prices} />
      {tab === 'connection' && (
        <>
          {isOfSettings ? (
            <>
              <NameRow form={form} />
              <FromSettings upstream={upstream} />
              <TestPanel connectionTest={connectionTest} saved hasKey={upstream._set.secret.set} />
            </>
          ) : (
            <>
              <DrawerFact label={t('upstreams.kind')}>{t(`upstreams.kind.${upstream.source}`)}</DrawerFact>
              <ConnectionFields {...parts} asksForKey={asksForKey} />
              <FurtherFields form={form} />
            </>
          )}
          {AccountPanel !== null && <AccountPanel upstream={upstream} />}
          {upstream.removable && (
            <RemoveRow upstream={upstream} conversations={conversations} actions={actions} onRemoved={onClose} />
          )}
        </>
      )}
      {tab === 'sharing' && <SharingTab form={form} upstream={upstream} />}
      {tab === 'models' && (
        <>
          {isOfSettings ? (
            <ModelSettingsSection form={form} source={upstream.source} models={upstream.model_settings} />
          ) : (
            <ModelFields {...parts} />
          )}
          <PricesSection form={prices} />
        </>
      )}
    </Drawer>
  )
}

/** The tabs with the number of unsaved changes on each. */
function useTabs(chosen: TabName, onChoose: (tab: TabName) => void, form: Changes<Fields>, priceChanges: number) {
  const t = useTranslate()
  const count = (tab: TabName) => form.changed.filter(name => tabOf(name) === tab).length
  return {
    entries: (['connection', 'sharing', 'models'] as const).map(key => ({
      key,
      label: t(`upstreams.tab.${key}`),
      count: count(key) + (key === 'models' ? priceChanges : 0),
    })),
    chosen,
    onChoose: (key: string) => onChoose(key as TabName), // one of the entries
  }
}

/** The form of a stored upstream. Another account's token is confirmed first. */
function useStoredForm(upstream: UpstreamRead): Changes<Fields> {
  const { id, removable, source } = upstream
  const form = useChanges<Fields>({
    stored: useMemo(() => fieldsOf(upstream), [upstream]),
    wrong: values => mistakesIn(values, !removable, source).length,
    async save(changed, expected) {
      const body = { ...sentOf(changed), expected: expectedOf(expected) }
      keepUpstream(await call(changeUpstream, { params: { id: String(id) }, body }))
    },
    async reload() {
      await refreshUpstreams()
      return fieldsOf(knownUpstream(id) ?? upstream)
    },
  })
  return {
    ...form,
    save: async () => (await confirmAccount(enteredKey(form.values.secret), id)) && form.save(),
  }
}

/** Names and values of the fields in words, for a conflict between two people's changes. */
function useFieldTexts({ source }: UpstreamRead) {
  const t = useTranslate()
  const { limitText } = useLimitTexts()
  const language = useLanguage()

  /** Describes a stored key by who entered it, a new one by its last characters. */
  function keyText(secret: Fields['secret']): string {
    if (typeof secret === 'string') return t('upstreams.key.entered', { count: secret.length, last4: secret.slice(-4) })
    if (secret?.set !== true) return t('upstreams.key.none')
    const { changed_by, changed_at } = secret
    if (changed_by === null || changed_at === null) return t('upstreams.key.another')
    return t('upstreams.key.setBy', { name: changed_by, date: formatDate(new Date(changed_at), language) })
  }

  return {
    labelOf: (name: FieldName): string => t(`upstreams.field.${name}`),
    show(name: FieldName, value: unknown): string {
      if (name === 'models') {
        const models = value as Fields['models'] // of this field
        return models === null
          ? t('upstreams.models.all')
          : models.map(model => model.label ?? model.name).join(t('kit.comma'))
      }
      if (name === 'model_settings') {
        const settings = value as Fields['model_settings'] // of this field
        return settings.map(model => model.name).join(t('kit.comma'))
      }
      if (name === 'windows') {
        const windows = value as Fields['windows'] // of this field
        return windows.length === 0
          ? t('upstreams.windows.none')
          : windows.map(each => limitText({ source, ...each }, each.amount)).join(t('kit.comma'))
      }
      if (name === 'sharing') return t(`upstreams.sharing.${value as Fields['sharing']}`) // of this field
      if (name === 'keep') return t(`upstreams.keep.${value as Fields['keep']}`) // of this field
      if (name === 'names') return t(`upstreams.names.${value as Fields['names']}`) // of this field
      if (name === 'owner_id' && value === null) return t('upstreams.owner.none')
      if (name === 'enabled') return t(value === true ? 'upstreams.on' : 'upstreams.off')
      if (name === 'secret') return keyText(value as Fields['secret']) // of this field
      return value === '' ? t('upstreams.nothingEntered') : String(value)
    },
  }
}

function NameRow({ form }: { form: Changes<Fields> }) {
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

type RemoveRowProps = {
  upstream: UpstreamRead
  conversations: number
  actions: Pick<UpstreamActions, 'remove'>
  onRemoved(): void
}

/** Removes the upstream; says what happens to its conversations. */
function RemoveRow({ upstream, conversations, actions, onRemoved }: RemoveRowProps) {
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
