// The layouts of deleted records, each parsed once.

import TroveCoding

/// The parsed layouts of a type, by version.
struct ParsedLayouts {
    private var layouts: [UInt32: RecordLayout?] = [:]

    /// Returns a layout of the type; nil if it is unknown, or cannot be read.
    mutating func layout(_ version: UInt32, of type: CatalogType?) -> RecordLayout? {
        if let known = layouts[version] { return known }
        let layout = (type?.layouts[version]?.text).flatMap { text in
            do throws(CodingError) { return try RecordLayout(text) } catch { return nil }
        }
        layouts.updateValue(layout, forKey: version)
        return layout
    }
}
