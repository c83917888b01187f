// Tests of loading from async code: sequences of lines, progress, cancellation.

import Foundation
import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Loading in async code") struct AsyncLoadTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Tick.self]) }

    private static func rows(_ count: Int) -> [String] { ["number,note"] + (0..<count).map { "\($0),note \($0)" } }

    private func stream(_ lines: [String], failing error: (any Error)? = nil) -> AsyncThrowingStream<String, any Error>
    {
        AsyncThrowingStream { continuation in
            for line in lines { continuation.yield(line) }
            continuation.finish(throwing: error)
        }
    }

    private struct Broken: Error {}

    @Test func aSequence_isLoaded_withProgress() async throws {
        let seen = Mutex<[LoadProgress]>([])
        let report = try await store.load(.csv, from: Self.rows(2500), type: "Tick") { progress in
            seen.withLock { $0.append(progress) }
        }
        #expect(report.records == 2500)
        #expect(
            seen.withLock { $0 } == [
                LoadProgress(lines: 1000, records: 999), LoadProgress(lines: 2000, records: 1999),
                LoadProgress(lines: 2501, records: 2500),
            ])
        #expect(try await Tick.query().count(in: store) == 2500)
    }

    /// The last line is reported once, and a row of several lines does not jump over a report.
    @Test func eachStep_isReportedOnce() throws {
        let other = try Store.temporary(records: [Tick.self])
        func lines(of rows: [String]) throws -> [Int] {
            var lines: [Int] = []
            try other.load(.csv, from: rows, onConflict: .replace, type: "Tick") { lines.append($0.lines) }
            return lines
        }
        #expect(try lines(of: Self.rows(1999)) == [1000, 2000])
        // The rows end in the odd lines.
        let long = (0..<1200).flatMap { ["\($0),\"first", "second\""] }
        #expect(try lines(of: ["number,note"] + long) == [1001, 2001, 2401])
    }

    /// More lines than the channel holds, and parts of texts.
    @Test func anAsyncSequence_isLoaded() async throws {
        let report = try await store.load(.csv, from: stream(Self.rows(5000)), type: "Tick")
        #expect(report.records == 5000)
        let lines = try store.dump()
        let text = lines.joined(separator: "\n")
        let other = try await Store.temporary()
        try await other.load(from: text.split(separator: "\n"))
        #expect(try other.dump() == lines)
    }

    @Test func anErrorOfTheSequence_loadsNothing() async throws {
        let lines = Self.rows(3000)
        await #expect(throws: Broken.self) {
            try await store.load(.csv, from: stream(lines, failing: Broken()), type: "Tick")
        }
        #expect(try await Tick.query().count(in: store) == 0)
        try await store.insert(Tick(number: 1, note: "the store is not blocked"))
    }

    /// The sender does not wait for a reader that has ended.
    @Test func anErrorOfALine_endsTheLoad() async throws {
        let lines = ["number,note", "x,y"] + Self.rows(4000).dropFirst()
        let error = await #expect(throws: LoadError.self) {
            try await store.load(.csv, from: stream(lines), type: "Tick")
        }
        #expect(error?.line == 2)
    }

    @Test func aCancelledTask_loadsNothing() async throws {
        let (lines, continuation) = AsyncThrowingStream.makeStream(of: String.self)
        for line in Self.rows(2000) { continuation.yield(line) }
        let store = store
        let task = Task { try await store.load(.csv, from: lines, type: "Tick") }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        continuation.finish()
        #expect(try await Tick.query().count(in: store) == 0)
    }

    /// A sequence that does not end when its task is cancelled.
    private struct Rows: AsyncSequence, AsyncIteratorProtocol, Sendable {
        typealias Element = String

        var lines: ArraySlice<String>

        mutating func next() async -> String? { lines.popFirst() }

        func makeAsyncIterator() -> Rows { self }
    }

    /// The thread that receives the lines does not start. More lines than the channel holds do not wait for it.
    @Test(.timeLimit(.minutes(60))) func aTaskCancelledBeforeTheLoad_ends() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let lines = Rows(lines: Self.rows(5000)[...])
        let store = store
        let task = Task {
            for await _ in gate {}
            try await store.load(.csv, from: lines, type: "Tick")
        }
        task.cancel()
        opening.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await Tick.query().count(in: store) == 0)
        try await store.insert(Tick(number: 1, note: "the store is not blocked"))
    }
}
