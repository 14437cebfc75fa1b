import { describe, expect, test } from 'vitest'
import { attachmentMeaning } from './attachmentRefusal.ts'

const meaning = (words: string, kinds = { pictures: 2, files: 1 }) => attachmentMeaning(words.toLowerCase(), kinds)

describe('a model that sees no pictures', () => {
  test.each([
    ['OpenAI', 'Invalid content type. image_url is only supported by certain models.'],
    ['OpenAI, later', 'This model does not support image inputs.'],
    ['Azure', "Unsupported value: 'messages[0]' does not support image content with this model."],
    ['OpenRouter', 'No endpoints found that support image input'],
    [
      'DeepSeek',
      'Failed to deserialize the JSON body: messages[7]: unknown variant `image_url`, expected `text` at line 1',
    ],
    ['vLLM', 'Qwen/Qwen3-8B is not a multimodal model None'],
    ['vLLM, switched off', 'At most 0 image(s) may be provided in one prompt.'],
    ['llama.cpp', 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    ['Ollama', 'this model does not support image input (ref: b8bd630e)'],
    ['Ollama, without its projector', 'this model is missing data required for image input'],
    ['LM Studio', 'Model does not support images. Please use a model that does.'],
    [
      'Groq',
      "'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]",
    ],
    ['Gemini', 'Image input modality is not enabled for models/some-tuned-model'],
    ['Mistral', 'Image input is not enabled for this model'],
    ['SiliconFlow', 'The model is not a VLM (Vision Language Model). Please use text-only prompts.'],
    ['Bedrock', "This model doesn't support the image content block that you provided. Try again with another model."],
    ['xAI', 'Image inputs are not supported by this model.'],
    ['a gateway', '该模型不支持图片输入'],
  ])('says so in the words of %s', (_name, words) => {
    expect(meaning(words)).toEqual({ key: 'openai.picturesNotTaken' })
  })

  test('says nothing of that where no picture was sent', () => {
    expect(meaning('This model does not support image input', { pictures: 0, files: 0 })).toBeNull()
  })
})

describe('a model that takes fewer pictures', () => {
  test.each([
    ['vLLM', 'At most 1 image(s) may be provided in one request.', 1],
    ['Groq', 'Too many images provided. This model supports up to 5 images', 5],
    ['Anthropic', 'Too many images in request: 40. The maximum is 20 images.', 20],
    ['a gateway', 'the number of images exceeds the limit of 8', 8],
    ['a gateway in Chinese', '图片数量超过限制，最多 6 张', 6],
    ['one that names no number', 'Too many images', undefined],
  ])('says how many in the words of %s', (_name, words, most) => {
    expect(meaning(words)).toEqual({ key: 'openai.tooManyPictures', ...(most !== undefined && { most }) })
  })
})

describe('a picture by itself', () => {
  test.each([
    [
      'Anthropic',
      'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
    ],
    ['Anthropic', 'At least one of the image dimensions exceed max allowed size: 8000 pixels'],
    ['OpenAI', 'The image is too large. The maximum size is 20MB.'],
    ['a gateway', '图片过大'],
  ])('is too large in the words of %s: %s', (_name, words) => {
    expect(meaning(words)).toEqual({ key: 'openai.pictureTooLarge' })
  })

  test.each([
    ['Gemini', 'Unable to process input image. Please retry or report in'],
    ['Gemini', 'Provided image is not valid'],
    [
      'OpenAI',
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png']",
    ],
    ['vLLM', 'cannot identify image file <_io.BytesIO object>'],
    ['Anthropic', 'Could not process image'],
  ])('cannot be read in the words of %s: %s', (_name, words) => {
    expect(meaning(words)).toEqual({ key: 'openai.pictureUnreadable' })
  })
})

describe('a model that takes no files', () => {
  test.each([
    ['DashScope', "Invalid value: file. Supported values are: 'text','image_url','video_url' and 'video'."],
    ['DeepSeek', 'unknown variant `file`, expected `text`'],
    ['vLLM', 'Unknown part type: file'],
    ['OpenAI', 'This model does not support file content types.'],
  ])('says so in the words of %s', (_name, words) => {
    expect(meaning(words, { pictures: 0, files: 1 })).toEqual({ key: 'openai.filesNotTaken' })
  })
})

test.each([
  'This model’s maximum context length is 8192 tokens.',
  'The model does not exist.',
  'Rate limit reached for images per minute',
  'The server had an error while processing your request.',
  'temperature: must be at most 2',
])('other refusals say nothing of what went with the question: %s', words => {
  expect(meaning(words)).toBeNull()
})
