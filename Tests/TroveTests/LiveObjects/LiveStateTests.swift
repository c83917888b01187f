// The state of a live object where commits, rounds and errors come in an order that no test can arrange.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("The state of a live object") struct LiveStateTests {
    private typealias State = LiveState<Traveler>

    private let key = Traveler(id: 1).keyBytes

    private func found(_ name: String, _ age: Int) throws -> FoundRecord<Traveler> {
        try FoundRecord(Traveler(id: 1, name: name, age: age))
    }

    /// Changes a state as an object does.
    private func change(_ state: inout State, _ body: (inout State) throws -> Void) rethrows {
        try body(&state)
        state.compare(key, mayHaveNewKey: true)
        state.revision += 1
    }

    private func edited(_ state: State, to new: FoundRecord<Traveler>) -> State {
        var edited = state
        change(&edited) { $0.edit(state, to: new.record, new.bytes, changesRelations: false) }
        return edited
    }

    /// Returns a state that transaction 5 has saved, with `result` as the stored record.
    private func saved(_ state: State, _ result: FoundRecord<Traveler>?) -> State {
        var saved = state
        change(&saved) { state in
            var save = State.OpenSave(
                sent: state.bytes ?? [], result: result, transaction: 5, relationEdits: state.relationEdits)
            save.wasDeleted = state.isDeleted
            state.open = save
            state.isDeleted = result == nil
        }
        return saved
    }

    private func expect(
        _ state: State, _ value: FoundRecord<Traveler>, hasChanges: Bool = false, isDeleted: Bool = false,
        isDraft: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(state.value == value.record && state.bytes == value.bytes, sourceLocation: sourceLocation)
        #expect(state.hasChanges == hasChanges, sourceLocation: sourceLocation)
        #expect(state.isDeleted == isDeleted && state.isDraft == isDraft, sourceLocation: sourceLocation)
        #expect(state.open == nil, sourceLocation: sourceLocation)
    }

    // MARK: A round under a save

    /// A save by the rule `mine` has stored the whole object over a commit that the object sees only now.
    @Test func aCommitThatASaveHasOverwritten_leavesNoEdit() throws {
        let (mine, theirs) = (try found("mine", 1), try found("base", 2))
        var state = saved(edited(State(try found("base", 1), at: 1), to: mine), mine)
        change(&state) { $0.adopt(theirs, at: 3) }
        #expect(!state.hasChanges)
        var undone = state
        change(&state) { $0.adopt(mine, at: 5) }
        expect(state, mine)
        change(&undone) { $0.undo(to: nil, keepsEdits: true, key) }
        expect(undone, try found("mine", 2), hasChanges: true)
        change(&undone) { $0.revert(key) }
        expect(undone, theirs)
    }

    /// Another thread reverts the object while a save is under way that fails.
    @Test func editsRevertedDuringASave_doNotReturnWhenItFails() throws {
        let (base, mine) = (try found("base", 1), try found("mine", 1))
        var state = saved(edited(State(base, at: 1), to: mine), mine)
        change(&state) { $0.revert(key) }
        var later = state
        change(&state) { $0.undo(to: nil, keepsEdits: true, key) }
        expect(state, base)
        later = edited(later, to: try found("mine", 7))
        change(&later) { $0.undo(to: nil, keepsEdits: true, key) }
        expect(later, try found("base", 7), hasChanges: true)
    }

    /// A round comes after the save's look at the object, and before the save is noted.
    @Test func aCommitSeenDuringASave_isNoEdit() throws {
        let (mine, theirs) = (try found("mine", 1), try found("base", 2))
        let seen = edited(State(try found("base", 1), at: 1), to: mine)
        var state = seen
        change(&state) { $0.adopt(theirs, at: 3) }
        change(&state) { state in
            state.open = State.OpenSave(
                sent: state.sent(mine.bytes, by: seen), result: mine, transaction: 5, relationEdits: 0)
        }
        #expect(!state.hasChanges)
        change(&state) { state in state.open.map { state.commit($0) } }
        expect(state, mine)
    }

    /// The save has merged with a commit that the object sees only now, and an edit comes after the save.
    @Test func aCommitThatASaveHasMerged_keepsLaterEdits() throws {
        let mine = try found("mine", 1)
        var state = saved(edited(State(try found("base", 1), at: 1), to: mine), try found("mine", 2))
        state = edited(state, to: try found("later", 1))
        change(&state) { $0.adopt(try? found("base", 2), at: 3) }
        #expect(state.hasChanges)
        change(&state) { state in state.open.map { state.commit($0) } }
        expect(state, try found("later", 2), hasChanges: true)
    }

    /// A save has stored a record again whose delete the object sees only now.
    @Test func aDeleteThatASaveHasOverwritten_isForgottenByTheCommit() throws {
        let mine = try found("mine", 1)
        var state = saved(edited(State(try found("base", 1), at: 1), to: mine), mine)
        change(&state) { $0.adopt(nil, at: 3) }
        #expect(!state.isDeleted)
        var undone = state
        change(&state) { state in state.open.map { state.commit($0) } }
        expect(state, mine)
        change(&undone) { $0.undo(to: nil, keepsEdits: true, key) }
        expect(undone, mine, hasChanges: true, isDeleted: true)
    }

    // MARK: A commit of unknown outcome

    /// What the object shows after the error, and after a round that finds the changes stored, or not.
    private func afterUnknownOutcome(
        of state: State, keepsEdits: Bool = true, stored: FoundRecord<Traveler>?, or old: FoundRecord<Traveler>?
    ) -> (failed: State, stored: State, lost: State) {
        var failed = state
        change(&failed) { $0.undo(to: nil, keepsEdits: keepsEdits, key) }
        var (after, lost) = (failed, failed)
        change(&after) { $0.adopt(stored, at: 5) }
        change(&lost) { $0.adopt(old, at: 5) }
        return (failed, after, lost)
    }

    @Test func anEdit_isKept_untilItIsFoundStored() throws {
        let (base, mine) = (try found("base", 1), try found("mine", 1))
        let state = saved(edited(State(base, at: 1), to: mine), mine)
        let ends = afterUnknownOutcome(of: state, stored: mine, or: base)
        expect(ends.failed, mine, hasChanges: true)
        expect(ends.stored, mine)
        expect(ends.lost, mine, hasChanges: true)
    }

    @Test func aDraft_isKept_untilItIsFoundStored() throws {
        let mine = try found("mine", 1)
        let ends = afterUnknownOutcome(of: saved(State(draft: mine.record), mine), stored: mine, or: nil)
        expect(ends.failed, mine, hasChanges: true, isDraft: true)
        expect(ends.stored, mine)
        expect(ends.lost, mine, hasChanges: true, isDraft: true)
    }

    @Test func aCreatedObject_isDeleted_untilItIsFoundStored() throws {
        let mine = try found("mine", 1)
        var state = saved(State(draft: mine.record), mine)
        state.open?.wasDeleted = true
        let ends = afterUnknownOutcome(of: state, keepsEdits: false, stored: mine, or: nil)
        expect(ends.failed, mine, isDeleted: true)
        expect(ends.stored, mine)
        expect(ends.lost, mine, isDeleted: true)
    }

    @Test func aDelete_isUndone_untilItIsFoundDone() throws {
        let base = try found("base", 1)
        let ends = afterUnknownOutcome(of: saved(State(base, at: 1), nil), stored: nil, or: base)
        expect(ends.failed, base)
        expect(ends.stored, base, isDeleted: true)
        expect(ends.lost, base)
    }
}
