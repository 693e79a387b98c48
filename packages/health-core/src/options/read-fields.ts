import {
  CHOICES,
  type ChoiceField,
  type ChoiceWords,
  DURATIONS,
  type DurationPath,
  SWITCHES,
  type SwitchPath,
} from './defaults.ts'
import type { Environment } from './environment.ts'
import type { Groups } from './groups.ts'
import type { Problems } from './problems.ts'

/** Reads one field: the option, else the variable, else the default. A bad option is added to the problems. */
export interface FieldReader {
  /** In milliseconds; `usual` takes the place of the table's default. */
  duration(path: DurationPath, usual?: number): number
  choice<Path extends keyof ChoiceWords>(path: Path): ChoiceWords[Path]
  toggle(path: SwitchPath): boolean
  /** Where a duration's value comes from: the variable's name if that gave it, else the option's path. */
  sourceOf(path: DurationPath): string
}

export function createFieldReader(groups: Groups, variables: Environment, problems: Problems): FieldReader {
  const optionAt = (path: string): unknown => {
    const dot = path.indexOf('.')
    const group = dot === -1 ? '' : (path.slice(0, dot) as keyof Groups)
    return groups[group][path.slice(dot + 1)]
  }
  const variableOf = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : variables.get(name)

  return {
    duration: (path, usual) => {
      const field = DURATIONS[path]
      const value = optionAt(path)
      if (value === undefined) {
        const seconds = variableOf(field.variable)
        return seconds === undefined ? (usual ?? field.default) : Math.round(Number(seconds) * 1_000)
      }
      if (typeof value === 'number' && value >= field.min && value <= field.max) return value
      problems.add(path, `${field.min} to ${field.max} milliseconds`, value)
      return field.default
    },
    choice: <Path extends keyof ChoiceWords>(path: Path) => {
      const field: ChoiceField<ChoiceWords[Path]> = CHOICES[path]
      const option = optionAt(path)
      const value = option === undefined ? (variableOf(field.variable) ?? field.default) : option
      const known = field.choices.find((word) => word === value)
      if (known === undefined)
        problems.add(path, field.choices.map((word) => `'${word}'`).join(' or '), value)
      return known ?? field.default
    },
    toggle: (path) => {
      const field = SWITCHES[path]
      const value = optionAt(path)
      if (value === undefined) return (variableOf(field.variable) ?? String(field.default)) === 'true'
      if (typeof value !== 'boolean') problems.add(path, 'true or false', value)
      return value === true
    },
    sourceOf: (path) => {
      const { variable } = DURATIONS[path]
      const isGiven = optionAt(path) !== undefined || variable === undefined || !variables.has(variable)
      return isGiven ? path : variable
    },
  }
}
