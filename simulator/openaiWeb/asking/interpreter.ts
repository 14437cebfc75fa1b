import { VOICES } from '../../answers/voice.ts'
import { CHART, chart } from '../../answers/pictures.ts'
import { completeFile } from '../state/account.ts'
import { now } from '../state/conversation.ts'
import { attachmentsOf } from './tools.ts'
import { called, final, remark, replied, type Shape, type ShapeContext } from './shape.ts'
import type { Step } from './writer.ts'

const WARNING = `<ipython-input-1>:2: FutureWarning: the default of observed will change
  by_day = rows.groupby("day")["count"].sum()`

/** Runs code that draws a chart and leaves a file. */
export const interpreter: Shape = context => [begins(context), ...succeeds(context)]

const begins = (context: ShapeContext) => remark(context, VOICES[context.language].text('interpreter.begins'))

/** The same after a run that fails. */
export const interpreterError: Shape = context => {
  const file = VOICES[context.language].text('interpreter.file')
  const code = `import pandas as pd\nrows = pd.read_csv("/mnt/data/${file}")\nrows.groupby("day")["amount"].sum()`
  const traceback = `---------------------------------------------------------------------------
KeyError                                  Traceback (most recent call last)
Cell In[1], line 3
      1 import pandas as pd
      2 rows = pd.read_csv("/mnt/data/${file}")
----> 3 rows.groupby("day")["amount"].sum()

KeyError: 'amount'`
  return [
    begins(context),
    called(context, 'python', code, 'python'),
    replied(context, 'python', { content_type: 'stderr', text: WARNING }),
    replied(
      context,
      'python',
      { content_type: 'execution_output', text: traceback },
      runOf(code, {
        status: 'failed_with_in_kernel_exception',
        in_kernel_exception: { name: 'KeyError', traceback: traceback.split('\n'), args: ["'amount'"], notes: [] },
      }),
    ),
    ...succeeds(context),
  ]
}

function succeeds(context: ShapeContext): Step[] {
  const voice = VOICES[context.language]
  const [file, head] = [voice.text('interpreter.file'), voice.text('interpreter.head')]
  const rows = voice.lines('interpreter.labels').map(label => ({ label, value: 20 + context.random.below(80) }))
  const most = rows.toSorted((one, other) => other.value - one.value)[0] ?? { label: '', value: 0 }
  const total = rows.reduce((sum, { value }) => sum + value, 0)
  const printed = rows.map(({ label, value }) => `${label}    ${value}`).join('\n')
  const code = `import pandas as pd
import matplotlib.pyplot as plt

rows = ${tableRead(context, rows)}
rows.plot.bar(x="label", y="value", legend=False)
plt.show()
rows.to_csv("/mnt/data/${file}", index=False)
print(rows["value"].sum(), "in total")
rows.set_index("label")["value"]`
  const picture = chart(rows.map(({ value }) => value))
  const drawn = completeFile('chart.png', picture, 'multimodal')
  context.account.addFile(drawn)
  const csv = [head, ...rows.map(({ label, value }) => `${label},${value}`), ''].join('\n')
  context.ask.conversation.sandbox[`/mnt/data/${file}`] = csv
  const time = now()
  return [
    called(context, 'python', code, 'python'),
    replied(
      context,
      'python',
      { content_type: 'execution_output', text: `<<ImageDisplayed>>\n${printed}` },
      runOf(code, {
        status: 'success',
        final_expression_output: printed,
        messages: [
          { message_type: 'stream', time, sender: 'server', stream_name: 'stdout', text: `${total} in total\n` },
          { message_type: 'image', time, sender: 'server', image_url: `file-service://${drawn.id}`, ...CHART },
        ],
      }),
    ),
    final(
      context,
      voice.text('interpreter.answer', { most: most.label, value: most.value, total, table: tableOf(head, rows) }),
    ),
  ]
}

/** The code that reads the first attached file, or has the rows themselves. */
function tableRead(context: ShapeContext, rows: readonly { label: string; value: number }[]): string {
  const [attached] = attachmentsOf(context)
  if (attached) return `pd.read_csv(${JSON.stringify(`/mnt/data/${attached.name}`)})`
  const [labels, values] = [rows.map(({ label }) => label), rows.map(({ value }) => value)]
  return `pd.DataFrame({"label": ${JSON.stringify(labels)}, "value": ${JSON.stringify(values)}})`
}

function tableOf(head: string, rows: readonly { label: string; value: number }[]): string {
  const [first = '', second = ''] = head.split(',')
  return [
    `| ${first} | ${second} |`,
    '| :-- | --: |',
    ...rows.map(({ label, value }) => `| ${label} | ${value} |`),
  ].join('\n')
}

function runOf(code: string, more: Record<string, unknown>): Record<string, unknown> {
  const start_time = now()
  return {
    aggregate_result: {
      run_id: crypto.randomUUID(),
      start_time,
      update_time: start_time + 1.9,
      end_time: start_time + 1.9,
      code,
      final_expression_output: null,
      in_kernel_exception: null,
      messages: [],
      jupyter_messages: [],
      timeout_triggered: null,
      ...more,
    },
  }
}
