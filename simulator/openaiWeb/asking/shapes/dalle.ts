import type { Language } from '../../../answers/voice.ts'
import { completeFile } from '../../files/file.ts'
import { type Mood, PAINTING, painting } from '../../files/pictures.ts'
import { called, final, replied, type Shape, type ShapeContext, shortened } from './shape.ts'

type Texts = { prompts: readonly [string, string]; titles: readonly [string, string]; answer: string }

const TEXTS: Record<Language, Texts> = {
  chinese: {
    prompts: ['{question}：清晨，层层远山，水彩，上方留白。', '{question}：黄昏的山谷，暖色，版画。'],
    titles: ['清晨', '黄昏'],
    answer: '画了两张：一张是**清晨**，一张是**黄昏**。想换颜色或构图，直接说就行。',
  },
  english: {
    prompts: [
      '{question}: layered hills at dawn, watercolour, room above.',
      '{question}: a valley at dusk, warm colours, woodcut.',
    ],
    titles: ['Dawn', 'Dusk'],
    answer: 'Two pictures: one at **dawn**, one at **dusk**. Just say if the colours should change.',
  },
  malay: {
    prompts: [
      '{question}: bukit berlapis pada waktu subuh, cat air.',
      '{question}: lembah pada waktu senja, warna hangat.',
    ],
    titles: ['Subuh', 'Senja'],
    answer: 'Dua gambar: satu waktu **subuh**, satu waktu **senja**. Beritahu sahaja jika warnanya perlu ditukar.',
  },
}

/** Two pictures with their prompts. */
export const dalle: Shape = context => {
  const { prompts, titles, answer } = TEXTS[context.language]
  const wanted = prompts.map(prompt => prompt.replace('{question}', () => shortened(context.question)))
  return [
    called(context, 'dalle.text2im', JSON.stringify({ size: '512x512', n: 2, prompts: wanted }, null, 1), 'json'),
    replied(context, 'dalle.text2im', {
      content_type: 'multimodal_text',
      parts: wanted.map((prompt, at) => painted(context, prompt, titles[at] ?? '', at === 0 ? 'dawn' : 'dusk')),
    }),
    final(context, answer),
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
  final(
    context,
    context.language === 'chinese' ? '这张画不了，换个题材试试。' : 'This one cannot be painted. Try another subject.',
  ),
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
