// Snippets of stored records, made without the Swift types.

import TroveCoding

/// A part of a property of a stored record, with the words that a search has found.
public struct StoredSnippet: Hashable, Sendable {
    /// The stored name of the property.
    public let property: String
    /// The part of the property, or of one of its strings.
    public let snippet: Snippet

    /// The snippet as named values. Its ranges are pairs of offsets in the UTF-8 of its text.
    var value: FieldValue {
        let utf8 = snippet.text.utf8
        let ranges = snippet.ranges.map { range in
            FieldValue.array(
                [range.lowerBound, range.upperBound].map { bound in
                    .integer(Int128(utf8.distance(from: utf8.startIndex, to: bound)))
                })
        }
        return .record(
            StoredFields([
                StoredFields.Field("property", .string(property)), StoredFields.Field("text", .string(snippet.text)),
                StoredFields.Field("ranges", .array(ranges)),
                StoredFields.Field("isCutAtStart", .bool(snippet.isCutAtStart)),
                StoredFields.Field("isCutAtEnd", .bool(snippet.isCutAtEnd)),
            ]))
    }
}
