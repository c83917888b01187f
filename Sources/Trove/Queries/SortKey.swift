// What a query is sorted by.

import LMDB
import TroveCoding

/// A property by which records are sorted, and in which direction.
///
/// `sorted(by: \.lastName, \.firstName.desc)` makes them of key paths. Where the property is not known before the
/// program runs, make one by hand: `sorted(by: [SortKey(\User.age).desc])`.
public struct SortKey<Record: IndexKeyRecord>: Sendable {
    /// Appends what the property of each record of a run that a bit stands for sorts by.
    typealias Read = @Sendable (inout RecordRun, _ matches: UInt64, inout SortBytes) throws(CodingError) -> Void

    /// What is read; or why nothing can be.
    private let source: Result<(property: StoredProperty, read: Read), StoreError>
    private(set) var isDescending = false

    /// Sorts by a property, the least value first.
    @inlinable
    public init<Value: KeyComponent>(_ property: KeyPath<Record, Value>) {
        do throws(StoreError) {
            self.init(try Record.reader(of: property))
        } catch {
            self.init(error)
        }
    }

    /// The same, the greatest value first.
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

/// Where `sorted(by:)` looks for properties: `\.age` and `\.age.desc` are paths from here.
@dynamicMemberLookup
public struct SortProperties<Record: IndexKeyRecord>: Sendable {
    /// A property as something to sort by.
    @inlinable
    public subscript<Value: KeyComponent>(dynamicMember property: KeyPath<Record, Value>) -> SortKey<Record> {
        SortKey(property)
    }

    @usableFromInline
    init() {}
}

/// What the records of a run sort by, in bytes: the properties one behind the other, then the record's key. So ties are
/// in the order of the keys.
struct SortBytes {
    private(set) var rows: [[UInt8]] = Array(repeating: [], count: EntryBatch.capacity)
    var isComplemented = false

    mutating func removeAll() {
        for index in rows.indices { rows[index].removeAll(keepingCapacity: true) }
    }

    /// Appends bytes to those of a record, complemented where greater values come first.
    mutating func append(_ bytes: ByteView, to index: Int) {
        let start = rows[index].count
        bytes.append(to: &rows[index])
        guard isComplemented else { return }
        for place in start..<rows[index].count { rows[index][place] = ~rows[index][place] }
    }

    /// Reads what the records of a run that a bit stands for sort by.
    mutating func read<Record>(
        _ run: inout RecordRun, _ matches: UInt64, _ keys: [SortKey<Record>]
    ) throws(CodingError) {
        removeAll()
        for key in keys { try key.read(&run, matches, into: &self) }
        isComplemented = false
        for index in 0..<run.count where matches & 1 &<< UInt64(index) != 0 {
            append(run.key(at: index), to: index)
        }
    }
}
