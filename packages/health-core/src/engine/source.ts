/** One picture that an endpoint shows, kept fresh by a round. */
export interface Source<View> {
  /** Makes sure that the picture is fresh; undefined when it is already. Never rejects. */
  ask(force?: boolean): Promise<void> | undefined
  view(): View
  /** Goes up whenever the view may have changed. */
  version(): number
  ageMs(): number
}
