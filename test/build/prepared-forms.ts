import { faultForms } from '../../src/console/model/fault-forms.ts'

/** A bundler's plugin: of the types of faults, the console has what their forms ask for, and not what they answer. */
export function preparedForms() {
  return {
    name: 'prepared-forms',
    load: (id: string) =>
      id.endsWith('/src/console/model/fault-forms.ts')
        ? { code: `export const faultForms = ${JSON.stringify(faultForms)}`, moduleType: 'js' as const }
        : null,
  }
}
