// Live objects under four threads, which do random steps on the same keys: edits, saves that succeed and saves that
// fail, drafts, deletes, new records, reverts, and writes without the objects. The order of the steps differs from run
// to run. So the model has only what holds in any order.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live objects under threads", .hangLimit) struct RandomLiveThreadTests {
    @Test func afterRandomStepsOfThreads_objectsShowWhatIsStored() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for run in 0..<(hasSanitizer ? 2 : 8) {
            let comment: Comment = "run \(run), TROVE_TEST_SEED=\(seed)"
            let model = try DutyModel()
            do {
                let threads = try model.run(seed: generator.next())
                try model.settle(using: &generator)
                let difference = try model.difference(threads)
                #expect(difference == nil, comment)
            } catch {
                Issue.record(error, comment)
            }
        }
    }
}

/// A record of which each thread edits a property of its own.
@IndexKeyRecord("id")
private struct Duty: Hashable {
    #Unique<Duty>(\.badge, collisions: .throw)

    let id: Int
    /// Incremented in transactions, and never by an object.
    var count: Int = 0
    var first: Int = 0
    var second: Int = 0
    var third: Int = 0
    var fourth: Int = 0
    var badge: String?
}

extension Duty {
    /// The keys of the records that are never deleted, and whose edits are never given up.
    static let kept = 0..<2
    /// The keys of the records that any step may concern.
    static let free = 2..<5
    /// The badge of a kept record. No other record can have it.
    static let takenBadge = "taken"

    init(id: Int, mark: Int, of thread: Int) {
        self.init(id: id)
        self[thread] = mark
    }

    /// The property that a thread edits.
    subscript(thread: Int) -> Int {
        get {
            switch thread {
            case 0: first
            case 1: second
            case 2: third
            default: fourth
            }
        }
        set {
            switch thread {
            case 0: first = newValue
            case 1: second = newValue
            case 2: third = newValue
            default: fourth = newValue
            }
        }
    }
}

/// Runs a step that may fail because of the steps of other threads.
private func tolerating(_ step: () throws -> Void) throws {
    do {
        try step()
    } catch is Stop {
        return
    } catch StoreError.record(.keyExists), StoreError.live(.recordGone), StoreError.live(.changedElsewhere),
        StoreError.record(.notUnique)
    {
        return
    }
}

/// The live objects of five records, which stay in use throughout.
private struct DutyModel {
    private let store: Store
    private let duties: [Live<Duty>]

    init() throws {
        let store = try Store.temporary(records: [Duty.self])
        self.store = store
        duties = try (0..<Duty.free.upperBound).map { key in
            try Duty.create(Duty(id: key, badge: key == 0 ? Duty.takenBadge : nil), in: store)
        }
    }

    /// Lets four threads run to their ends.
    func run(seed: UInt64) throws -> [DutyThread] {
        let threads = (0..<4).map { number in
            let thread = DutyThread(number, store, duties, SeededGenerator(seed: seed &+ UInt64(number)))
            return RunningThread { try thread.afterAllSteps() }
        }
        let ends = threads.map { thread in Result { try thread.value() } }
        return try ends.map { try $0.get() }
    }

    /// Saves or reverts what the threads have left unsaved.
    func settle(using generator: inout SeededGenerator) throws {
        for duty in duties where Duty.free.contains(duty.key) {
            if Bool.random(using: &generator) { try tolerating { try duty.save(resolving: .mine) } }
            duty.revert()
        }
        // The edits of the kept records can always be saved.
        try store.live.saveAllChanges()
        try store.live.refresh()
    }

    /// Returns a description of the first difference between the objects, the store and the threads; nil if they agree.
    func difference(_ threads: [DutyThread]) throws -> String? {
        let objects = store.live.objects(Duty.self)
        if Set(objects.map(\.key)).count != objects.count { return "several objects of a key" }
        for duty in duties where !objects.contains(duty) { return "\(duty.key): another object" }
        if store.live.unsavedCount != 0 { return "unsaved \(store.live.unsavedCount)" }
        for object in objects {
            let stored = try store.get(Duty.self, key: object.key)
            let shown = "\(object.key): \(object.value), isDeleted \(object.isDeleted)"
            if object.hasChanges || object.isDraft { return "\(shown), unsaved" }
            if object.isDeleted != (stored == nil) { return "\(shown), which is wrong" }
            if let stored, object.value != stored { return "\(shown), stored \(stored)" }
            let expected = stored == nil ? nil : object
            if try Duty.live(object.key, in: store) !== expected { return "\(shown), not found" }
        }
        for key in Duty.kept {
            guard let stored = try store.get(Duty.self, key: key) else { return "\(key): not stored" }
            for thread in threads where stored[thread.number] != thread.marks[key] {
                return "thread \(thread.number) has lost \(thread.marks[key]): \(stored)"
            }
            let count = threads.reduce(0) { $0 + $1.increments[key] }
            if stored.count != count { return "\(count) increments: \(stored)" }
        }
        return nil
    }
}

/// The steps of a thread, and what the thread knows about the kept records in any order of the threads.
private struct DutyThread {
    struct StepFailed: Error {
        let thread: Int
        let step: Int
        let error: any Error
    }

    struct OtherObject: Error {
        let key: Int
    }

    struct NotUndone: Error {
        let key: Int
    }

    struct NotStored: Error {
        let key: Int
    }

    let number: Int
    /// The last mark of the thread in each kept record.
    private(set) var marks = Duty.kept.map { _ in 0 }
    /// The number of committed increments of each kept record.
    private(set) var increments = Duty.kept.map { _ in 0 }
    private let store: Store
    private let duties: [Live<Duty>]
    private var generator: SeededGenerator
    /// The mark of the current step. Marks ascend.
    private var mark = 0

