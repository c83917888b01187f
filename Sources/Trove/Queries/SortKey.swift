// A property of the sort order of a query, and its direction.

import TroveCoding

/// A property to sort records by, and the direction.
///
/// `sorted(by: \.lastName, \.firstName.desc)` creates sort keys from key paths. If the property is chosen at run time,
/// create one by hand: `sorted(by: [SortKey(\User.age).desc])`.
public struct SortKey<Record: IndexKeyRecord>: Sendable {
    private enum Source {
        case property(SortProperty)
        /// The error for a property that cannot be read.
        indirect case failure(StoreError)
    }

    private let source: Source
    private(set) var isDescending: Bool

    /// Creates a sort key that sorts by a property, the least value first; or by `desc` of a property, the greatest
    /// value first.
    public init<Value: KeyComponent>(_ property: KeyPath<Record, Value>) {
        do throws(StoreError) {
            let property = try Record.sortProperty(of: property)
            source = .property(property)
            isDescending = property.isDescending
        } catch {
            source = .failure(error)
            isDescending = false
        }
    }

    /// The sort key with the opposite direction.
    public var desc: SortKey {
        var key = self
        key.isDescending.toggle()
        return key
    }

    func property() throws(StoreError) -> StoredProperty {
        switch source {
        case .property(let property): property.property
        case .failure(let error): throw error
        }
    }

    func read(_ run: inout RecordRun, _ matches: UInt64, into bytes: inout SortBytes) throws(CodingError) {
        guard case .property(let property) = source else { return }
        bytes.isComplemented = isDescending
        try property.read(&run, matches, &bytes)
    }
}

/// Returns the sort keys of properties.
@inlinable
func sortKeys<Record: IndexKeyRecord, each Value: KeyComponent>(
    _ properties: repeat KeyPath<Record, each Value>
) -> [SortKey<Record>] {
    var keys: [SortKey<Record>] = []
    repeat keys.append(SortKey(each properties))
    return keys
}
