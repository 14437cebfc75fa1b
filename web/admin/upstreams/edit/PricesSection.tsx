import { Button, Checkbox, Textarea } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import type { ModelPrice } from '#contract/prices.ts'
import { Conflicts } from '#web/admin/drawer/Drawer.tsx'
import { DrawerSection, UnitInput } from '#web/admin/drawer/rows.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './edit.module.css'
import { AMOUNTS, NO_PRICE, pastedPrices, type TypedPrice, wrongIn } from './prices.ts'
import type { PricesForm } from './usePrices.ts'

/** More fields than these are made only when somebody wants them: an account may have hundreds of models. */
const MAX_SHOWN = 20

/** What the models of an account cost a million tokens: as it lists it itself, unless it is set here. */
export function PricesSection({ form }: { form: PricesForm }) {
  const t = useTranslate()
  const [showsAll, setShowsAll] = useState(false)
  const { models, currency, changes } = form
  if (models.length === 0) return null
  const shown = showsAll ? models : models.filter(({ model }, at) => at < MAX_SHOWN || changes.isChanged(model))
  return (
    <DrawerSection title={t('upstreams.prices')}>
      <p className={styles.note}>{t('upstreams.prices.help', { currency })}</p>
      <div className={styles.prices}>
        {shown.map(price => (
          <PriceRow
            key={price.model}
            price={price}
            typed={changes.values[price.model] ?? NO_PRICE}
            changed={changes.isChanged(price.model)}
            onChange={typed => changes.change({ [price.model]: typed })}
          />
        ))}
      </div>
      {shown.length < models.length && (
        <Button size="xs" variant="subtle" onClick={() => setShowsAll(true)}>
          {t('upstreams.prices.all', { count: models.length })}
        </Button>
      )}
      <PastedPrices form={form} />
    </DrawerSection>
  )
}

/** Prices that somebody else has changed, too. */
export function PriceConflicts({ form: { changes, models } }: { form: PricesForm }) {
  const t = useTranslate()
  return (
    <Conflicts
      changes={changes}
      labelOf={code => models.find(({ model }) => model === code)?.name ?? code}
      show={(_code, value) => {
        const { free, ...amounts } = value as TypedPrice // of these fields
        if (free) return t('upstreams.prices.free')
        const known = AMOUNTS.filter(amount => amounts[amount] !== '')
        return known.map(amount => `${amounts[amount]} ${t(`upstreams.prices.${amount}`)}`).join(t('kit.comma')) || '–'
      }}
    />
  )
}

type PriceRowProps = { price: ModelPrice; typed: TypedPrice; changed: boolean; onChange(typed: TypedPrice): void }

function PriceRow({ price: { name, by }, typed, changed, onChange }: PriceRowProps) {
  const t = useTranslate()
  const wrong = wrongIn(typed)
  return (
    <fieldset className={styles.price} data-changed={changed || undefined} data-testid="price-row">
      <legend>
        {name}
        {by !== null && <span>{t(`upstreams.prices.by.${by}`)}</span>}
      </legend>
      {AMOUNTS.map(amount => (
        <UnitInput
          key={amount}
          inputMode="decimal"
          data-testid="price-input"
          aria-label={t('upstreams.prices.of', { model: name, amount: t(`upstreams.prices.${amount}`) })}
          unit={t(`upstreams.prices.${amount}`)}
          disabled={typed.free}
          value={typed[amount]}
          error={wrong.includes(amount)}
          onChange={value => onChange({ ...typed, [amount]: value })}
        />
      ))}
      <Checkbox
        size="xs"
        label={t('upstreams.prices.free')}
        checked={typed.free}
        onChange={event => onChange({ ...NO_PRICE, free: event.currentTarget.checked })}
      />
      {wrong.length > 0 && <p className={styles.wrongPrice}>{t('upstreams.prices.wrong')}</p>}
    </fieldset>
  )
}

/** A table from a page of prices or a spreadsheet: what is in it becomes changes of the form. */
function PastedPrices({ form: { models, changes } }: { form: PricesForm }) {
  const t = useTranslate()
  const [text, setText] = useState('')
  const { prices, unknown } = pastedPrices(text, models)
  const count = Object.keys(prices).length
  return (
    <details className={styles.further}>
      <summary>{t('upstreams.prices.paste')}</summary>
      <Textarea
        size="xs"
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        aria-label={t('upstreams.prices.paste')}
        placeholder={t('upstreams.prices.paste.example')}
        data-testid="price-paste"
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      {text.trim() !== '' && (
        <p className={styles.note}>
          {t('upstreams.prices.pasted', { count })}
          {unknown.length > 0 &&
            ` ${t('upstreams.prices.unknown', { names: unknown.slice(0, 5).join(t('kit.comma')) })}`}
        </p>
      )}
      <Button
        size="xs"
        variant="default"
        disabled={count === 0}
        onClick={() => {
          changes.change(prices)
          setText('')
        }}
      >
        {t('upstreams.prices.take')}
      </Button>
    </details>
  )
}
