// Computes the least and the greatest value of a property, and the errors of sums.

import TroveCoding

extension Query {
    /// Whether the query finds only some of the matching records.
    var isPage: Bool { limit != nil || offset != 0 || continuation != nil }

    /// Returns the least or greatest value of a property other than nil.
    @usableFromInline
    func extreme<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, isGreatest: Bool, in context: ReadContext
    ) throws -> Value._Unwrapped? {
        if isPage { return try extremeOfPage(of: property, isGreatest, in: context) }
        let key = isGreatest ? SortKey(property).desc : SortKey(property)
        return try withoutNil(property).sorted(by: [key]).limit(1).values(of: property, in: context).first.flatMap(
            Value._unwrapped)
    }

    /// Returns the query for its records whose property is not nil.
    func withoutNil<Value: KeyComponent>(_ property: KeyPath<Record, Value>) -> Query {
        let range = Value.isOptional ? Value.rangeWithoutNil : nil
        return range.map { filter(.within(property, $0)) } ?? self
    }

    /// Returns the least or greatest value of a page, by reading all its records.
    private func extremeOfPage<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, _ isGreatest: Bool, in context: ReadContext
    ) throws -> Value._Unwrapped? {
        var extreme: (value: Value._Unwrapped, bytes: [UInt8])?
        try forEachValue(of: property, in: context) { property in
            guard let value = Value._unwrapped(property) else { return }
            let bytes = KeyWriter.bytes(of: value)
            if let extreme {
                let (first, second) = isGreatest ? (extreme.bytes, bytes) : (bytes, extreme.bytes)
                guard TopN.precedes(first, second) else { return }
            }
            extreme = (value, bytes)
        }
        return extreme?.value
    }

    /// Creates the error for a sum beyond the greatest number.
    @usableFromInline
    func sumOverflow(_ property: KeyPath<Record, some Any>) -> StoreError {
        .query(.sumOverflow(type: Record.schema.name, property: "\(property)"))
    }
}

extension KeyComponent {
    /// Whether the type is an optional. A descending nil is a value.
    static var isOptional: Bool { (_Unwrapped.self as Any.Type) != (Self.self as Any.Type) }
}

extension Filter {
    /// Returns the filter for the records whose property is not nil.
    ///
    /// - Parameter values: The range of the values other than nil.
    fileprivate static func within(_ property: KeyPath<Record, some KeyComponent>, _ values: KeyRange) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(ByteRanges(values)) { "!= nil" }
        }
    }
}
