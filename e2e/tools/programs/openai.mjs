/** Asks as $QUESTION says, with a picture or a tool where they are wanted, and prints the answer as it grows. */
import { readdirSync, readFileSync } from 'node:fs'

const { QUESTION, PICTURE, WITH_PICTURE, WITH_TOOL } = process.env
const url = () => `data:image/png;base64,${readFileSync(PICTURE).toString('base64')}`
const TOOL = { name: 'list_files', description: 'Lists the folder.', parameters: { type: 'object', properties: {} } }

export async function ask(client, model) {
  const picture = WITH_PICTURE ? [{ type: 'image_url', image_url: { url: url() } }] : []
  const messages = [{ role: 'user', content: [{ type: 'text', text: QUESTION }, ...picture] }]
  const tools = WITH_TOOL ? { tools: [{ type: 'function', function: TOOL }] } : {}
  for (;;) {
    const stream = client.chat.completions.stream({ model, messages, ...tools })
    stream.on('content', text => process.stdout.write(text))
    const { message } = (await stream.finalChatCompletion()).choices[0]
    if (!message.tool_calls?.length) return
    messages.push(message)
    for (const { id } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: readdirSync('.').join('\n') })
  }
}
