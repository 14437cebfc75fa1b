/** Words of names of models that do not chat, each as it stands between the signs of a name. */
const OTHER_KINDS = new RegExp(
  `^(?:${[
    String.raw`embed\w*`,
    'bge',
    'gte',
    'e5',
    'm3e',
    'minilm',
    'colbert',
    'voyage',
    String.raw`rerank\w*`, // for search
    String.raw`whisper\w*`,
    String.raw`transcri\w*`,
    'asr',
    'stt',
    'tts',
    'speech',
    'voice',
    'audio',
    'realtime',
    String.raw`cosyvoice\w*`,
    'sensevoice',
    'kokoro',
    'parakeet', // sound
    'image',
    'images',
    String.raw`imagen\d*`,
    'dall',
    String.raw`dalle\d*`,
    'diffusion',
    'sd3',
    'sdxl',
    String.raw`flux\d*`,
    String.raw`cogview\w*`,
    'kolors',
    't2i', // pictures
    'midjourney',
    String.raw`sora\d*`,
    String.raw`veo\d*`,
    'video',
    't2v',
    'i2v', // films
    String.raw`moderat\w*`,
    'guard',
    'guard2',
    'guard3',
    'guard4',
    'guardian', // judging
    'davinci',
    'babbage', // no chat yet
  ].join('|')})$`,
)

/** Whether the name is one of a model that answers questions, as far as a name can tell. */
export function isForChat(id: string): boolean {
  const words = id.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return !words.some(word => OTHER_KINDS.test(word)) && !id.startsWith('gpt-3.5-turbo-instruct')
}
