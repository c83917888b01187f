// A property in the sort order of queries, for a key path such as `\.age` or `\.age.desc`.

import LMDB
import TroveCoding

/// A property to sort records by, in the direction of its key path.
@usableFromInline
final class SortProperty: Sendable {
    /// Appends the sort bytes of the property for each record of a run whose bit is set.
    typealias Read = @Sendable (inout RecordRun, _ matches: UInt64, inout SortBytes) throws(CodingError) -> Void

    let property: StoredProperty
    let isDescending: Bool
    let read: Read

    private init(_ property: StoredProperty, isDescending: Bool, read: @escaping Read) {
        self.property = property
        self.isDescending = isDescending
        self.read = read
    }

    /// Creates the sort property of a stored property.
    convenience init<Value: KeyComponent>(_ reader: PropertyReader<Value>, isDescending: Bool = false) {
        if reader.isInKey {
            self.init(reader.property, isDescending: isDescending) { (run, matches, bytes) throws(CodingError) in
                try reader.forEachBytes(&run) { index, component in
                    if matches & 1 &<< UInt64(index) != 0 { bytes.append(component, to: index) }
                }
            }
        } else {
            self.init(reader.property, isDescending: isDescending) { (run, matches, bytes) throws(CodingError) in
                let values = try reader.column(&run)
                for index in values.indices where matches & 1 &<< UInt64(index) != 0 {
                    withKeyBytes(of: values[index]) { component in
                        bytes.append(component, to: index)
                    }
                }
            }
        }
    }
}

extension IndexKeyRecord {
    /// Returns the sort property of a key path: a stored property, or `desc` of one.
    ///
    /// - Throws: ``StoreError/QueryError/notStored(type:property:)``.
    static func sortProperty<Value: KeyComponent>(
        of path: KeyPath<Self, Value>
    ) throws(StoreError) -> SortProperty {
        let schema = schema
        return try schema.sortProperties.value(of: path) { () throws(StoreError) in
            if let type = Value.self as? any DescendingComponent.Type,
                let property = try type.sortProperty(of: path, in: schema)
            {
                return property
            }
            return SortProperty(try reader(of: path))
        }
    }
}

/// ``Descending`` without the type of its value.
private protocol DescendingComponent {
    /// Returns the sort property of a key path that ends with `desc` of a stored property; otherwise nil.
    static func sortProperty<Record: IndexKeyRecord, Value>(
        of path: KeyPath<Record, Value>, in schema: RecordSchema
    ) throws(StoreError) -> SortProperty?
}

extension Descending: DescendingComponent where Base: KeyComponent {
    fileprivate static func sortProperty<Record: IndexKeyRecord, Value>(
        of path: KeyPath<Record, Value>, in schema: RecordSchema
    ) throws(StoreError) -> SortProperty? {
        for candidate in schema.paths {
            guard let base = candidate as? KeyPath<Record, Base>, base.appending(path: \.desc) == path else { continue }
            return SortProperty(try Record.reader(of: base), isDescending: true)
        }
        return nil
    }
}
