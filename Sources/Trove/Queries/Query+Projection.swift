// Selects single properties of the matches of a query. Other properties are not decoded.

import LMDB
import TroveCoding

extension Query {
    /// Returns a property of each matching record. Other properties are not decoded.
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
        var values: [Value] = []
        let reader = try Record.reader(of: property)
        try source.reading { context in
            try context.logged(self) { trace in
                guard let run = try QueryRun(self, context, .records, &trace) else { return }
                if run.sorts {
                    values = try run.sortedValues(reader, context)
                } else {
                    try run.forEachValue(reader, context) { values.append($0) }
                }
            }
        }
        return values
    }

    /// Calls a closure with a property of each record, in no particular order.
    @inlinable
    func forEachValue<Value: Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable, _ body: (Value) throws -> Void
    ) throws {
        let query = try unsorted()
        let reader = try Record.reader(of: property)
        try source.reading { context in
            try context.logged(self) { trace in
                guard let run = try QueryRun(query, context, .records, &trace) else { return }
                guard run.sorts else { return try run.forEachValue(reader, context, body) }
                // The order decides which records belong to a page.
                for value in try run.sortedValues(reader, context) { try body(value) }
            }
        }
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
        return try source.reading { context in
            try context.logged(self) { trace in
                guard let run = try QueryRun(self, context, .records, &trace) else { return [] }
                return try run.collect(context, readsProperties: true) { matches, index, table in
                    try matches.read(index, table) { run throws(CodingError) in
                        (
                            try firstReader.column(&run)[0], try secondReader.column(&run)[0],
                            repeat try (each restReaders).column(&run)[0]
                        )
                    }
                }
            }
        }
    }
}

extension QueryRun {
    /// Returns a property of each match, in the query's order.
    @inlinable
    func sortedValues<Value>(_ reader: PropertyReader<Value>, _ context: ReadContext) throws -> [Value] {
        try collect(context) { matches, index, table in
            try matches.read(index, table) { run throws(CodingError) in try reader.column(&run)[0] }
        }
    }

    /// Calls a closure with a property of each match. The property is read for a batch of records at a time.
    @inlinable
    func forEachValue<Value>(
        _ reader: PropertyReader<Value>, _ context: ReadContext, _ body: (Value) throws -> Void
    ) throws {
        var scan = try scan(context, readsProperties: true)
        while var matches = try scan.next() {
            let column = try matches.readAll(table) { run throws(CodingError) in try reader.column(&run) }
            while let index = matches.popFirst() { try body(column[index]) }
        }
    }
}

extension Matches {
    /// Reads properties of a single record.
    @inlinable
    func read<Result>(
        _ index: Int, _ table: RecordTable, _ body: (inout RecordRun) throws(CodingError) -> Result
    ) throws -> Result {
        var run = run(at: index)
        do throws(CodingError) { return try body(&run) } catch { throw run.corrupted(table, error) }
    }

    /// Reads properties of all records of the batch, including records that do not match.
    @inlinable
    func readAll<Result>(
        _ table: RecordTable, _ body: (inout RecordRun) throws(CodingError) -> Result
    ) throws -> Result {
        var run = allRun
        do throws(CodingError) { return try body(&run) } catch { throw run.corrupted(table, error) }
    }

    @usableFromInline
    var allRun: RecordRun { RecordRun(batch) }
}
