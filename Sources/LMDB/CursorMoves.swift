// Counts of cursor moves, in debug builds: tests prove by them that a range scan seeks once.

#if DEBUG
/// Cursor moves: seeks to a key, and steps to the adjacent key.
package struct CursorMoves: Hashable, Sendable {
    package var seeks: Int
    package var steps: Int

    package init(seeks: Int = 0, steps: Int = 0) {
        self.seeks = seeks
        self.steps = steps
    }
}
#endif
