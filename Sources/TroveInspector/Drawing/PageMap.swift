// A map of the pages of a file.

#if Inspector
import LMDB
import Trove
import TroveTerminal

/// A map of the pages of a file, in the order of their numbers: rows of cells, each of a page or of 2ⁿ pages.
struct PageMap {
    /// The maximum number of cells.
    static let cellLimit = columns * 64
    private static let columns = 96

    private let usage: PageUsage
    /// The place of each table among all tables by size.
    private let places: [Int]
    private let owners: [PageOwner]

    /// - Parameter order: The positions of the tables with pages, the largest first.
    init(_ pages: StoredPages, _ order: [Int]) {
        usage = pages.usage
        owners = pages.owners
        var places = [Int](repeating: order.count, count: pages.usage.tables.count)
        for (place, table) in order.enumerated() { places[table] = place }
        self.places = places
    }

    /// Cells of the same look that follow each other in a row.
    private struct Run {
        let look: String
        let row: Int
        let column: Int
        var count = 1
    }

    /// Returns the map and its legend.
    func html() -> HTML {
        let rows = (usage.cellCount + Self.columns - 1) / Self.columns
        let pages = counted(usage.pagesPerCell, "page")
        return TroveInspector.html {
            Tag.svg(
                .class("map"), .viewBox("0 0 \(Self.columns * 8) \(max(1, rows) * 8)"), .role("img"),
                .aria("label", "\(usage.pages.grouped) pages of the file, \(pages) a cell")
            ) {
                for run in runs {
                    Tag.rect(
                        .class(run.look), .x("\(run.column * 8)"), .y("\(run.row * 8)"),
                        .width("\(run.count * 8 - 1)"), .height("7"))
                }
            }
            legend(pages)
        }
    }

    private var runs: [Run] {
        var runs: [Run] = []
        for index in 0..<usage.cellCount {
            let look = look(usage.cell(index))
            let (row, column) = index.quotientAndRemainder(dividingBy: Self.columns)
            if let last = runs.last, last.look == look, last.row == row {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(look: look, row: row, column: column))
            }
        }
        return runs
    }

    private func look(_ cell: PageUsage.Cell) -> String {
        switch cell.kind {
        case .meta: "page-meta"
        case .free: "page-free"
        case .unreached: "page-unreached"
        case .branch, .leaf, .overflow: cell.table.map { Hue.name(places[$0]) } ?? "hue-other"
        }
    }

    private func legend(_ pages: String) -> HTML {
        let largest = places.indices.filter { places[$0] < Hue.count && usage.tables[$0].pages > 0 }
            .sorted { places[$0] < places[$1] }
        return Tag.ul(.class("legend")) {
            for table in largest {
                Tag.li {
                    Hue.swatch(places[table])
                    Tag.bdi { "\(owners[table])" }
                }
            }
            for (look, name) in [
                ("hue-other", "smaller tables"), ("page-free", "free"), ("page-meta", "meta pages"),
                ("page-unreached", "neither in use nor free"),
            ] {
                Tag.li {
                    Hue.swatch(named: look)
                    name
                }
            }
            Tag.li { "A cell is \(pages)." }
        }
    }
}
#endif
