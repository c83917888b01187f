// The size that the markup of a page can still have.

#if Inspector
import TroveTerminal

/// The size that the markup of a page can still have. The parts that are too large for it are left out, and the page
/// has a sentence about them.
struct Budget {
    /// The maximum size of the parts of a page in bytes.
    static let size = 4 << 20

    /// The number of bytes that are left; at most 0 after the last part.
    private(set) var left = Self.size

    /// Returns the markup of the first elements: those that fit, and at least one of a page without parts so far.
    mutating func parts<Element>(
        of elements: some Sequence<Element>, _ markup: (Element) throws -> HTML
    ) rethrows -> [HTML] {
        var parts: [HTML] = []
        for element in elements where left > 0 {
            let part = try markup(element)
            guard part.size <= left || left == Self.size else {
                // No later part takes the place of this one.
                left = 0
                break
            }
            parts.append(taking(part))
        }
        return parts
    }

    /// Returns a part that the page has in any case, and takes its size from the budget.
    mutating func taking(_ part: HTML) -> HTML {
        left -= part.size
        return part
    }

    /// Returns the sentence about parts that are left out; nothing if there are none.
    ///
    /// - Parameters:
    ///   - unit: The word for several parts, such as `types`.
    ///   - limit: The maximum number of parts, if there is one.
    static func hint(_ shown: Int, of count: Int, _ unit: String, limit: Int? = nil) -> HTML {
        guard shown < count else { return HTML() }
        let reason = shown == limit ? "are shown." : "are shown: a page has at most 4 MB."
        return Tag.p(.class("hint")) { "\(shown.grouped) of \(count.grouped) \(unit) \(reason)" }
    }
}
#endif
