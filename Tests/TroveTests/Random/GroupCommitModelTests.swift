// Random writes in groups, compared with a dictionary to which they are applied in sequence.

import Foundation
import Testing
import Trove
import TroveTestSupport

private struct Deliberate: Error {}

/// A write of a few steps with nested writes. Each write may fail at its end.
private struct RandomWrite: Sendable {
    enum Step: Sendable {
        case insert(number: Int, size: Int)
        case delete(number: Int)
        case nested(RandomWrite)
    }

    var steps: [Step]
    var fails: Bool

    /// - Parameter depth: The maximum depth of nested writes.
    init(depth: Int = 2, using generator: inout SeededGenerator) {
        fails = Int.random(in: 0..<4, using: &generator) == 0
        steps = (0..<Int.random(in: 1..<6, using: &generator)).map { _ in
            let number = Int.random(in: 0..<200, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<3: return .insert(number: number, size: Int.random(in: 0..<100, using: &generator))
            // More than a page: the value has overflow pages.
            case 3: return .insert(number: number, size: Int.random(in: 4000..<20_000, using: &generator))
            case 4 where depth > 0: return .nested(RandomWrite(depth: depth - 1, using: &generator))
            default: return .delete(number: number)
            }
        }
    }

    static func note(_ number: Int, _ size: Int) -> String { String(repeating: "\(number % 10)", count: size) }

    func run(in context: TransactionContext) throws {
        for step in steps {
            switch step {
            case .insert(let number, let size):
                try context.insert(Tick(number: number, note: Self.note(number, size)))
            case .delete(let number):
                try context.delete(Tick.self, key: number)
            case .nested(let write):
                do { try context.nested { try write.run(in: $0) } } catch is Deliberate {}
            }
        }
        if fails { throw Deliberate() }
    }

    func apply(to model: inout [Int: String]) {
        var changed = model
        for step in steps {
            switch step {
            case .insert(let number, let size): changed[number] = Self.note(number, size)
            case .delete(let number): changed[number] = nil
            case .nested(let write): write.apply(to: &changed)
            }
        }
        if !fails { model = changed }
    }
}

@Suite("Group commit, compared with a model") struct GroupCommitModelTests {
    @Test func randomWrites_leaveWhatTheirOrderSays() async throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let line = try WriterLine()
        let verifying = try await Store(
            path: line.store.path, options: StoreOptions(durability: .noSync, verifiesChecksums: true))
        var model: [Int: String] = [:]
        for round in 0..<40 {
            let comment: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            let writes = (0..<Int.random(in: 1..<60, using: &generator)).map { _ in
                RandomWrite(using: &generator)
            }
            let results = await line.write(
                writes.map { write in
                    { context in
                        try write.run(in: context)
                        return []
                    }
                })
            #expect(results.map { $0.failed(with: Deliberate.self) } == writes.map(\.fails), comment)
            for write in writes { write.apply(to: &model) }
            let ticks = try await Tick.query().resolve(in: verifying)
            #expect(ticks == model.sorted { $0.key < $1.key }.map { Tick(number: $0.key, note: $0.value) }, comment)
        }
    }
}
