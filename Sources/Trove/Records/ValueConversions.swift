// The conversions of a type from named values, by the layout of the values.

import LMDB
import TroveCoding

/// The conversions from named values to records of a type, cached by the layout of the values. Most values of a
/// migration have the same layout.
final class ValueConversions: Sendable {
    private static let limit = 64

    private let found = Monitor<(declared: RecordLayout?, conversions: [RecordLayout: RecordConversion])>((nil, [:]))

    /// Returns the current layout of the type.
    func declared(by schema: RecordSchema) throws(CodingError) -> RecordLayout {
        if let layout = found.withLock({ $0.declared }) { return layout }
        let layout = try schema.parsedLayout()
        found.withLock { $0.declared = layout }
        return layout
    }

    /// Returns the conversion of values of a layout.
    func conversion(from layout: RecordLayout, to declared: RecordLayout) throws(ConversionError) -> RecordConversion {
        if let conversion = found.withLock({ $0.conversions[layout] }) { return conversion }
        let conversion = try RecordConversion(from: layout, to: declared)
        found.withLock { found in
            if found.conversions.count == Self.limit { found.conversions = [:] }
            found.conversions[layout] = conversion
        }
        return conversion
    }
}
