// A histogram of the fill of pages.

#if Inspector
import TroveTerminal

/// A histogram of the fill of pages, with a bar for each tenth.
enum FillHistogram {
    private static let height = 20

    /// Returns the histogram.
    ///
    /// - Parameter counts: The number of pages by their fill, from the emptiest to the fullest.
    static func html(_ counts: [Int]) -> HTML {
        guard let greatest = counts.max(), greatest > 0 else { return HTML() }
        let words = counts.enumerated().filter { $0.element > 0 }.map { step, count in
            "\(count.grouped) from \(step * 100 / counts.count) to \((step + 1) * 100 / counts.count) % full"
        }
        return Tag.svg(
            .class("histogram"), .viewBox("0 0 \(counts.count * 6) \(height)"), .role("img"),
            .aria("label", "Leaf pages: " + words.joined(separator: ", "))
        ) {
            Tag.title { words.joined(separator: ", ") }
            for (step, count) in counts.enumerated() where count > 0 {
                let bar = max(1, count * height / greatest)
                Tag.rect(
                    .class("part"), .x("\(step * 6)"), .y("\(height - bar)"), .width("5"), .height("\(bar)"))
            }
        }
    }
}
#endif
