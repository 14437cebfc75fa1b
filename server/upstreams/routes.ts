import { readModelsAgain } from '#contract/configuration.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/signedIn.ts'
import type { ModelReading } from './modelReading.ts'

export function modelRoutes<U extends SignedIn>(http: Http<U>, models: ModelReading): void {
  http.answer(readModelsAgain, () => models.readAgain())
}
