/** How many tokens a picture takes, estimated as the makers of models count them. */

type Sides = { width: number; height: number }
export type PictureDetail = 'auto' | 'low' | 'high'
export type SentPicture = { width: number | null; height: number | null; detail: PictureDetail }

type Rule = (sides: Sides, detail: PictureDetail) => number

/** The sides with the longer one at most this; smaller ones stay. */
const fitted = ({ width, height }: Sides, longest: number): Sides => {
  const scale = Math.min(1, longest / Math.max(width, height))
  return { width: width * scale, height: height * scale }
}

const patchesOf = ({ width, height }: Sides, side: number): number => Math.ceil(width / side) * Math.ceil(height / side)

/**
 * OpenAI, "Images and vision", calculating costs, models of tiles: within 2,048 px, the shorter side 768 px at most, a
 * count for each tile of 512 px and one for the picture, which is all that low detail takes.
 */
const tiles =
  (base: number, each: number): Rule =>
  (sides, detail) => {
    if (detail === 'low') return base
    const within = fitted(sides, 2_048)
    const scale = Math.min(1, 768 / Math.min(within.width, within.height))
    return base + each * patchesOf({ width: within.width * scale, height: within.height * scale }, 512)
  }

/** The same page, models of patches: of 32 px, 1,536 at most, times a factor of the model. */
const patches =
  (factor: number): Rule =>
  (sides, detail) =>
    Math.ceil(factor * Math.min(1_536, patchesOf(detail === 'low' ? fitted(sides, 512) : sides, 32)))

/** Anthropic, "Vision": pixels / 750, of a picture within 1,568 px, which has at most about 1,600. */
const byPixels: Rule = sides => {
  const { width, height } = fitted(sides, 1_568)
  return Math.min(1_600, Math.ceil((width * height) / 750))
}

/** Google, "Understand and count tokens": 258 up to 384 px, else for each tile of a side that follows the shorter. */
const tilesOfGemini: Rule = ({ width, height }) => {
  if (width <= 384 && height <= 384) return 258
  const side = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)))
  return 258 * patchesOf({ width, height }, side)
}

/** Qwen, "Visual understanding": patches of 28 px (of 32 px since the third), 4 to 1,280 unless asked for more. */
const patchesOfQwen =
  (side: number): Rule =>
  sides =>
    Math.min(1_280, Math.max(4, patchesOf(sides, side))) + 2

/** Mistral, Pixtral 12B: patches of 16 px within 1,024 px, and the end of each row. Its later models: of 28 px. */
const patchesOfMistral =
  (side: number, longest: number): Rule =>
  sides => {
    const within = fitted(sides, longest)
    return patchesOf(within, side) + Math.ceil(within.height / side)
  }

/** xAI, "Image understanding": 256 for each tile of 448 px, six at most, and once more. */
const tilesOfGrok: Rule = sides => 256 * (Math.min(6, patchesOf(sides, 448)) + 1)

const always =
  (tokens: number): Rule =>
  () =>
    tokens

/** By the name of the model; the first that fits. Names come with the maker's before them, too. */
const RULES: readonly (readonly [name: RegExp, rule: Rule])[] = [
  [/gpt-4\.1-mini/, patches(1.62)],
  [/gpt-4\.1-nano/, patches(2.46)],
  [/gpt-5(?:\.\d)?-mini/, patches(1.62)],
  [/gpt-5(?:\.\d)?-nano/, patches(2.46)],
  [/\bo4-mini/, patches(1.72)],
  [/gpt-4o-mini/, tiles(2_833, 5_667)],
  [/gpt-5/, tiles(70, 140)],
  [/\bo[13](?:-|$)/, tiles(75, 150)],
  [/gpt[-_]4/, tiles(85, 170)],
  [/claude/, byPixels],
  // "Media resolution": what is not asked for otherwise
  [/gemini-3/, always(1_120)],
  [/gemini/, tilesOfGemini],
  // Model card: 896 px in 256 tokens
  [/gemma-?3/, always(256)],
  [/qwen[-_]?3(?:\.\d)?[-_]vl/, patchesOfQwen(32)],
  [/qwen|qvq|kimi|glm/, patchesOfQwen(28)],
  [/pixtral-12b/, patchesOfMistral(16, 1_024)],
  [/pixtral|mistral|ministral|magistral/, patchesOfMistral(28, 1_540)],
  [/grok/, tilesOfGrok],
]

/** Of a picture whose size nobody knows: that of a large one. */
const UNKNOWN = { width: 1_536, height: 1_536 }

/** `model`: what the endpoint calls it, or what people choose it by. A model without a rule: by size, as for Claude. */
export function pictureTokens({ width, height, detail }: SentPicture, model: string): number {
  const name = model.toLowerCase()
  const rule = RULES.find(([pattern]) => pattern.test(name))?.[1] ?? byPixels
  const sides = width !== null && height !== null && width > 0 && height > 0 ? { width, height } : UNKNOWN
  return Math.max(1, Math.ceil(rule(sides, detail)))
}
