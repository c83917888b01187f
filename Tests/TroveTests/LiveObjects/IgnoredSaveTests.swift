// Live objects of a type whose rule of unique values leaves a record unsaved: that is an error for them.

import LMDB
import Testing

@testable import Trove

@IndexKeyRecord("id")
private struct Keycard: Equatable {
    #Unique<Keycard>(\.email, collisions: .ignore)

    let id: Int
    var email: String
    var count: Int = 0
}

@IndexKeyRecord("id")
private struct Permit: Equatable {
    #Unique<Permit>(\.email, collisions: .ignore)

    let id: AutoID
    var email: String
}

@Suite("Live objects that a collision rule ignores", .hangLimit) struct IgnoredSaveTests {
    private let store: Store
    private let other: Live<Keycard>

    init() throws {
        store = try Store.temporary(records: [Keycard.self, Permit.self])
        other = try Keycard.create(Keycard(id: 1, email: "taken"), in: store)
    }

    /// The error for a record with the email of the first one.
    private func refusal(_ key: Int) -> StoreError {
        StoreError.record(
            .notUnique(
                type: "Keycard", index: "unique(email)", key: StoredKey(key, of: Keycard.self),
                existing: StoredKey(1, of: Keycard.self)))
    }

    @Test func create_throws() async throws {
        #expect(throws: refusal(2)) { try Keycard.create(Keycard(id: 2, email: "taken"), in: store) }
        await #expect(throws: refusal(2)) { try await Keycard.create(Keycard(id: 2, email: "taken"), in: store) }
        try await store.write { context in
            #expect(throws: refusal(2)) { try Keycard.create(Keycard(id: 2, email: "taken"), in: context) }
        }
        #expect(try await Keycard.query().count(in: store) == 1)
    }

    @Test func orCreate_throws_insteadOfTryingAgain() async throws {
        #expect(throws: refusal(2)) { try Keycard.live(2, in: store) { Keycard(id: 2, email: "taken") } }
        await #expect(throws: refusal(2)) { try await Keycard.live(2, in: store) { Keycard(id: 2, email: "taken") } }
    }

    @Test func createWithANewID_throws_insteadOfTakingAnother() async throws {
        let permit = try await Permit.create(in: store) { Permit(id: $0, email: "taken") }
        let calls = Monitor(0)
        let refused: @Sendable (any Error) -> Bool = { error in
            guard case StoreError.record(.notUnique("Permit", "unique(email)", _, let existing)) = error else {
                return false
            }
            return existing == StoredKey(permit.id, of: Permit.self)
        }
        let make: @Sendable (AutoID) -> Permit = { id in
            calls.withLock { $0 += 1 }
            return Permit(id: id, email: "taken")
        }
        #expect { try Permit.create(in: store, make) } throws: { refused($0) }
        await #expect { try await Permit.create(in: store, make) } throws: { refused($0) }
        try await store.write { context in
            #expect { try Permit.create(in: context, make) } throws: { refused($0) }
        }
        #expect(calls.withLock { $0 } == 3)
    }

    @Test func aSave_throws_andKeepsTheEdits() async throws {
        let keycard = try await Keycard.create(Keycard(id: 2, email: "free"), in: store)
        (keycard.count, keycard.email) = (77, "taken")
        #expect(throws: refusal(2)) { try keycard.save() }
        await #expect(throws: refusal(2)) { try await keycard.save(resolving: .mine) }
        #expect(throws: refusal(2)) { try store.live.saveAllChanges() }
        try await store.write { context in
            #expect(throws: refusal(2)) { try keycard.save(in: context) }
            try context.insert(Keycard(id: 3, email: "third"))
        }
        #expect(keycard.value == Keycard(id: 2, email: "taken", count: 77) && keycard.hasChanges)
        #expect(try await store.get(Keycard.self, key: 2) == Keycard(id: 2, email: "free"))
        keycard.email = "other"
        try await keycard.save()
        #expect(try await store.get(Keycard.self, key: 2) == Keycard(id: 2, email: "other", count: 77))
    }

    @Test func aDraft_staysADraft() throws {
        let draft = Keycard.draft(Keycard(id: 2, email: "taken"), in: store)
        #expect(throws: refusal(2)) { try draft.save() }
        #expect(draft.isDraft && !draft.isDeleted && store.live.unsavedCount == 1)
        draft.email = "free"
        try draft.save()
        #expect(!draft.isDraft && store.live.unsavedCount == 0)
    }

    @Test func autosave_reportsIt_andSavesTheOthers() async throws {
        let failures = store.live.failures
        let keycard = try await Keycard.create(Keycard(id: 2, email: "free"), in: store)
        let third = try await Keycard.create(Keycard(id: 3, email: "third"), in: store)
        keycard.email = "taken"
        third.count = 5
        store.live.autosaveDelay = .zero
        var iterator = failures.makeAsyncIterator()
        let failure = await iterator.next()
        #expect(failure?.object === keycard && failure?.error as? StoreError == refusal(2))
        #expect(keycard.hasChanges && keycard.email == "taken")
        #expect(try await store.get(Keycard.self, key: 3)?.count == 5)
        store.live.autosaveDelay = nil
        keycard.revert()
    }
}
