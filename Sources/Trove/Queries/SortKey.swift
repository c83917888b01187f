// A property of the sort order of a query, and the bytes that records sort by.

import LMDB
import TroveCoding

/// A property to sort records by, and the direction.
///
/// `sorted(by: \.lastName, \.firstName.desc)` creates sort keys from key paths. If the property is chosen at run time,
/// create one by hand: `sorted(by: [SortKey(\User.age).desc])`.
public struct SortKey<Record: IndexKeyRecord>: Sendable {
    /// Appends the sort bytes of the property for each record of a run whose bit is set.
    typealias Read = @Sendable (inout RecordRun, _ matches: UInt64, inout SortBytes) throws(CodingError) -> Void

    /// The property and its reader, or the error for a property that cannot be read.
    private let source: Result<(property: StoredProperty, read: Read), StoreError>
    private(set) var isDescending = false

    /// Creates a sort key that sorts by a property, the least value first.
    @inlinable
    public init<Value: KeyComponent>(_ property: KeyPath<Record, Value>) {
        do throws(StoreError) {
            self.init(try Record.reader(of: property))
        } catch {
            self.init(error)
        }
    }

    /// The sort key with the opposite direction: the greatest value first.
    public var desc: SortKey {
        var key = self
        key.isDescending.toggle()
        return key
    }

    @usableFromInline
    init(_ failure: StoreError) { source = .failure(failure) }

    @usableFromInline
    init<Value: KeyComponent>(_ reader: PropertyReader<Value>) {
        if reader.isInKey {
            source = .success(
                (
                    reader.property,
                    { (run, matches, bytes) throws(CodingError) in
                        try reader.forEachBytes(&run) { index, component in
                            if matches & 1 &<< UInt64(index) != 0 { bytes.append(component, to: index) }
                        }
                    }
                ))
        } else {
            source = .success(
                (
                    reader.property,
                    { (run, matches, bytes) throws(CodingError) in
                        let values = try reader.column(&run)
                        for index in values.indices where matches & 1 &<< UInt64(index) != 0 {
                            withKeyBytes(of: values[index]) { component in
                                bytes.append(component, to: index)
                            }
                        }
                    }
                ))
        }
    }

    func property() throws -> StoredProperty { try source.get().property }

    func read(_ run: inout RecordRun, _ matches: UInt64, into bytes: inout SortBytes) throws(CodingError) {
        guard case .success(let source) = source else { return }
        bytes.isComplemented = isDescending
        try source.read(&run, matches, &bytes)
    }
}
