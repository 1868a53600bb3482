import { faultTypes, isFaultType, listPhases } from '../../api/faults/fault-types.ts'

/** What the form of a type of fault asks for. */
export interface FaultFields {
  readonly type: string
  readonly takes: readonly string[]
  readonly needs: readonly string[]
  readonly phases: readonly string[]
}

/** The forms of all types of faults. The build writes them out, because the page has no use for what faults answer. */
export const faultForms: readonly FaultFields[] = Object.entries(faultTypes).map(
  ([type, { takes, needs }]) => ({
    ...{ type, takes, needs },
    phases: isFaultType(type) ? listPhases(type) : [],
  }),
)
