// The expected contents of a store after a scripted run, derived from the outcome of each write.

import Foundation
import Trove
import TroveCrashWorker

/// The state of a store, as far as it is visible from outside.
struct StoreState: Hashable, Sendable {
    var contents = Contents()
    var sequence: UInt64 = 0
}

/// The possible states of a store, narrowed down by each line of a worker's output.
struct RunModel {
    private let script: Script
    private(set) var possible: Set<StoreState> = [StoreState()]
    private(set) var outcomes: Set<Outcome> = []
    /// The number of begun steps.
    private(set) var begun = 0
    private var ended = 0
    private(set) var failedOpenings = 0
    private(set) var failedCopies = 0
    private(set) var isReadable = true
    private(set) var isDone = false
    /// Observations impossible for a correct store.
    private(set) var contradictions: [String] = []

    init(_ script: Script) { self.script = script }

    mutating func read(_ line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        switch words.first {
        case "begun": begun += 1
        case "ended": end(script.steps[begun - 1], words.dropFirst(2).compactMap(Outcome.init))
        case "sees" where numbers.count == 2, "copied" where numbers.count == 2:
            let seen = possible.filter { $0.contents.digest == numbers[0] && $0.sequence == numbers[1] }
            if seen.isEmpty { contradictions.append("step \(begun - 1): \(line); possible: \(possible)") }
            possible = seen
        case "cannot" where words[1] == "open": failedOpenings += 1
        case "cannot" where words[1] == "copy": failedCopies += 1
        case "unreadable": isReadable = false
        case "done": isDone = true
        default: contradictions.append("\(line)")
        }
    }

    /// Notes that the worker was killed: any part of the step under way may have been committed.
    mutating func wasKilled() {
        guard begun > ended else { return }
        let step = script.steps[begun - 1]
        end(step, step.parts.map { _ in .unknown })
    }

    /// Verifies the store's file, opens it as the next process would, compares it, and writes to it. Returns the
    /// problems.
    func problems(reopening path: String) -> [String] {
        var problems: [String] = []
        do {
            if FileManager.default.fileExists(atPath: path) {
                problems += try Store.verify(path: path).findings.filter(\.isDamage).map { "\($0)" }
            }
            let store = try Store(path: path, options: StoreOptions(durability: .noSync, verifiesChecksums: true))
            let state = try StoreState(of: store)
            if !possible.contains(state) { problems.append("after reopening: \(state); possible: \(possible)") }
            try store.insert(LateRecord(number: -1, version: 1, body: Data()))
            if try store.get(LateRecord.self, key: -1) == nil { problems.append("a later write is lost") }
        } catch {
            problems.append("\(error)")
        }
        return problems
    }

    private mutating func end(_ step: Step, _ outcomes: [Outcome]) {
        guard outcomes.count == step.parts.count else {
            return contradictions.append("\(outcomes.count) outcomes of \(step.parts.count) writes")
        }
        ended = begun
        self.outcomes.formUnion(outcomes)
        var next: Set<StoreState> = []
        for committed in Self.possibleCommits(outcomes[...]) {
            for state in possible { next.formUnion(state.after(step, committed)) }
        }
        possible = next
    }

    /// Returns every choice of committed writes consistent with the outcomes.
    private static func possibleCommits(_ outcomes: ArraySlice<Outcome>) -> [[Bool]] {
        guard let last = outcomes.last else { return [[]] }
        let choices: [Bool] =
            switch last {
            case .acknowledged, .unknownCommitted: [true]
            case .absent, .full, .unknownAbsent: [false]
            case .unknown: [false, true]
            }
        return possibleCommits(outcomes.dropLast()).flatMap { before in choices.map { before + [$0] } }
    }
}

extension StoreState {
    /// Reads the state of a store.
    init(of store: Store) throws {
        self.init(
            contents: try store.read { context in try Contents(in: context) }, sequence: try store.commitSequence)
    }

    /// Returns the states after a step with only some of its writes committed. These writes share a single commit, or
    /// take several commits if the machine was so busy that the group was closed before all writes had joined.
    fileprivate func after(_ step: Step, _ committed: [Bool]) -> [StoreState] {
        var next = self
        var changing = 0
        for (changes, isCommitted) in zip(step.parts, committed) where isCommitted {
            next.contents.make(changes)
            if changes.contains(where: \.hasEffect) { changing += 1 }
        }
        guard changing > 0 else { return [next] }
        return (1...changing).map { StoreState(contents: next.contents, sequence: sequence + UInt64($0)) }
    }
}

extension Change {
    fileprivate var hasEffect: Bool {
        if case .nested(_, isKept: false) = self { false } else { true }
    }
}
