// The progress of checks and verifications, and their end on request.

import Dispatch
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Progress of checks", .hangLimit) struct CheckProgressTests {
    private struct Enough: Error {}

    private let file: MigratedFile
    private let store: Store

    init() throws {
        file = try MigratedFile()
        store = try file.open(Crew.Indexed.self)
        try store.insert(contentsOf: Crew.indexed(0..<1_000))
    }

    /// Cancels a task during the progress of its work.
    private func resultWhenCancelled<R: Sendable>(
        _ work: @escaping @Sendable (_ progress: @escaping @Sendable (Int, Int) -> Void) async throws -> R
    ) async -> Result<R, any Error> {
        let reached = Latest<Int>()
        let gate = DispatchSemaphore(value: 0)
        let task = Task {
            try await work { done, _ in
                if reached.values.isEmpty {
                    reached.add(done)
                    gate.wait()
                }
            }
        }
        await reached.wait { !$0.isEmpty }
        task.cancel()
        gate.signal()
        return await task.result
    }

    @Test func aCheck_reportsItsRecords() throws {
        var steps: [(done: Int, total: Int)] = []
        let differences = try store.check { steps.append(($0, $1)) }
        #expect(differences.isEmpty)
        #expect(steps.count > 3 && steps.last.map { $0.done == $0.total && $0.total >= 1_000 } == true)
        #expect(steps.map(\.done) == steps.map(\.done).sorted() && steps.allSatisfy { $0.done <= $0.total })
        #expect(throws: Enough.self) { _ = try store.check { _, _ in throw Enough() } }
        #expect(throws: Enough.self) { _ = try store.check(Crew.Indexed.self) { _, _ in throw Enough() } }
    }

    @Test func aCheckOfAnIndex_comparesNoOther() throws {
        for name in ["index(age)", "index(name,age desc)"] {
            let index = try store.storedIndex(Crew.prefix, name)
            try store.remove(try store.entries(of: index)[5], from: index)
        }
        let type = try store.storedType(Crew.prefix)
        for name in ["index(age)", "index(name,age desc)"] {
            #expect(try store.check(Crew.Indexed.self, index: name).map(\.index) == [name])
            let check = try store.read { try $0.checkStoredIndexes(of: type, index: name) }
            #expect(check.indexes.map(\.index) == [name])
            #expect(check.differences.map(\.index) == [name])
        }
        #expect(try store.check(Crew.Indexed.self, index: "unique(email)").isEmpty)
        #expect(try store.check().count == 2)
        let error = storeError { _ = try store.check(Crew.Indexed.self, index: "index(size)") }
        guard case .schema(.noSuchIndex(_, "index(size)", let indexes))? = error, indexes.count == 4 else {
            Issue.record("\(String(describing: error))")
            return
        }
        let other = storeError { _ = try store.read { try $0.checkStoredIndexes(of: type, index: "age") } }
        guard case .schema(.noSuchIndex(_, "age", _))? = other else {
            Issue.record("\(String(describing: other))")
            return
        }
    }

    /// The entries of the index are compared, too: the total grows.
    @Test func entriesWithoutRecords_areCountedToo() throws {
        let index = try store.storedIndex(Crew.prefix, "index(age)")
        var entry = try store.entries(of: index)[7]
        entry.key[entry.key.count - 1] ^= 1
        entry.key[1] ^= 1
        try store.put(entry, into: index)
        let types = try store.read { try $0.storedTypes() }
        var steps: [(done: Int, total: Int)] = []
        let checks = try store.read { try $0.checkStoredIndexes(of: types) { steps.append(($0, $1)) } }
        #expect(checks.flatMap(\.differences).map(\.kind) == [.orphaned])
        #expect(steps.last.map { $0.total == 2_001 && $0.done == 2_001 } == true, "\(steps)")
    }

    @Test func aCancelledTask_endsItsCheck() async throws {
        let store = store
        for result in [
            await resultWhenCancelled { try await store.check(progress: $0) },
            await resultWhenCancelled { try await store.check(Crew.Indexed.self, progress: $0) },
        ] {
            guard case .failure(let error) = result, error is CancellationError else {
                Issue.record("\(result)")
                continue
            }
        }
        let type = try store.storedType(Crew.prefix)
        let stored = await resultWhenCancelled { progress in
            try await store.readLong { try $0.checkStoredIndexes(of: type, progress: progress) }
        }
        guard case .failure(let error) = stored, error is CancellationError else {
            Issue.record("\(stored)")
            return
        }
    }

    @Test func aVerification_reportsItsPages() throws {
        var steps: [(done: Int, total: Int)] = []
        let report = try Store.verify(path: file.path) { steps.append(($0, $1)) }
        #expect(report.isSound)
        #expect(steps.last.map { $0.done == $0.total } == true)
        #expect(throws: Enough.self) { _ = try Store.verify(path: file.path) { _, _ in throw Enough() } }
    }

    @Test func aCancelledTask_endsItsVerification() async throws {
        let path = file.path
        let result = await resultWhenCancelled { try await Store.verify(path: path, progress: $0) }
        guard case .failure(let error) = result, error is CancellationError else {
            Issue.record("\(result)")
            return
        }
    }

    @Test func theUseOfPages_endsOnRequest() async throws {
        let store = store
        let result = await resultWhenCancelled { progress in
            try await store.readLong { try $0.pageUsage(progress: progress).usage.pages }
        }
        guard case .failure(let error) = result, error is CancellationError else {
            Issue.record("\(result)")
            return
        }
    }
}
