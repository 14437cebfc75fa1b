import type { Language } from '../../../answers/voice.ts'
import { CATALOGUE } from '../../plugins/catalogue.ts'
import { called, final, replied, type Shape, type ShapeContext, shortened } from './shape.ts'
import type { Step } from '../steps.ts'

const TEXTS: Record<Language, { answer: string; none: string }> = {
  chinese: {
    answer:
      '用了 {plugins}。查到三条结果，最合适的是 **{best}**：\n\n1. {best}\n2. {second}\n3. {third}\n\n要不要再按价格或日期筛一遍？',
    none: '这个对话没有选插件。',
  },
  english: {
    answer:
      'I asked {plugins}. Of three results, **{best}** fits best:\n\n1. {best}\n2. {second}\n3. {third}\n\nShall I filter them by price or date?',
    none: 'No plugin was chosen for this conversation.',
  },
  malay: {
    answer:
      'Saya bertanya kepada {plugins}. Daripada tiga hasil, **{best}** paling sesuai:\n\n1. {best}\n2. {second}\n3. {third}\n\nPerlukah saya tapis mengikut harga atau tarikh?',
    none: 'Tiada pemalam dipilih untuk perbualan ini.',
  },
}

const RESULTS: Record<Language, readonly [string, string, string]> = {
  chinese: ['方案甲', '方案乙', '方案丙'],
  english: ['Option A', 'Option B', 'Option C'],
  malay: ['Pilihan A', 'Pilihan B', 'Pilihan C'],
}

/** Calls each plugin of the conversation; of several, the first fails once. */
export const plugins: Shape = context => invoking(context, false)

export const pluginError: Shape = context => invoking(context, true)

function invoking(context: ShapeContext, first_fails: boolean): Step[] {
  const { answer, none } = TEXTS[context.language]
  const [best, second, third] = RESULTS[context.language]
  const chosen = CATALOGUE.filter(({ id }) => context.ask.conversation.plugin_ids?.includes(id))
  if (chosen.length === 0) return [final(context, none)]
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
    const parts = [
      JSON.stringify({
        query,
        results: [
          { name: best, rank: 1 },
          { name: second, rank: 2 },
          { name: third, rank: 3 },
        ],
      }),
    ]
    return [
      ...fails,
      called(context, name, JSON.stringify({ query, limit: 3 })),
      replied(context, name, { content_type: 'text', parts }, invoked(200)),
    ]
  })
  const names = chosen.map(({ name }) => `**${name}**`).join(context.language === 'chinese' ? '、' : ', ')
  return [
    ...steps,
    final(
      context,
      answer
        .replace('{plugins}', () => names)
        .replaceAll('{best}', best)
        .replace('{second}', second)
        .replace('{third}', third),
    ),
  ]
}
