import { VOICES } from '../../../answers/voice.ts'
import { completeFile } from '../../files/file.ts'
import { type Mood, PAINTING, painting } from '../../files/pictures.ts'
import { called, final, replied, type Shape, type ShapeContext, shortened } from './shape.ts'

/** Two pictures with their prompts. */
export const dalle: Shape = context => {
  const voice = VOICES[context.language]
  const prompts = voice.text('dalle.prompts', { question: shortened(context.question) }).split('\n')
  const titles = voice.lines('dalle.titles')
  return [
    called(context, 'dalle.text2im', JSON.stringify({ size: '512x512', n: 2, prompts }, null, 1), 'json'),
    replied(context, 'dalle.text2im', {
      content_type: 'multimodal_text',
      parts: prompts.map((prompt, at) => painted(context, prompt, titles[at] ?? '', at === 0 ? 'dawn' : 'dusk')),
    }),
    final(context, voice.text('dalle.answer')),
  ]
}

/** The pictures are refused. */
export const dalleError: Shape = context => [
  called(context, 'dalle.text2im', JSON.stringify({ prompts: [shortened(context.question)] }), 'json'),
  replied(context, 'dalle.text2im', {
    content_type: 'system_error',
    name: 'tool_error',
    text: 'This request did not follow the content policy.',
  }),
  final(context, VOICES[context.language].text('dalle.refused')),
]

function painted({ account, random }: ShapeContext, prompt: string, serialization_title: string, mood: Mood) {
  const seed = random.below(2 ** 31)
  const file = completeFile(`${serialization_title}.png`, () => painting(seed, mood), 'multimodal')
  account.addFile(file)
  return {
    content_type: 'image_asset_pointer',
    asset_pointer: `file-service://${file.id}`,
    size_bytes: file.size,
    ...PAINTING,
    fovea: 512,
    metadata: { dalle: { gen_id: file.id.slice(5, 21), prompt, seed, serialization_title } },
  }
}
