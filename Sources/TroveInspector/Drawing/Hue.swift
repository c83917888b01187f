// Colors of parts in drawings.

#if Inspector
/// Colors of parts in drawings, in the order of their sizes. The stylesheet has them.
enum Hue {
    /// The number of colors. Smaller parts have a single further one.
    static let count = 8

    /// Returns the class of a part.
    static func name(_ place: Int) -> String { place < count ? "hue\(place)" : "hue-other" }

    /// Returns a small square in the color of a part.
    static func swatch(_ place: Int) -> HTML { swatch(named: name(place)) }

    /// Returns a small square in the color of a class.
    static func swatch(named name: String) -> HTML {
        Tag.svg(.class("swatch"), .viewBox("0 0 10 10"), .aria("hidden", "true")) {
            Tag.rect(.class(name), .width("10"), .height("10"))
        }
    }
}
#endif
