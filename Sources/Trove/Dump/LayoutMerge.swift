// The layouts of a dumped type in a catalog. The order of a type's layouts is their history: it is never changed, and
// layouts that the catalog does not know yet take their places in it.

import TroveCoding

/// Adds a dumped type to a catalog.
struct LayoutMerge {
    private let dumped: DumpedType
    private let line: Int

    init(_ dumped: DumpedType, line: Int) {
        self.dumped = dumped
        self.line = line
    }

    /// Returns the catalog entry of a type that the store does not have.
    func newType() throws(LoadError) -> CatalogType {
        var type = CatalogType(
            qualifiedName: dumped.name, generation: 0, keyLayout: dumped.keyLayout, oldestOrdinal: 0)
        number(dumped.layouts.map { ($0.version, $0.layout) }, in: &type)
        guard let oldest = type.layouts[dumped.oldestVersion] else {
            throw LoadError(line: line, type: dumped.name, .unknownVersion(dumped.oldestVersion))
        }
        type.oldestOrdinal = oldest.ordinal
        return type
    }

    /// Returns a catalog entry with the dumped layouts added. Its newest layout stays the newest.
    func merged(into stored: CatalogType) throws(LoadError) -> CatalogType {
        var layouts = stored.versions.map { ($0, stored.layouts[$0]?.text ?? "") }
        // New layouts belong before the next layout that both have.
        var end = layouts.count
        for layout in dumped.layouts.reversed() {
            if let index = layouts.firstIndex(where: { $0.0 == layout.version }) {
                guard layouts[index].1 == layout.layout, index < end else {
                    throw LoadError(
                        line: line, type: dumped.name,
                        .otherLayouts(stored: layouts[index].1, dumped: layout.layout))
                }
                end = index
            } else if end == layouts.count {
                throw LoadError(line: line, type: dumped.name, .newerLayout(layout.layout))
            } else {
                layouts.insert((layout.version, layout.layout), at: end)
            }
        }
        guard layouts.count > stored.layouts.count else { return stored }
        var type = stored
        let oldest = stored.possibleVersions.first
        number(layouts, in: &type)
        type.oldestOrdinal = oldest.flatMap { type.layouts[$0]?.ordinal } ?? type.newestOrdinal
        return type
    }

    /// Sets the layouts, numbered from 1.
    private func number(_ layouts: [(UInt32, String)], in type: inout CatalogType) {
        for (index, layout) in layouts.enumerated() {
            type.layouts[layout.0] = CatalogLayout(ordinal: UInt32(index) + 1, text: layout.1)
        }
    }
}
