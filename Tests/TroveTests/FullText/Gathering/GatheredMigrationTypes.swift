// A record type with gathered text as successive programs declare it.

import Synchronization

@testable import Trove

enum Reel {
    /// The number of keys that closures of this file have been given, by a name.
    static let asked = Mutex<[String: Int]>([:])

    static func texts(of keys: [Int], _ name: String) -> [Int: String] {
        asked.withLock { $0[name, default: 0] += keys.count }
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, "\(name) reel w\($0 % 7)") })
    }

    @IndexKeyRecord(keyPrefix: 6_500_101, "id")
    struct Plain: Hashable {
        let id: Int
        var title: String
    }

    @IndexKeyRecord(keyPrefix: 6_500_101, "id")
    struct First: Hashable {
        #FullTextIndex<First>("Texts", gathering: { keys, _ in Reel.texts(of: keys, "first") })

        let id: Int
        var title: String
    }

    /// Another version of the closure.
    @IndexKeyRecord(keyPrefix: 6_500_101, "id")
    struct Second: Hashable {
        #FullTextIndex<Second>("Texts", version: 2, gathering: { keys, _ in Reel.texts(of: keys, "second") })

        let id: Int
        var title: String
    }

    /// The first version, gathered outside of transactions.
    @IndexKeyRecord(keyPrefix: 6_500_101, "id")
    struct Later: Hashable {
        #FullTextIndex<Later>(
            "Texts",
            gathering: { keys, store in
                _ = try await store.contains(Later.self, key: 0)
                return Reel.texts(of: keys, "later")
            })

        let id: Int
        var title: String
    }

    /// Another name, and another analyzer.
    @IndexKeyRecord(keyPrefix: 6_500_101, "id")
    struct Renamed: Hashable {
        #FullTextIndex<Renamed>(
            "Other words", analyzer: .standard.keepingCase(),
            gathering: { keys, _ in Reel.texts(of: keys, "Renamed") })

        let id: Int
        var title: String
    }

    /// Its own text.
    @IndexKeyRecord(keyPrefix: 6_500_101, "id")
    struct Own: Hashable {
        #FullTextIndex<Own>(\.title)

        let id: Int
        var title: String
    }

    /// Another layout.
    @IndexKeyRecord(keyPrefix: 6_500_101, "id")
    struct Longer: Hashable {
        #FullTextIndex<Longer>("Texts", gathering: { keys, _ in Reel.texts(of: keys, "longer") })

        let id: Int
        var title: String
        var length: Int = 1
    }

    /// Another key.
    @IndexKeyRecord(keyPrefix: 6_500_101, "title", "id")
    struct Rekeyed: Hashable {
        #FullTextIndex<Rekeyed>(
            "Texts",
            gathering: { keys, context in
                var texts: [Rekeyed.IndexKey: String] = [:]
                for reel in try context.get(Rekeyed.self, keys: keys) { texts[reel.indexKey] = "rekeyed \(reel.title)" }
                return texts
            })

        let id: Int
        var title: String
    }

    /// A closure that fails.
    @IndexKeyRecord(keyPrefix: 6_500_101, "id")
    struct Failing: Hashable {
        #FullTextIndex<Failing>(
            "Texts", version: 9,
            gathering: { keys, _ in
                if keys.contains(300) { throw NoText(id: 300) }
                return Reel.texts(of: keys, "failing")
            })
        #FullTextIndex<Failing>(\.title)

        let id: Int
        var title: String
    }

    /// Written by hand.
    static let handwritten = RecordIndex<Plain>.fullText("Texts", version: 3) { keys, _ in
        Reel.texts(of: keys, "hand")
    }
}
