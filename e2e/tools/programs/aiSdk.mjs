/** Asks as $QUESTION says, with a picture or a tool where they are wanted, and prints the answer as it grows. */
import { readdirSync, readFileSync } from 'node:fs'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'

const { QUESTION, PICTURE, WITH_PICTURE, WITH_TOOL } = process.env
const list_files = tool({
  description: 'Lists the folder.',
  inputSchema: jsonSchema({ type: 'object', properties: {} }),
  execute: () => readdirSync('.').join('\n'),
})

export async function ask(model) {
  const picture = WITH_PICTURE ? [{ type: 'file', mediaType: 'image/png', data: readFileSync(PICTURE) }] : []
  const { fullStream } = streamText({
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }, ...picture] }],
    stopWhen: stepCountIs(3),
    ...(WITH_TOOL && { tools: { list_files } }),
    onError: () => undefined,
  })
  for await (const part of fullStream) {
    if (part.type === 'text-delta') process.stdout.write(part.text)
    if (part.type === 'error') {
      console.error(part.error)
      process.exitCode = 1
    }
  }
}
