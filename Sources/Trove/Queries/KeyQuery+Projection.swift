// Selects single properties of the matches of a key query. Other properties are not decoded.

import LMDB
import TroveCoding

extension KeyQuery {
    /// Returns a property of each matching record. Other properties are not decoded.
    ///
    /// ```swift
    /// let ages = try Person.query(lastName: "Dallas").select(\.age, in: store)
    /// ```
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/notStored(type:property:)`` for a computed or nested property.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func select<Value: Sendable>(
        _ property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> [Value] {
        let reader = try Record.reader(of: property)
        var values: [Value] = []
        try project(in: source) { run throws(CodingError) in
            try reader.read(&run, into: &values)
        } migrated: { record in
            values.append(record[keyPath: property])
        }
        return values
    }

    /// Returns several properties of each matching record. Other properties are not decoded.
    ///
    /// - Parameters:
    ///   - first: A stored property.
    ///   - second: A second stored property.
    ///   - rest: Further stored properties.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/notStored(type:property:)`` for a computed or nested property.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func select<First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>, in source: some RecordReadable
    ) throws -> [(First, Second, repeat each Rest)] {
        let firstReader = try Record.reader(of: first)
        let secondReader = try Record.reader(of: second)
        let restReaders = (repeat try Record.reader(of: each rest))
        var values: [(First, Second, repeat each Rest)] = []
        try project(in: source) { run throws(CodingError) in
            let firsts = try firstReader.column(&run)
            let seconds = try secondReader.column(&run)
            let rests = (repeat try (each restReaders).column(&run))
            for index in firsts.indices {
                values.append((firsts[index], seconds[index], repeat (each rests)[index]))
            }
        } migrated: { record in
            values.append(
                (record[keyPath: first], record[keyPath: second], repeat record[keyPath: each rest]))
        }
        return values
    }

    /// Scans the records in runs of the current layout. A record of an older layout is decoded as a whole.
    @inlinable
    func project(
        in source: some RecordReadable, _ body: (inout RecordRun) throws(CodingError) -> Void,
        migrated: (Record) throws -> Void
    ) throws {
        if let failure { throw failure }
        try source.reading { context in
            try context.logged(Query(self)) { _ in
                guard let table = try context.table(for: Record.schema, reading: plan.ranges) else { return }
                var scan = try TableScan(context, table, plan, mayWrite: false)
                while let batch = try scan.next() {
                    var index = 0
                    while index < batch.count {
                        var run = try RecordRun(batch, from: index, table)
                        if run.count > 0 {
                            do throws(CodingError) { try body(&run) } catch { throw run.corrupted(table, error) }
                            index += run.count
                        } else {
                            try migrated(try Record.decode(batch[index], table))
                            index += 1
                        }
                    }
                }
            }
        }
    }
}