    init(_ number: Int, _ store: Store, _ duties: [Live<Duty>], _ generator: SeededGenerator) {
        self.number = number
        self.store = store
        self.duties = duties
        self.generator = generator
    }

    func afterAllSteps() throws -> DutyThread {
        var thread = self
        for step in 0..<(hasSanitizer ? 60 : 150) {
            do {
                try thread.step()
            } catch {
                throw StepFailed(thread: number, step: step, error: error)
            }
        }
        return thread
    }

    private mutating func step() throws {
        mark += 1
        let duty = duties[Int.random(in: duties.indices, using: &generator)]
        if Duty.kept.contains(duty.key) {
            try stepOnKept(duty)
        } else {
            try stepOnFree(duty)
        }
    }

    private func edit(_ duty: Live<Duty>) {
        let (number, mark) = (number, mark)
        duty.change { $0[number] = mark }
    }

    // MARK: Kept records

    private mutating func stepOnKept(_ duty: Live<Duty>) throws {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...3:
            marks[duty.key] = mark
            edit(duty)
        case 4: try duty.save()
        case 5:
            do {
                try duty.save(resolving: .throw)
            } catch StoreError.live(.changedElsewhere) {
                return
            }
        case 6:
            let store = store
            try tolerating { try store.live.saveAllChanges() }
        case 7: try store.live.refresh()
        default: try increment(duty)
        }
    }

    /// Increments the count of a kept record in a transaction, which may be undone. An object that is saved in an
    /// undone transaction would lose its edits.
    private mutating func increment(_ duty: Live<Duty>) throws {
        let isUndone = Int.random(in: 0..<3, using: &generator) == 0
        let isSaved = !isUndone && Bool.random(using: &generator)
        do {
            try store.write { context in
                if isSaved { try duty.save(in: context) }
                guard var stored = try context.get(Duty.self, key: duty.key) else { throw NotStored(key: duty.key) }
                stored.count += 1
                try context.insert(stored)
                if isUndone { throw Stop() }
            }
            increments[duty.key] += 1
        } catch is Stop {
            return
        }
    }

    // MARK: Free records

    private mutating func stepOnFree(_ duty: Live<Duty>) throws {
        switch Int.random(in: 0..<18, using: &generator) {
        case 0...2: edit(duty)
        case 3...6: try save(duty)
        case 7: try saveAndUndo(duty)
        case 8: try deleteAndUndo(duty)
        case 9: try createAndUndo()
        case 10: try duty.delete()
        case 11: duty.revert()
        case 12: try make(duty)
        case 13: try writeElsewhere(duty)
        case 14: try find(duty)
        case 15: try duty.refresh()
        case 16: try saveTakenBadge(duty)
        default: try store.live.refresh()
        }
    }

    /// Saves an object by any rule.
    private mutating func save(_ duty: Live<Duty>) throws {
        let kind = Int.random(in: 0..<5, using: &generator)
        try tolerating {
            switch kind {
            case 0...1: try duty.save()
            case 2: try duty.save(resolving: .mine)
            case 3: try duty.save(resolving: .theirs)
            default: try duty.save(resolving: .throw)
            }
        }
    }

    private func saveAndUndo(_ duty: Live<Duty>) throws {
        try tolerating {
            try store.write { context in
                edit(duty)
                try duty.save(in: context)
                throw Stop()
            }
        }
    }

    private func deleteAndUndo(_ duty: Live<Duty>) throws {
        try tolerating {
            try store.write { context in
                try duty.delete(in: context)
                throw Stop()
            }
        }
    }

    /// Creates an object under a key of this step alone, and undoes that.
    private func createAndUndo() throws {
        let key = 1000 * (number + 1) + mark
        var created: Live<Duty>?
        try tolerating {
            try store.write { context in
                created = try Duty.create(Duty(id: key), in: context)
                throw Stop()
            }
        }
        let stored = try store.get(Duty.self, key: key)
        guard let isDeleted = created?.isDeleted, isDeleted, stored == nil else { throw NotUndone(key: key) }
    }

    /// Makes a draft or a record for the key of an object. A deleted object shows it.
    private mutating func make(_ duty: Live<Duty>) throws {
        let new = Duty(id: duty.key, mark: mark, of: number)
        let store = store
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: try check(Duty.draft(new, in: store), is: duty)
        case 1: try tolerating { try check(Duty.create(new, in: store), is: duty) }
        default: try check(Duty.live(duty.key, in: store, orCreate: { new }), is: duty)
        }
    }

    /// Stores or deletes the record without its object.
    private mutating func writeElsewhere(_ duty: Live<Duty>) throws {
        if Bool.random(using: &generator) {
            try store.insert(Duty(id: duty.key, mark: mark, of: number))
        } else {
            try store.delete(Duty.self, key: duty.key)
        }
    }

    private func find(_ duty: Live<Duty>) throws {
        if let found = try Duty.live(duty.key, in: store) { try check(found, is: duty) }
    }

    private func check(_ found: Live<Duty>, is duty: Live<Duty>) throws {
        if found !== duty { throw OtherObject(key: duty.key) }
    }

    /// Tries to save a badge that another record has. The save fails, unless another thread reverts the edit first.
    private func saveTakenBadge(_ duty: Live<Duty>) throws {
        duty.badge = Duty.takenBadge
        try tolerating { try duty.save() }
        duty.revert()
    }
}
