// The scripted run: 30 transactions that use every kind of write to a file, the same for a store and its model.

import Trove
import TroveTestSupport

/// A change to a store or to its model.
package enum Change: Sendable {
    /// Inserts or replaces a record.
    case put(CrashKind, Int, version: Int)
    case remove(CrashKind, Int)
    case removeRange(CrashKind, Range<Int>)
    case removeAll(CrashKind)
    /// Changes in a nested transaction, which is kept or undone.
    case nested([Change], isKept: Bool)
}

/// A step of the run.
package struct Step: Sendable {
    package enum Style: Sendable {
        /// A synchronous write.
        case alone
        /// A synchronous write after the store was closed and opened again.
        case reopened
        /// Each part is an async write. All of them wait for the same turn, so that they share a commit.
        case together
    }

    package var style = Style.alone
    /// The changes of each write.
    package var parts: [[Change]]
}

/// The steps for a seed.
package struct Script: Sendable {
    package let steps: [Step]
    private var generator: SeededGenerator

    /// The number of steps in every script.
    package static let stepCount = 30

    /// Creates the script for a seed. Sizes and numbers are random; the kinds of the steps are fixed.
    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        var steps: [Step] = []
        for index in 0..<Self.stepCount {
            steps.append(Self.step(index, &generator))
        }
        self.steps = steps
    }

    private static func step(_ index: Int, _ generator: inout SeededGenerator) -> Step {
        func number(_ range: Range<Int>) -> Int { .random(in: range, using: &generator) }
        func put(_ kind: CrashKind, _ numbers: Range<Int>) -> Change {
            .put(kind, number(numbers), version: number(0..<10_000))
        }
        switch index % 10 {
        case 0:
            // Ascending numbers.
            let first = index * 100
            return Step(parts: [(0..<30).map { .put(.small, first + $0, version: number(0..<10_000)) }])
        case 1:
            return Step(parts: [[put(.large, 0..<8), put(.small, 0..<100)]])
        case 2:
            let kept: [Change] = [put(.small, 0..<3000), .nested([put(.late, 0..<50)], isKept: true)]
            let undone: [Change] = [put(.large, 0..<8), .removeAll(.small)]
            return Step(parts: [[.nested(kept, isKept: true), .nested(undone, isKept: false), put(.small, 0..<100)]])
        case 3:
            let removed = (0..<20).map { _ in Change.remove(.small, number(0..<3000)) }
            return Step(parts: [removed + [.remove(.large, number(0..<8)), put(.late, 0..<50)]])
        case 4:
            // Enough records that the map of the run must grow.
            let large = (0..<12).map { _ in put(.large, index..<(index + 30)) }
            return Step(parts: [large + (0..<60).map { _ in put(.small, 0..<3000) }])
        case 5:
            let start = number(0..<2000)
            return Step(parts: [[.removeRange(.small, start..<(start + 400)), put(.small, 0..<3000)]])
        case 6:
            return Step(style: .together, parts: (0..<3).map { _ in [put(.small, 0..<3000), put(.late, 0..<50)] })
        case 7:
            return Step(style: .reopened, parts: [[put(.late, 0..<50), .removeRange(.large, 6..<9)]])
        case 8:
            return Step(parts: [[.removeAll(.late), put(.small, 0..<100), put(.late, 0..<50)]])
        default:
            return Step(style: .together, parts: (0..<4).map { [.nested([put(.small, 0..<3000)], isKept: $0 != 2)] })
        }
    }
}

// MARK: Applying the changes

extension Contents {
    /// Applies the changes of a write to the model.
    package mutating func make(_ changes: [Change]) {
        for change in changes {
            switch change {
            case .put(let kind, let number, let version): self[kind][number] = version
            case .remove(let kind, let number): self[kind][number] = nil
            case .removeRange(let kind, let numbers): self[kind] = self[kind].filter { !numbers.contains($0.key) }
            case .removeAll(let kind): self[kind] = [:]
            case .nested(let changes, let isKept): if isKept { make(changes) }
            }
        }
    }
}

extension TransactionContext {
    private struct Undone: Error {}

    /// Applies the changes of a write to the store.
    func make(_ changes: [Change]) throws {
        for change in changes {
            switch change {
            case .put(let kind, let number, let version): try put(kind.type, number, version)
            case .remove(let kind, let number): try remove(kind.type, number..<(number + 1))
            case .removeRange(let kind, let numbers): try remove(kind.type, numbers)
            case .removeAll(let kind): try removeAll(kind.type)
            case .nested(let changes, let isKept):
                do {
                    try nested { context in
                        try context.make(changes)
                        if !isKept { throw Undone() }
                    }
                } catch is Undone {
                    continue
                }
            }
        }
    }

    private func put<Record: CrashRecord>(_ type: Record.Type, _ number: Int, _ version: Int) throws {
        try insert(Record(number: number, version: version))
    }

    private func remove<Record: CrashRecord>(_ type: Record.Type, _ numbers: Range<Int>) throws {
        try Record.query(in: numbers).delete(in: self)
    }

    private func removeAll<Record: CrashRecord>(_ type: Record.Type) throws {
        try Query<Record>().delete(in: self)
    }
}
