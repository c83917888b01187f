// A bar for the part of a whole.

#if Inspector
import TroveTerminal

/// A bar for the part of a whole, with its percentage. It is a drawing: a page has no styles of its own.
enum ShareBar {
    /// Returns the bar of a part.
    static func html(_ part: Int, of whole: Int) -> HTML { html(Double(part), of: Double(whole)) }

    /// Returns the bar of a part. Without a whole, it is empty.
    static func html(_ part: Double, of whole: Double) -> HTML {
        let share = whole > 0 ? part / whole : 0
        let text = (min(1, share) * 100).tenths
        return Tag.span(.class("share")) {
            Tag.svg(
                .class("bar"), .viewBox("0 0 100 10"), .preserveAspectRatio("none"), .aria("hidden", "true")
            ) {
                Tag.rect(.class("whole"), .width("100"), .height("10"))
                Tag.rect(.class("part"), .width(text), .height("10"))
            }
            Tag.span(.class("number")) { "\(text) %" }
        }
    }
}
#endif
