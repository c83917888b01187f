// The tables of a file as a treemap.

#if Inspector
import TroveTerminal

/// The tables of a file as rectangles, with areas by the numbers of their pages.
struct TableTreemap {
    private let tables: [TableUse]
    private static let whole = Treemap.Rectangle(x: 0, y: 0, width: 900, height: 300)
    /// The width of a character of a label, nearly.
    private static let characterWidth = 8.0

    /// - Parameter tables: Tables in the descending order of their pages.
    init(_ tables: [TableUse]) { self.tables = tables }

    /// Returns the treemap.
    func html() -> HTML {
        let rectangles = Treemap.rectangles(tables.map(\.pages.pages), in: Self.whole)
        return Tag.svg(
            .class("treemap"), .viewBox("0 0 \(Int(Self.whole.width)) \(Int(Self.whole.height))"), .role("img"),
            .aria("label", "The tables by the numbers of their pages, as in the table below")
        ) {
            for (place, (table, rectangle)) in zip(tables, rectangles).enumerated() {
                let name = "\(table.owner)"
                Tag.g {
                    Tag.title { "\(name): \(counted(table.pages.pages, "page"))" }
                    Tag.rect(
                        .class(Hue.name(place)), .x(rectangle.x.tenths), .y(rectangle.y.tenths),
                        .width(max(0, rectangle.width - 2).tenths), .height(max(0, rectangle.height - 2).tenths))
                    let characters = Int((rectangle.width - 12) / Self.characterWidth)
                    if rectangle.height >= 24, characters >= 6 {
                        Tag.text(.x((rectangle.x + 6).tenths), .y((rectangle.y + 17).tenths)) {
                            name.cut(characters).text
                        }
                    }
                }
            }
        }
    }
}
#endif
