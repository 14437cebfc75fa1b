import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'

type Mistakes<F> = Partial<Record<keyof F, string>>

type FormRules<F> = {
  /** Validation before sending: the wrong fields, and what to say beside each. */
  check(form: F): Mistakes<F>
  send(form: F): Promise<void>
  /** Returns what to say beside the fields. */
  onFailure(error: unknown): Mistakes<F>
}

/** Fields, their errors, and one submission at a time. After an error the focus is in the first wrong field. */
export function useForm<F extends object>(first: F | (() => F), { check, send, onFailure }: FormRules<F>) {
  const [form, setForm] = useState(first)
  const [mistakes, setMistakes] = useState<Mistakes<F>>({})
  const [pending, setPending] = useState(false)

  const tell = (fields: HTMLElement, found: Mistakes<F>) => {
    flushSync(() => setMistakes(found))
    fields.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    if (pending) return
    const found = check(form)
    tell(fields, found)
    if (Object.values(found).some(mistake => mistake !== undefined)) return
    setPending(true)
    try {
      await send(form)
    } catch (error) {
      tell(fields, onFailure(error))
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
