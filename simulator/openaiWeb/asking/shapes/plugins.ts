import { VOICES } from '../../../answers/voice.ts'
import { CATALOGUE } from '../../plugins/catalogue.ts'
import { called, final, replied, type Shape, type ShapeContext, shortened } from './shape.ts'
import type { Step } from '../steps.ts'

/** Calls each plugin of the conversation; of several, the first fails once. */
export const plugins: Shape = context => invoking(context, false)

export const pluginError: Shape = context => invoking(context, true)

function invoking(context: ShapeContext, first_fails: boolean): Step[] {
  const voice = VOICES[context.language]
  const chosen = CATALOGUE.filter(({ id }) => context.ask.conversation.plugin_ids?.includes(id))
  if (chosen.length === 0) return [final(context, voice.text('plugins.none'))]
  const query = shortened(context.question)
  const steps = chosen.flatMap(({ id, namespace }, at) => {
    const name = `${namespace}.search`
    const invoked = (http_response_status: number) => ({
      invoked_plugin: { type: 'remote', namespace, plugin_id: id, http_response_status },
    })
    const fails: Step[] =
      first_fails && at === 0
        ? [
            called(context, name, JSON.stringify({ query })),
            replied(
              context,
              name,
              { content_type: 'text', parts: ['{"error":"the query is ambiguous"}'] },
              invoked(422),
            ),
          ]
        : []
    const results = voice.lines('plugins.results').map((result, rank) => ({ name: result, rank: rank + 1 }))
    const parts = [JSON.stringify({ query, results })]
    return [
      ...fails,
      called(context, name, JSON.stringify({ query, limit: 3 })),
      replied(context, name, { content_type: 'text', parts }, invoked(200)),
    ]
  })
  const names = chosen.map(({ name }) => `**${name}**`).join(context.language === 'chinese' ? '、' : ', ')
  return [...steps, final(context, voice.text('plugins.answer', { plugins: names }))]
}
