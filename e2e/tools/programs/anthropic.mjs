/** Asks as $QUESTION says, with a picture or a tool where they are wanted, and prints the answer as it grows. */
import { readdirSync, readFileSync } from 'node:fs'

const { QUESTION, PICTURE, WITH_PICTURE, WITH_TOOL } = process.env
const data = () => readFileSync(PICTURE).toString('base64')
const TOOL = { name: 'list_files', description: 'Lists the folder.', input_schema: { type: 'object', properties: {} } }

export async function ask(client, model) {
  const picture = () => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: data() } })
  const content = [{ type: 'text', text: QUESTION }, ...(WITH_PICTURE ? [picture()] : [])]
  const messages = [{ role: 'user', content }]
  for (;;) {
    const stream = client.messages.stream({ model, max_tokens: 4096, messages, ...(WITH_TOOL && { tools: [TOOL] }) })
    stream.on('text', text => process.stdout.write(text))
    const message = await stream.finalMessage()
    const calls = message.content.filter(({ type }) => type === 'tool_use')
    if (calls.length === 0) return
    const results = calls.map(({ id }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: readdirSync('.').join('\n'),
    }))
    messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results })
  }
}
