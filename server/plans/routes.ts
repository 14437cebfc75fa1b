import { changePolicy, movePeople, previewPlan, readPolicy } from '#contract/planPeople.ts'
import { changePlan, createPlan, deletePlan, listPlans, movePerson } from '#contract/plans.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Http } from '#server/foundation/http/http.ts'
import { moveIntoPlan } from '#server/users/planMoves.ts'
import type { User } from '#server/users/user.ts'
import type { PeopleList } from './list.ts'
import type { PersonPolicies } from './personPolicy.ts'
import type { PlanAdministration } from './plans.ts'

type Services = {
  open: OpenDatabase
  planAdministration: PlanAdministration
  personPolicies: PersonPolicies
  peopleList: PeopleList
}

export function planRoutes(
  http: Http<User>,
  { open, planAdministration: plans, personPolicies, peopleList }: Services,
): void {
  http.answer(listPlans, () => plans.list())
  http.answer(createPlan, ({ body }) => plans.create(body))
  http.answer(changePlan, ({ params, body }) => plans.change(Number(params.id), body))
  http.answer(previewPlan, ({ params, body }) => plans.preview(Number(params.id), body))
  http.answer(deletePlan, async ({ params, query }) => {
    await plans.remove(Number(params.id), query.move_to)
    return null
  })
  http.answer(movePeople, ({ body }) => peopleList(body))
  http.answer(movePerson, ({ params, body }) =>
    open.transaction(async trx => {
      const { plan_id, name } = await moveIntoPlan(trx, Number(params.id), body.plan_id, open)
      return { plan_id, name }
    }),
  )
  http.answer(readPolicy, ({ params }) => personPolicies.read(Number(params.id)))
  http.answer(changePolicy, ({ params, body }) => personPolicies.change(Number(params.id), body))
}
