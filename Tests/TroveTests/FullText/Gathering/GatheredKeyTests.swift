// The keys of gathered texts: those that are equal in Swift, and those that change while their texts are gathered.

import Testing

@testable import Trove

/// A record by a string, with text that is gathered in the transaction of its save.
@IndexKeyRecord("name")
private struct Placard {
    #FullTextIndex<Placard>(
        "Texts",
        gathering: { keys, context in
            var texts: [String: String] = [:]
            for placard in try context.get(Placard.self, keys: keys) { texts[placard.name] = placard.text }
            return texts
        })

    let name: String
    var text: String
}

/// A record by a string, with text that is gathered after the commit.
@IndexKeyRecord("name")
private struct Pennant {
    #FullTextIndex<Pennant>(
        "Texts",
        gathering: { keys, store in
            var texts: [String: String] = [:]
            for pennant in try await store.get(Pennant.self, keys: keys) { texts[pennant.name] = pennant.text }
            return texts
        })

    let name: String
    var text: String
}

/// A record that has a text only while a test says so.
@IndexKeyRecord("id")
private struct Fading {
    #FullTextIndex<Fading>("Texts", gathering: { keys, store in try await Fading.texts(keys) })

    let id: Int

    static func texts(_ keys: [Int]) async throws -> [Int: String] {
        if GatheredCalls.hook == nil { return [:] }
        try await GatheredCalls.pass(keys)
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, "text") })
    }
}

struct GatheredKeyTests {
    /// Two spellings of a name that are equal in Swift, and another name.
    private static let texts = [("\u{E9}", "one"), ("e\u{301}", "two"), ("plain", "three")]

    /// Returns the scalars of strings, which differ where the strings are equal.
    private func scalars(_ strings: [String]) -> [[Unicode.Scalar]] { strings.map { Array($0.unicodeScalars) } }

    /// Both records got the text of one of them.
    @Test func equalKeys_haveTheirOwnTexts() throws {
        let store = try Store.temporary(records: [Placard.self])
        try store.insert(contentsOf: Self.texts.map { Placard(name: $0, text: $1) })
        for (name, text) in Self.texts {
            let found = try Placard.matching(TextQuery(text)).keys(in: store)
            #expect(scalars(found) == scalars([name]), "\(text)")
        }
        #expect(try store.check(gathering: true) == [])
    }

    @Test func equalKeys_haveTheirOwnTexts_afterTheCommit() async throws {
        let store = try Store.quiet(Pennant.self)
        try await store.insert(contentsOf: Self.texts.map { Pennant(name: $0, text: $1) })
        #expect(try await store.gatherTexts(of: Pennant.self) == 3)
        for (name, text) in Self.texts {
            let found = try await Pennant.matching(TextQuery(text)).keys(in: store)
            #expect(scalars(found) == scalars([name]), "\(text)")
        }
        #expect(try await store.check(gathering: true) == [])
    }

    /// A record without a text was reported as stale if it was saved or deleted during the check.
    @Test func recordsThatChangeDuringACheck_areNotStale() async throws {
        let store = try Store.quiet(Fading.self)
        try await store.insert(contentsOf: (1...4).map { Fading(id: $0) })
        #expect(try await store.gatherTexts(of: Fading.self) == 4)
        #expect(try await store.check(gathering: true) == [])
        let stale = try await GatheredCalls.$hook.withValue(
            GatheredCalls.Hook { _ in
                try await store.insert(Fading(id: 1), onConflict: .replace)
                try await store.delete(Fading.self, key: 2)
            }
        ) { try await store.check(gathering: true) }
        #expect(stale.map(\.kind) == [.stale, .stale])
        #expect(stale.compactMap { $0.key.value(as: Fading.self) } == [3, 4])
    }
}
