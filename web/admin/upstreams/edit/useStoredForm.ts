import { changeUpstream, type UpstreamRead } from '#contract/upstreams.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { type Changes, useChanges } from '../../drawer/useChanges.ts'
import { keepUpstream, knownUpstream, refreshUpstreams } from '../state/queries.ts'
import { confirmAccount } from '../state/otherAccount.ts'
import { enteredKey, type FieldName, type Fields, fieldsOf, mistakesIn, sentOf } from './fields.ts'

/**
 * The form of a stored upstream. Other people's changes to other fields are kept; for the same field the person
 * chooses.
 */
export function useStoredForm(upstream: UpstreamRead): Changes<Fields> {
  const { id, removable, source } = upstream
  const current = () => knownUpstream(id) ?? upstream

  async function send(changed: Partial<Fields>, { version }: UpstreamRead): Promise<void> {
    keepUpstream(await call(changeUpstream, { params: { id: String(id) }, body: { ...sentOf(changed), version } }))
  }

  const form = useChanges<Fields>({
    stored: fieldsOf(upstream),
    wrong: values => mistakesIn(values, !removable, source).length,
    async save(changed, expected) {
      requireUnchanged(current(), changed, expected)
      try {
        await send(changed, current())
      } catch (error) {
        if (!(error instanceof RefusedCall) || error.key !== 'upstreamChangedMeanwhile') throw error
        await refreshUpstreams()
        requireUnchanged(current(), changed, expected)
        await send(changed, current())
      }
    },
    async reload() {
      await refreshUpstreams()
      return fieldsOf(current())
    },
  })
  return {
    ...form,
    save: async () => (await confirmAccount(enteredKey(form.values.secret), id)) && form.save(),
  }
}

function requireUnchanged(upstream: UpstreamRead, changed: Partial<Fields>, expected: Partial<Fields>): void {
  const stored = fieldsOf(upstream)
  const names = Object.keys(changed) as FieldName[] // the keys of Fields
  const isOther = (name: FieldName) =>
    ![changed[name], expected[name]].some(value => JSON.stringify(value) === JSON.stringify(stored[name]))
  if (names.some(isOther)) throw new RefusedCall({ code: -1, message: 'errors.changedMeanwhile', result: null })
}
