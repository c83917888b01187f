// Selects single properties of the matches of a query. Other properties are not decoded.

import LMDB
import TroveCoding

extension Query {
    /// Returns a request for a property of the matching records, in the query's order. Other properties are not
    /// decoded.
    ///
    /// ```swift
    /// let ages = try Person.query(lastName: "Dallas").select(\.age).resolve(in: store)
    /// for try await names in User.filter(\.age >= 18).select(\.name).values(in: store) { show(names) }
    /// ```
    ///
    /// Without an order, observed values are those of the records in key order. A change of other properties is not
    /// reported.
    ///
    /// - Parameter property: A stored property.
    /// - Returns: A request, which throws ``StoreError/QueryError/notStored(type:property:)`` for a computed or nested
    ///   property.
    @inlinable
    public func select<Value: Sendable>(_ property: KeyPath<Record, Value>) -> PropertyRequest<Record, Value> {
        PropertyRequest(self, property)
    }

    /// Returns a request for several properties of the matching records, in the query's order. Other properties are not
    /// decoded.
    ///
    /// ```swift
    /// for (name, age) in try User.filter(\.age >= 18).select(\.name, \.age).resolve(in: store) { print(name, age) }
    /// ```
    ///
    /// - Parameters:
    ///   - first: A stored property.
    ///   - second: A second stored property.
    ///   - rest: Further stored properties.
    /// - Returns: A request, which throws ``StoreError/QueryError/notStored(type:property:)`` for a computed or nested
    ///   property.
    @inlinable
    public func select<First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>, _ rest: repeat KeyPath<Record, each Rest>
    ) -> PropertiesRequest<Record, First, Second, repeat each Rest> {
        PropertiesRequest(of: first, second, repeat each rest, in: self)
    }

    /// Returns a property of each matching record, in the query's order.
    @inlinable
    func values<Value: Sendable>(of property: KeyPath<Record, Value>, in context: ReadContext) throws -> [Value] {
        var values: [Value] = []
        let reader = try Record.reader(of: property)
        if let keyScan {
            try project(keyScan, in: context) { run throws(CodingError) in
                try reader.read(&run, into: &values)
            } migrated: { record in
                values.append(record[keyPath: property])
            }
            return values
        }
        try context.logged(self) { trace in
            guard let run = try QueryRun(self, in: context, for: .records, trace: &trace) else { return }
            if run.sorts {
                values = try run.sortedValues(reader, context)
            } else {
                try run.forEachValue(reader, context) { values.append($0) }
            }
        }
        return values
    }

    /// Returns several properties of each matching record, in the query's order.
    @inlinable
    func values<First: Sendable, Second: Sendable, each Rest: Sendable>(
        of first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>, in context: ReadContext
    ) throws -> [(First, Second, repeat each Rest)] {
        let firstReader = try Record.reader(of: first)
        let secondReader = try Record.reader(of: second)
        let restReaders = (repeat try Record.reader(of: each rest))
        if let keyScan {
            var values: [(First, Second, repeat each Rest)] = []
            try project(keyScan, in: context) { run throws(CodingError) in
                let firsts = try firstReader.column(&run)
                let seconds = try secondReader.column(&run)
                let rests = (repeat try (each restReaders).column(&run))
                for index in firsts.indices {
                    values.append((firsts[index], seconds[index], repeat (each rests)[index]))
                }
            } migrated: { record in
                values.append((record[keyPath: first], record[keyPath: second], repeat record[keyPath: each rest]))
            }
            return values
        }
        return try context.logged(self) { trace in
            guard let run = try QueryRun(self, in: context, for: .records, trace: &trace) else { return [] }
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

    /// Calls a closure with a property of each record, in no particular order.
    @inlinable
    func forEachValue<Value: Sendable>(
        of property: KeyPath<Record, Value>, in context: ReadContext, _ body: (Value) throws -> Void
    ) throws {
        let query = try unsorted()
        let reader = try Record.reader(of: property)
        try context.logged(self) { trace in
            guard let run = try QueryRun(query, in: context, for: .records, trace: &trace) else { return }
            guard run.sorts else { return try run.forEachValue(reader, context, body) }
            // The order decides which records belong to a page.
            for value in try run.sortedValues(reader, context) { try body(value) }
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
