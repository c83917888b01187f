// Statements of SQL for the peers of the SQL workloads, and the same by Trove's typed calls.

import Trove
import TroveSQL

/// A statement of SQL, and the same by Trove's typed queries.
struct Question: Sendable {
    /// The statement, with a `?` for each argument.
    let text: String
    /// The number of times that the statement is run.
    let runs: Int
    /// The arguments of each run.
    let arguments: @Sendable (_ run: Int) -> [SQLValue]
    /// Runs the statement by TroveSQL, and adds its rows.
    let ask: @Sendable (ReadContext, SQL, inout RowSum) throws -> Void
    /// Adds the rows of a run by typed queries; nil if there is no such query.
    private(set) var typed: (@Sendable (ReadContext, _ run: Int, inout RowSum) throws -> Void)?

    /// Creates a question whose rows have a single column.
    init<Value: SQLColumn & Addable>(
        _ text: String, as type: Value.Type, runs: Int = 1,
        arguments: @escaping @Sendable (Int) -> [SQLValue] = { _ in [] }
    ) {
        self.text = text
        self.runs = runs
        self.arguments = arguments
        ask = { context, sql, sum in
            try context.forEachRow(sql, as: Value.self) { value in
                sum.add(value)
                return .continue
            }
        }
    }

    /// Creates a question whose rows have several columns.
    init<First: SQLColumn & Addable, Second: SQLColumn & Addable, each Other: SQLColumn & Addable>(
        _ text: String, as type: (First, Second, repeat each Other).Type, runs: Int = 1,
        arguments: @escaping @Sendable (Int) -> [SQLValue] = { _ in [] }
    ) {
        self.text = text
        self.runs = runs
        self.arguments = arguments
        ask = { context, sql, sum in
            try context.forEachRow(sql, as: (First, Second, repeat each Other).self) {
                (first: First, second: Second, other: repeat each Other) in
                sum.add(first, second, repeat each other)
                return .continue
            }
        }
    }

    /// Returns the question with the same by typed queries.
    func typed(_ run: @escaping @Sendable (ReadContext, _ run: Int, inout RowSum) throws -> Void) -> Question {
        var question = self
        question.typed = run
        return question
    }
}

/// Statements that change a shop, and the same by Trove's typed calls. A run leaves the shop ready for the next one.
struct ShopChange: Sendable {
    /// The statements, which are run in a single transaction.
    let statements: [String]
    /// Does the same by typed calls, and returns the number of changed records; nil if there are no such calls.
    var typed: (@Sendable (TransactionContext) throws -> Int)?
}

/// A sum of rows, equal for rows in any order.
struct RowSum {
    private(set) var checksum = Checksum()
    private var rows: UInt64 = 0

    /// Adds a row.
    mutating func add<each Part: Addable>(_ part: repeat each Part) {
        var row = Checksum()
        repeat (each part).add(to: &row)
        rows &+= row.value
    }

    /// Adds a row by its checksum.
    mutating func add(_ row: Checksum) { rows &+= row.value }

    /// Adds the row of a customer, in the order of the properties.
    mutating func add(_ customer: Customer) {
        add(
            customer.id, customer.name, customer.age, customer.email, customer.city, customer.balance,
            customer.isActive)
    }

    /// Ends the rows of a run.
    mutating func endRun() {
        checksum.add(rows)
        rows = 0
    }
}

/// A part of a row in a ``RowSum``.
protocol Addable: Sendable {
    func add(to row: inout Checksum)
}

extension Int: Addable { func add(to row: inout Checksum) { row.add(self) } }
extension Int64: Addable { func add(to row: inout Checksum) { row.add(self) } }
extension Bool: Addable { func add(to row: inout Checksum) { row.add(self ? 1 : 0) } }
extension Double: Addable { func add(to row: inout Checksum) { row.add(bitPattern) } }
extension String: Addable { func add(to row: inout Checksum) { row.add(utf8.count) } }
