// The limits of the tables: Swift's own tables may be of a newer version of Unicode.

extension TextAnalyzer {
    /// Returns whether `trigrams` folds all scalars of a pattern as Swift's `lowercased()` does.
    ///
    /// A text whose lowercase form contains the lowercase form of such a pattern has all trigrams of the pattern. A
    /// pattern with a scalar that the tables do not know, or that Swift makes of such a scalar, has to be searched
    /// without trigrams.
    ///
    /// - Parameter pattern: UTF-8.
    package static func knowsCases(of pattern: RawSpan) -> Bool {
        var offset = 0
        while offset < pattern.byteCount {
            let (scalar, size) = pattern.scalar(at: offset)
            if ScalarProperties(of: scalar).scalarClass == .unassigned { return false }
            if scalar >= 0x80, lowercaseOfUnknown.contains(scalar) { return false }
            offset += size
        }
        return true
    }

    /// The scalars that Swift makes of upper case that the tables do not know: new partners of known lower case.
    private static let lowercaseOfUnknown: Set<UInt32> = {
        var result: Set<UInt32> = []
        // Other planes have no cases.
        for value in 0x80..<0x2_0000 as Range<UInt32> where ScalarProperties(of: value).scalarClass == .unassigned {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            if lower.first != scalar { result.formUnion(lower.map(\.value)) }
        }
        return result
    }()
}
