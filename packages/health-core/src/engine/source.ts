/** The view behind one endpoint, kept fresh by a round. */
export interface Source<View> {
  /** Makes sure that the view is fresh; returns undefined when it already is. Never rejects. */
  ask(force?: boolean): Promise<void> | undefined
  view(): View
  /** Increases whenever the view may have changed. */
  version(): number
  ageMs(): number
}
