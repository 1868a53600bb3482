import { compareMoments, type Note, putNote } from '../../api/noted-moments.ts'
import type { ConsoleState, Store } from './state.ts'

/**
 * Notes on moments of the shown world: those that the server keeps beside its journal, and those that only the page's address
 * has. Where both have one on a moment, the server's is shown, which everybody sees.
 */
export class SharedNotes {
  private readonly store: Store<ConsoleState>
  private kept: readonly Note[] = []
  private linked: readonly Note[]

  constructor(store: Store<ConsoleState>) {
    this.store = store
    this.linked = store.get().notes
  }

  /**
   * Replaces the notes that the server keeps. A note that it kept before and no longer does is removed from the
   * address too.
   */
  keep(notes: readonly Note[]): void {
    const isGone = (note: Note) => isIn(this.kept, note) && !isIn(notes, note)
    this.linked = this.linked.filter((note) => !isGone(note))
    this.kept = notes
    this.show()
  }

  /** Replaces the notes that the address has. */
  link(notes: readonly Note[]): void {
    this.linked = notes
    this.show()
  }

  /** Shows a note before the server has reported it; an empty text removes it. */
  put(note: Note): void {
    this.linked = putNote(this.linked, note)
    this.kept = putNote(this.kept, note)
    this.show()
  }

  /** Forgets all notes, because another world is shown. */
  forget(): void {
    this.kept = []
    this.linked = []
  }

  private show(): void {
    this.store.set({ notes: this.kept.reduce(putNote, this.linked) })
  }
}

const isIn = (notes: readonly Note[], note: Note): boolean =>
  notes.some((other) => compareMoments(other, note) === 0)
