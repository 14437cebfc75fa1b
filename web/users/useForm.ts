import { type FormEvent, useState, useEffect, useRef, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { RefusedCall } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'

type Mistakes<F> = Partial<Record<keyof F, string>>

type FormRules<F> = {
  /** Validates before sending; returns a text for each wrong field. */
  check(form: F): Mistakes<F>
  send(form: F): Promise<void>
  /** Returns the texts to show beside fields. Any other failure is shown as a toast. */
  onRefusal(refusal: RefusedCall): Mistakes<F>
}

/**
 * The state of a form: its fields, its mistakes, and one submission at a time. After a mistake the first wrong field is
 * focused.
 */
export function useForm<F extends object>(first: F | (() => F), { check, send, onRefusal }: FormRules<F>) {
  const [form, setForm] = useState(first)
  const [mistakes, setMistakes] = useState<Mistakes<F>>({})
  const [pending, setPending] = useState(false)

  const show = (fields: HTMLElement, found: Mistakes<F>) => {
    flushSync(() => setMistakes(found))
    fields.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    if (pending) return
    const found = check(form)
    show(fields, found)
    if (Object.values(found).some(mistake => mistake !== undefined)) return
    setPending(true)
    try {
      await send(form)
    } catch (error) {
      if (error instanceof RefusedCall) show(fields, onRefusal(error))
      else reportFailure(error)
    } finally {
      setPending(false)
    }
  }

  const change = (changes: Partial<F>) => {
    setForm({ ...form, ...changes })
    setMistakes({})
  }
  return { ...form, mistakes, pending, change, submit }
}

/** Focuses a field when it is mounted, except on devices where that would open a keyboard over half of the screen. */
export function useInitialFocus(wanted = true): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (wanted && window.matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [wanted])
  return field
}
