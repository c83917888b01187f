// Saves and transactions of AutoDB.

import Foundation
import Testing
import Trove
import TroveSpellings

@IndexKeyRecord("id")
private struct Artist: Equatable {
    let id: Int
    var name: String = ""
    var integer: Int = 0
    var albums: [String] = []
}

@IndexKeyRecord("id")
private struct Album: Equatable {
    let id: Int
    var title: String
}

@Suite("Coming from AutoDB: saves")
struct LiveSavingTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Artist.self, Album.self]) }

    // MARK: Transactions

    /// The transaction of AutoDB's example. There is no token: the context is the transaction.
    @Test func anyError_rollsBack() async throws {
        let store = store
        var first: Live<Artist>?
        do {
            first = try await store.write { context in
                let first = try Artist.create(Artist(id: 1), in: context)
                first.integer = 2
                try first.save(in: context)
                #expect(first.integer == 2)
                #expect(try context.get(Artist.self, key: 1)?.integer == 2)
                // any error will cause rollback
                throw CancellationError()
            }
        } catch is CancellationError {}
        #expect(first == nil)
        #expect(try await Artist.query().count(in: store) == 0)
        #expect(try Artist.filter(\.integer == 2).live(in: store).isEmpty)
    }

    @Test func aRollback_showsTheOldState() throws {
        let artist = try Artist.create(Artist(id: 1, name: "Ines"), in: store)
        var created: Live<Artist>?
        #expect(throws: CancellationError.self) {
            try store.write { context in
                artist.name = "Tomo"
                try artist.save(in: context)
                created = try Artist.create(Artist(id: 2), in: context)
                throw CancellationError()
            }
        }
        #expect(artist.name == "Ines" && !artist.hasChanges)
        #expect(created?.isDeleted == true)
        #expect(try Artist.live(2, in: store) == nil)
    }

    /// Calls during a transaction need no token, and wait for nothing: they read the last commit.
    @Test func readsDuringATransaction_doNotWait() throws {
        let artist = try Artist.create(Artist(id: 1, integer: 1), in: store)
        try store.write { context in
            artist.integer = 2
            try artist.save(in: context)
            #expect(try Artist.get(in: store, id: 1)?.integer == 1)
            #expect(try Artist.get(in: context, id: 1)?.integer == 2)
        }
        #expect(try Artist.get(in: store, id: 1)?.integer == 2)
    }

    // MARK: Saving in bulk

    @Test func changes_areSavedTogether() async throws {
        let artists = try (0..<3).map { try Artist.create(Artist(id: $0), in: store) }
        let album = try await Album.create(Album(id: 1, title: "Tide"), in: store)
        for artist in artists { artist.name = "new" }
        album.title = "Fog"
        let commits = try store.commitSequence
        // Artist.saveChanges()
        try await Artist.saveChanges(in: store)
        #expect(try store.commitSequence == commits + 1)
        #expect(try await Artist.filter(\.name == "new").count(in: store) == 3)
        #expect(try await Album.get(in: store, id: 1)?.title == "Tide" && album.hasChanges)
        // AutoDBManager.shared.saveAllChanges()
        try await store.live.saveAllChanges()
        #expect(try await Album.get(in: store, id: 1)?.title == "Fog")
        // Nothing has changed: nothing is written.
        try await store.live.saveAllChanges()
        #expect(try store.commitSequence == commits + 2)
    }

    /// `didSet { didSet(oldValue) }` is not needed: a property that is set to another value is a change, and a
    /// property that is set back is none.
    @Test func changes_areFound() throws {
        let artist = try Artist.create(Artist(id: 1, name: "Ines"), in: store)
        artist.name = "Ines"
        #expect(!artist.hasChanges)
        artist.albums.append("Tide")
        #expect(artist.hasChanges && store.live.unsavedCount == 1)
        artist.albums = []
        #expect(!artist.hasChanges && store.live.unsavedCount == 0)
    }

    /// `artist.didChange()` is only for a change that no setter sees. Without a change, it marks nothing.
    @Test func didChange_marksWhatHasChanged() async throws {
        let artist = try await Artist.create(Artist(id: 1, name: "Ines"), in: store)
        artist.didChange()
        #expect(!artist.hasChanges)
        artist.name = "Tomo"
        artist.didChange()
        try await Artist.saveChanges(in: store)
        #expect(try await Artist.get(in: store, id: 1)?.name == "Tomo")
    }

    @Test func objectsThatWait_areKeptAlive() async throws {
        weak var artist: Live<Artist>?
        do {
            let made = try await Artist.create(Artist(id: 1), in: store)
            made.name = "Ines"
            artist = made
        }
        #expect(artist != nil)
        try await store.live.saveAllChanges()
        #expect(try await Artist.get(in: store, id: 1)?.name == "Ines")
    }

    @Test func aSave_withAnError_keepsTheChange() throws {
        let artist = try Artist.create(Artist(id: 1), in: store)
        try store.delete(Artist.self, key: 1)
        artist.name = "Ines"
        #expect(throws: StoreError.self) { try artist.save() }
        #expect(artist.hasChanges && artist.name == "Ines")
        try artist.save(resolving: .mine)
        #expect(try Artist.get(in: store, id: 1)?.name == "Ines")
    }

    @Test func anObject_deletesItself() throws {
        let artist = try Artist.create(Artist(id: 1), in: store)
        try artist.delete()
        #expect(artist.isDeleted)
        #expect(try Artist.query().count(in: store) == 0)
    }
}
