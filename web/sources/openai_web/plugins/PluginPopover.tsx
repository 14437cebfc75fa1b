import { Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Plugin } from '#contract/plugins.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { addressOfDomain, nameOf, needsSignIn, webAddress } from './plugin.ts'
import styles from './plugins.module.css'

type PluginPopoverProps = {
  plugin: Plugin
  className: string | undefined
  /** In place of the details: for a plugin of which only the id is known. */
  instead?: string
  children: ReactNode
}

/** On a phone they fill most of the page, and a toast would lie on their words. */
const ABOVE_TOASTS = 'calc(var(--z-toast) + 1)'

/** A button that opens the details of a plugin. */
export function PluginPopover({ plugin, className, instead, children }: PluginPopoverProps) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  const label = t('plugins.detailsOf', { name: nameOf(plugin) })
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={400}
      shadow="lg"
      zIndex={ABOVE_TOASTS}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={className}
          aria-label={label}
          data-tip={label}
          data-testid="plugin-details"
          onClick={() => setOpened(!opened)}
        >
          {children}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.details} aria-label={label} tabIndex={-1} data-autofocus>
        {instead === undefined ? (
          <PluginDetails plugin={plugin} />
        ) : (
          <>
            <p className={styles.mono}>{plugin.id}</p>
            <p className={styles.hint}>{instead}</p>
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** What a plugin says of itself. All of it is from outside, and shown as plain text. */
function PluginDetails({ plugin }: { plugin: Plugin }) {
  const t = useTranslate()
  const { id, namespace, domain, status, categories, manifest } = plugin
  const terms = webAddress(manifest?.legal_info_url)
  const site = addressOfDomain(domain)
  return (
    <>
      <dl className={styles.facts}>
        <Fact name={t('plugins.id')} value={id} mono />
        <Fact name={t('plugins.namespace')} value={namespace} mono />
        <Fact name={t('plugins.nameForPeople')} value={manifest?.name_for_human} />
        <Fact name={t('plugins.nameForModel')} value={manifest?.name_for_model} mono />
        <Fact name={t('plugins.status')} value={status === 'approved' ? t('plugins.approved') : status} />
        <Fact
          name={t('plugins.signIn')}
          value={t(needsSignIn(plugin) ? 'plugins.signIn.each' : 'plugins.signIn.none')}
        />
        <Fact name={t('plugins.categories')} value={listOf((categories ?? []).map(({ title }) => title))} />
        <Fact name={t('plugins.forPeople')} value={manifest?.description_for_human} />
      </dl>
      {manifest?.description_for_model && (
        <>
          <h4 className={styles.manifestTitle}>{t('plugins.forModel')}</h4>
          <p dir="auto" className={styles.manifest} tabIndex={0}>
            {manifest.description_for_model}
          </p>
        </>
      )}
      <div className={styles.links}>
        {terms !== null && <OutsideLink href={terms}>{t('plugins.terms')}</OutsideLink>}
        {site === null ? domain !== null && <span>{domain}</span> : <OutsideLink href={site}>{domain}</OutsideLink>}
        {manifest?.contact_email && <span>{manifest.contact_email}</span>}
      </div>
    </>
  )
}

const listOf = (texts: readonly string[]): string => texts.join(' · ')

function Fact({ name, value, mono = false }: { name: string; value: string | null | undefined; mono?: boolean }) {
  if (!value) return null
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto" className={mono ? styles.mono : undefined}>
        {value}
      </dd>
    </>
  )
}

function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
      {children}
    </a>
  )
}
