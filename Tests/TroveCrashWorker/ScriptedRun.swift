// Runs the script against a store, goes on after errors as a program would, and prints each outcome as a line:
//
//     cannot open REASON
//     cannot copy REASON
//     copied DIGEST SEQUENCE     the contents of a copy
//     begun STEP
//     ended STEP OUTCOME…        one outcome for each of its writes
//     sees DIGEST SEQUENCE       the contents that a read finds afterwards
//     unreadable REASON
//     done

import Foundation
import LMDB
import Trove

/// The outcome of a write, as known to the program that wrote.
package enum Outcome: String, Sendable {
    case acknowledged
    /// Certainly not committed.
    case absent
    /// Not committed, because the disk was full.
    case full
    /// Not known from the error, but from `commitSequence` afterwards.
    case unknownCommitted, unknownAbsent
    /// Not known, because `commitSequence` could not be read either.
    case unknown

    /// Derives the outcome from the error of a write, and from the store's commit sequence if the error leaves it open.
    init(_ error: any Error, in store: Store) {
        switch error as? StoreError {
        case .file(.diskFull): self = .full
        case .transaction(.commitFailed(_, .unknown, let sequence, _)):
            do {
                self = try store.commitSequence >= sequence ? .unknownCommitted : .unknownAbsent
            } catch {
                self = .unknown
            }
        default: self = .absent
        }
    }
}

struct ScriptedRun {
    let path: String
    let script: Script
    let durability: StoreOptions.Durability
    let busyTimeout: Duration?

    /// - Parameter arguments: The path, the seed, the durability, and the timeout of a write in seconds, or `ever`.
    init(_ arguments: [String]) throws {
        guard arguments.count == 4, let seed = UInt64(arguments[1]) else { throw WorkerError(arguments: arguments) }
        path = arguments[0]
        script = Script(seed: seed)
        durability = arguments[2] == "noMetaSync" ? .noMetaSync : .full
        busyTimeout = Int(arguments[3]).map { .seconds($0) }
    }

    func run() async throws {
        var store = try open()
        try see(store)
        for (index, step) in script.steps.enumerated() {
            if case .reopened = step.style {
                store = nil
                while isFileOpen() { await Task.yield() }
                store = try open()
            }
            guard let open = store else { break }
            if case .reopened = step.style { copy(open, compacting: index % 20 == 7) }
            say("begun \(index)")
            let outcomes = try await perform(step, on: open)
            say("ended \(index) " + outcomes.map(\.rawValue).joined(separator: " "))
            if try !see(open) { break }
        }
        store = nil
        say("done")
    }

    /// Opens the store with a map that is soon too small. Returns nil if the second attempt also fails.
    private func open() throws -> Store? {
        for _ in 0..<2 {
            do {
                let options = StoreOptions(mapSize: 1 << 18, durability: durability, busyTimeout: busyTimeout)
                return try Store(path: path, options: options)
            } catch let error as StoreError {
                say("cannot open \(error)")
            }
        }
        return nil
    }

    /// Copies the store, prints the contents of the copy, and removes it.
    private func copy(_ store: Store, compacting: Bool) {
        let destination = path + "-copy"
        do {
            try store.copy(to: destination, compacting: compacting)
            let copy = try Store(path: destination, options: StoreOptions(mapSize: 1 << 18))
            let contents = try copy.read { context in try Contents(in: context) }
            say("copied \(contents.digest) \(try copy.commitSequence)")
        } catch {
            say("cannot copy \(error)")
        }
        for suffix in ["", "-lock"] { unsafe unlink(destination + suffix) }
    }

    /// Whether this process still has the store's file open: the last task that wrote may not have released it.
    private func isFileOpen() -> Bool {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.contains { descriptor in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)) == path
        }
    }

    private func perform(_ step: Step, on store: Store) async throws -> [Outcome] {
        if case .together = step.style { return try await performTogether(step.parts, on: store) }
        return step.parts.map { changes in
            outcome(on: store) { try store.write { context in try context.make(changes) } }
        }
    }

    /// Queues the writes after a job that holds the turn, so that they share a commit.
    private func performTogether(_ parts: [[Change]], on store: Store) async throws -> [Outcome] {
        let writers = try Environment(
            path: path, options: EnvironmentOptions(durability: durability == .full ? .full : .noMetaSync)
        ).writers
        let mayEnd = DispatchSemaphore(value: 0)
        writers.enqueue { mayEnd.wait() }
        var tasks: [Task<Result<Void, any Error>, Never>] = []
        for changes in parts {
            let waiting = writers.count
            tasks.append(
                Task {
                    do {
                        return .success(try await store.write { context in try context.make(changes) })
                    } catch {
                        return .failure(error)
                    }
                })
            while writers.count == waiting { await Task.yield() }
        }
        mayEnd.signal()
        var outcomes: [Outcome] = []
        for task in tasks {
            let result = await task.value
            outcomes.append(outcome(on: store) { try result.get() })
        }
        return outcomes
    }

    private func outcome(on store: Store, of write: () throws -> Void) -> Outcome {
        do {
            try write()
            return .acknowledged
        } catch {
            return Outcome(error, in: store)
        }
    }

    /// Prints the contents found by a read, in at most two attempts. Returns whether a read succeeded.
    @discardableResult
    private func see(_ store: Store?) throws -> Bool {
        guard let store else { return false }
        var failure: StoreError?
        for _ in 0..<2 {
            do {
                let contents = try store.read { context in try Contents(in: context) }
                say("sees \(contents.digest) \(try store.commitSequence)")
                return true
            } catch let error as StoreError {
                failure = error
            }
        }
        say("unreadable \(failure.map { "\($0)" } ?? "")")
        return false
    }
}
