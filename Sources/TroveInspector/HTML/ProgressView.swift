// The progress of a work that goes on.

#if Inspector
import TroveTerminal

/// The progress of a work that goes on: words, and a bar.
enum ProgressView {
    /// Returns the progress.
    ///
    /// - Parameters:
    ///   - work: The work in words.
    ///   - unit: The word for several parts, such as `records`.
    static func html(_ work: String, _ done: Int, of total: Int, _ unit: String) -> HTML {
        Tag.div(.class("progress")) {
            Tag.span { "\(work): \(done.grouped) of \(total.grouped) \(unit) done" }
            ShareBar.html(done, of: total)
        }
    }
}
#endif
