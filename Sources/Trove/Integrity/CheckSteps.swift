// The progress of a check: the records and entries compared so far.

import LMDB

/// The number of records and entries that a check has compared, and their total.
///
/// Not thread-safe: one thread checks.
final class CheckSteps {
    private var done = 0
    private var total = 0
    private let progress: (_ done: Int, _ total: Int) throws -> Void

    /// The number of steps between two reports.
    private static let stepsBetweenReports = 256

    /// - Parameter progress: Receives the number of steps done, and the total. An error ends the check.
    init(_ progress: @escaping (_ done: Int, _ total: Int) throws -> Void) { self.progress = progress }

    /// Adds steps to the total. The counts of a damaged file can be any numbers.
    func expect(_ count: Int) { total = total.addingClamped(max(0, count)) }

    /// Adds the records of a type to the total.
    func expectRecords(of schema: RecordSchema, in context: ReadContext) throws {
        try translatingErrors {
            guard let table = try context.table(for: schema) else { return }
            expect(try context.keyspace.count(table.database))
        }
    }

    /// Counts a step.
    ///
    /// - Throws: The error of the closure that receives the progress.
    func advance() throws {
        done += 1
        if done % Self.stepsBetweenReports == 0 { try progress(done, max(done, total)) }
    }

    /// Reports the end: all steps are done, also those after the last difference that is wanted.
    func end() throws {
        total = max(done, total)
        try progress(total, total)
    }
}
