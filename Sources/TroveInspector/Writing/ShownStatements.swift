// The statements that pages have shown for a confirmation.

#if Inspector
import LMDB

/// The statements that pages have shown for a confirmation. Each runs once: a form that is sent twice, or again by a
/// browser that loads its page again, does not write twice.
final class ShownStatements: Sendable {
    private struct Contents {
        var texts: [Int: String] = [:]
        var last = 0
    }

    private let contents = Monitor(Contents())
    /// The number of statements that are kept. Later ones take the places of the oldest.
    static let limit = 64

    init() {}

    /// Keeps a statement that is shown. Returns the mark for its form.
    func add(_ text: String) -> String {
        contents.withLock { contents in
            contents.last += 1
            contents.texts[contents.last] = text
            contents.texts[contents.last - Self.limit] = nil
            return "\(contents.last)"
        }
    }

    /// Removes a statement. Returns whether it was shown with the mark, and has not run since.
    func take(_ mark: String?, _ text: String) -> Bool {
        contents.withLock { contents in
            // Texts that are equal as characters can differ in their bytes, which SQLite reads.
            guard let number = mark.flatMap({ Int($0) }), let shown = contents.texts[number],
                shown.utf8.elementsEqual(text.utf8)
            else { return false }
            contents.texts[number] = nil
            return true
        }
    }
}
#endif
